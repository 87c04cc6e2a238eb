#include <criterion/criterion.h>

#include "client/render.h"
#include "tests/unit/client/rendered.h"

static const char result[] =
    "{\"profile_id\":\"00ff\",\"metrics\":["
    "{\"name\":\"cpu.samples\",\"unit\":\"count\"},"
    "{\"name\":\"wall.time\",\"unit\":\"microseconds\"}],"
    "\"rows\":["
    "{\"frame_id\":\"01\",\"function_id\":\"02\",\"function\":\"parse\","
    "\"file\":\"src/a.js\",\"line\":12,\"column\":3,"
    "\"category\":\"user\",\"package\":null,\"values\":{"
    "\"cpu.samples\":{\"self\":1,\"inclusive\":2},"
    "\"wall.time\":{\"self\":30,\"inclusive\":40}}},"
    "{\"frame_id\":\"03\",\"function_id\":null,"
    "\"function\":\"=cmd()\",\"file\":\"a,\\\"b\\\"\\nc\","
    "\"line\":null,\"column\":null,"
    "\"category\":\"dependency\",\"package\":\"@x/y@1\",\"values\":{"
    "\"cpu.samples\":{\"self\":5,\"inclusive\":6}}}]}";

static void
render(struct strbuf *sb, bool wide, bool raw)
{
	struct csv_style style = {.wide = wide, .raw = raw};
	struct document doc;

	parse(&doc, result);
	render_csv_header(sb, doc.root, &style);
	render_csv_rows(sb, doc.root, &style);
	document_free(&doc);
}

Test(render_csv, a_line_is_a_row_and_a_metric)
{
	struct strbuf sb = {0};

	render(&sb, false, false);
	assert_text(&sb,
		    "profile_id,frame_id,function_id,function,file,line,"
		    "column,category,package,metric,unit,self,inclusive\n"
		    "00ff,01,02,parse,src/a.js,12,3,user,,cpu.samples,count,"
		    "1,2\n"
		    "00ff,01,02,parse,src/a.js,12,3,user,,wall.time,"
		    "microseconds,30,40\n"
		    "00ff,03,,'=cmd(),\"a,\"\"b\"\"\nc\",,,dependency,"
		    "'@x/y@1,cpu.samples,count,5,6\n"
		    "00ff,03,,'=cmd(),\"a,\"\"b\"\"\nc\",,,dependency,"
		    "'@x/y@1,wall.time,microseconds,,\n");
}

Test(render_csv, wide_is_a_line_a_row_and_raw_leaves_cells_alone)
{
	struct strbuf sb = {0};

	render(&sb, true, true);
	assert_text(&sb,
		    "profile_id,frame_id,function_id,function,file,line,"
		    "column,category,package,cpu_samples_self,"
		    "cpu_samples_inclusive,wall_time_self,"
		    "wall_time_inclusive\n"
		    "00ff,01,02,parse,src/a.js,12,3,user,,1,2,30,40\n"
		    "00ff,03,,=cmd(),\"a,\"\"b\"\"\nc\",,,dependency,@x/y@1,"
		    "5,6,,\n");
}
