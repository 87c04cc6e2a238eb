/*
 * The yardstick: yajl alone with empty callbacks over one file, read into one
 * reused buffer. Nothing is kept, so this is the least that any reader built on
 * yajl can take.
 *
 * bench-yajl_empty --version | FILE
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <yajl/yajl_parse.h>
#include <yajl/yajl_version.h>

static int
on_null(void *context)
{
	(void)context;
	return 1;
}

static int
on_boolean(void *context, int value)
{
	(void)context;
	(void)value;
	return 1;
}

static int
on_text(void *context, const char *text, size_t len)
{
	(void)context;
	(void)text;
	(void)len;
	return 1;
}

static int
on_bytes(void *context, const unsigned char *text, size_t len)
{
	(void)context;
	(void)text;
	(void)len;
	return 1;
}

static int
say_version(void)
{
	int version = yajl_version();

	printf("%d.%d.%d\n", version / 10000, version / 100 % 100,
	       version % 100);
	return 0;
}

int
main(int argc, char **argv)
{
	static const yajl_callbacks callbacks = {
	    .yajl_null = on_null,
	    .yajl_boolean = on_boolean,
	    .yajl_number = on_text,
	    .yajl_string = on_bytes,
	    .yajl_start_map = on_null,
	    .yajl_map_key = on_bytes,
	    .yajl_end_map = on_null,
	    .yajl_start_array = on_null,
	    .yajl_end_array = on_null,
	};
	static unsigned char buffer[1024 * 1024];
	yajl_handle yajl;
	yajl_status status = yajl_status_ok;
	int fd;
	ssize_t n;

	if (argc == 2 && strcmp(argv[1], "--version") == 0)
		return say_version();
	yajl = yajl_alloc(&callbacks, NULL, NULL);
	fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0 || yajl == NULL) {
		fprintf(stderr, "usage: %s FILE\n", argv[0]);
		return 2;
	}
	while (status == yajl_status_ok &&
	       (n = read(fd, buffer, sizeof(buffer))) > 0)
		status = yajl_parse(yajl, buffer, (size_t)n);
	if (status == yajl_status_ok)
		status = yajl_complete_parse(yajl);
	yajl_free(yajl);
	return status == yajl_status_ok ? 0 : 5;
}
