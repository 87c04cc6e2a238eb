#include <criterion/criterion.h>

#include "client/grid.h"
#include "tests/unit/client/rendered.h"

Test(grid, columns_are_aligned_and_the_last_is_wrapped)
{
	struct grid grid = {.columns = 3, .right = 1u << 1};
	static const char *const cells[] = {"NAME",    "SIZE",
					    "WHY",     "读",
					    "1.0 KiB", "one two three four",
					    "longer",  "7",
					    ""};
	struct strbuf sb = {0};

	for (size_t i = 0; i < 9; i++)
		strbuf_puts(grid_cell(&grid), cells[i]);
	grid_render(&sb, &grid, 34);
	grid_free(&grid);
	assert_text(&sb, "NAME       SIZE  WHY\n"
			 "读      1.0 KiB  one two three\n"
			 "                 four\n"
			 "longer        7  \n");
}
