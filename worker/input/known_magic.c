/*
 * Binary files: a table of magic numbers, and pprof, which has none.
 */
#include "worker/input/known.h"

#include <stddef.h>

struct magic {
	size_t at;
	size_t len;
	const char *bytes;
	struct known known;
};

#define CONVERT_PERF                                              \
	"convert it with perf script and a converter, or record " \
	"the program with node --cpu-prof"
#define UNPACK "unpack it and submit the files in it"
#define ONE_LAYER "only one layer of gzip or zstd is undone; unpack it first"

#define MAGIC(at_, bytes_, profile_, what_, way_out_)                      \
	{                                                                  \
		.at = (at_), .len = sizeof(bytes_) - 1, .bytes = (bytes_), \
		.known =                                                   \
		{.what = (what_),                                          \
		 .way_out = (way_out_),                                    \
		 .profile = (profile_) }                                   \
	}

static const struct magic magics[] = {
    MAGIC(0, "PERFILE2", true, "a perf.data file", CONVERT_PERF),
    MAGIC(0, "2ELIFREP", true, "a perf.data file", CONVERT_PERF),
    MAGIC(0, "PERFFILE", true, "an old perf.data file", CONVERT_PERF),
    MAGIC(0, "DTiJ", true, "a jitdump file",
	  "it holds code, not samples; submit the profile itself"),
    MAGIC(0, "JiTD", true, "a jitdump file",
	  "it holds code, not samples; submit the profile itself"),
    MAGIC(0, "\x86\xa3pid", true, "a memtrack recording", NULL),
    MAGIC(0, "FLR\0", true, "a Java flight recording", NULL),
    MAGIC(0, "JAVA PROFILE 1.0", true, "a Java heap dump", NULL),
    MAGIC(0, "\177ELF", false, "an ELF program or library", NULL),
    MAGIC(0, "PK\3\4", false, "a zip archive", UNPACK),
    MAGIC(0, "PK\5\6", false, "an empty zip archive", NULL),
    MAGIC(257, "ustar", false, "a tar archive", UNPACK),
    MAGIC(0, "7z\xbc\xaf\x27\x1c", false, "a 7z archive", UNPACK),
    MAGIC(0, "Rar!\x1a\x07", false, "a rar archive", UNPACK),
    MAGIC(0, "\x1f\x8b", false, "gzip inside another compression", ONE_LAYER),
    MAGIC(0, "\x28\xb5\x2f\xfd", false, "zstd inside another compression",
	  ONE_LAYER),
    MAGIC(0, "BZh", false, "a bzip2 file", "unpack it with bunzip2"),
    MAGIC(0,
	  "\xfd"
	  "7zXZ\0",
	  false, "an xz file", "unpack it with unxz"),
    MAGIC(0, "\x04\x22\x4d\x18", false, "an lz4 file", "unpack it with unlz4"),
    MAGIC(0, "\x89PNG\r\n\x1a\n", false, "a PNG image", NULL),
    MAGIC(0, "\xff\xd8\xff", false, "a JPEG image", NULL),
    MAGIC(0, "GIF8", false, "a GIF image", NULL),
    MAGIC(0, "%PDF-", false, "a PDF document", NULL),
    MAGIC(0, "SQLite format 3\0", false, "an SQLite database", NULL),
    MAGIC(0, "\0asm", false, "a WebAssembly module", NULL),
};

static const struct known pprof = {
    .what = "a pprof profile",
    .way_out = "record the program with node --cpu-prof or --heap-prof",
    .profile = true,
};

static bool
has_magic(struct span head, const struct magic *magic)
{
	return head.len >= magic->at && head.len - magic->at >= magic->len &&
	       memcmp(head.data + magic->at, magic->bytes, magic->len) == 0;
}

/* The fields 1 and 2 of a ValueType, both small numbers, in either order, and
 * nothing else in its `len` bytes. */
static bool
is_value_type(const uint8_t *at, size_t len)
{
	size_t i = 0;

	while (i < len) {
		if (at[i] != 0x08 && at[i] != 0x10)
			return false;
		i++;
		while (i < len && (at[i] & 0x80) != 0)
			i++;
		if (i++ >= len)
			return false;
	}
	return true;
}

/* Writers begin with field 1, sample_type: 0a, a length, two numbers. */
static bool
is_pprof(struct span head)
{
	return head.len >= 6 && head.data[0] == 0x0a && head.data[1] >= 2 &&
	       head.data[1] <= 12 && (size_t)head.data[1] + 2 <= head.len &&
	       is_value_type(head.data + 2, head.data[1]);
}

const struct known *
known_by_magic(struct span head)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (has_magic(head, &magics[i]))
			return &magics[i].known;
	return is_pprof(head) ? &pprof : NULL;
}
