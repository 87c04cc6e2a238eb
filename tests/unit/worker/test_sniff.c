/*
 * What is no profile that is read is named; what may be one passes.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "worker/input/sniff.h"

static void
expect_ok(struct span head, bool whole, size_t skip, bool blank)
{
	struct sniff sniff = {.skip_bytes = 99};
	struct failure failure;
	enum status status = sniff_head(head, whole, &sniff, &failure);

	cr_assert_eq(status, ST_OK, "%.*s: %s", (int)head.len,
		     (const char *)head.data, failure.message);
	cr_assert_eq(sniff.skip_bytes, skip);
	cr_assert_eq(sniff.blank, blank);
}

static void
expect_bytes(struct span head, enum status status, enum reason reason,
	     const char *part)
{
	struct sniff sniff = {.skip_bytes = 99};
	struct failure failure = {0};

	cr_assert_eq(sniff_head(head, true, &sniff, &failure), status, "%.*s",
		     (int)head.len, (const char *)head.data);
	cr_assert_eq(failure.status, status);
	cr_assert_eq(failure.reason, reason, "%s", failure.message);
	cr_assert_not_null(strstr(failure.message, part), "%s: %s", part,
			   failure.message);
	cr_assert_eq(sniff.skip_bytes, 99);
}

#define EXPECT(text, status, reason, part) \
	expect_bytes(span_of(text, sizeof(text) - 1), status, reason, part)
#define KNOWN(text, part) \
	EXPECT(text, ST_UNSUPPORTED_FORMAT, RE_KNOWN_FORMAT, part)
#define STRANGE(text, part) \
	EXPECT(text, ST_UNSUPPORTED_FORMAT, RE_UNRECOGNIZED_LAYOUT, part)
#define ENCODED(text, part) \
	EXPECT(text, ST_UNSUPPORTED_FORMAT, RE_UNSUPPORTED_ENCODING, part)
#define EMPTY(text) EXPECT(text, ST_EMPTY_INPUT, RE_NONE, "")
#define PASSES(text) expect_ok(span_of(text, sizeof(text) - 1), true, 0, false)

Test(sniff, lets_json_objects_pass)
{
	PASSES("{");
	PASSES("{}");
	PASSES("  \r\n\t{\"nodes\":[]}");
	PASSES("{\"head\":{\"callFrame\":{}}}");
	PASSES("{\"whatever\":1}");
	PASSES("{\"meta\":{\"version\":1},\"nodes\":[]}");
}

Test(sniff, is_not_fooled_by_telling_words_in_other_places)
{
	PASSES("{\"nodes\":[{\"callFrame\":{\"functionName\":"
	       "\"traceEvents\"}}]}");
	PASSES("{\"x\":\"traceEvents\",\"nodes\":[]}");
	PASSES("{\"x\":\"\\\"traceEvents\\\":\",\"nodes\":[]}");
	PASSES("{\"x\":{\"traceEvents\":[]},\"nodes\":[]}");
	PASSES("{\"nodes\":[],\"traceEvents\":[]}");
	PASSES("{\"profile\":{\"nodes\":[]},\"$schema\":\"https://x\"}");
	PASSES("{\"snapshot\":1,\"nodes\":[]}");
}

Test(sniff, skips_a_utf8_byte_order_mark)
{
	expect_ok(span_str("\xef\xbb\xbf{}"), true, 3, false);
	expect_ok(span_str("\xef\xbb\xbf  {}"), true, 3, false);
}

Test(sniff, calls_nothing_and_white_space_empty)
{
	EMPTY("");
	EMPTY(" \t\r\n\n");
	EMPTY("\xef\xbb\xbf");
	EMPTY("\xef\xbb\xbf \n");
	expect_ok(span_str("   "), false, 0, true);
}

Test(sniff, names_other_encodings)
{
	ENCODED("\xff\xfe{\0}\0", "UTF-16LE");
	ENCODED("\xfe\xff\0{\0}", "UTF-16BE");
	ENCODED("\xff\xfe", "UTF-16LE");
	ENCODED("{\0\"\0n\0", "UTF-16LE");
	ENCODED("\0{\0\"", "UTF-16BE");
	ENCODED("{\0", "UTF-16LE");
	ENCODED("\xff\xfe\0\0{\0\0\0", "UTF-32");
	ENCODED("\0\0\xfe\xff\0\0\0{", "UTF-32");
	ENCODED("{\0\0\0\"\0\0\0", "UTF-32");
	ENCODED("\0\0\0{\0\0\0\"", "UTF-32");
}

Test(sniff, names_other_profiles_in_json)
{
	KNOWN("{\"traceEvents\":[{\"ph\":\"X\"}]}", "Chrome trace");
	KNOWN("{\"displayTimeUnit\":\"ns\", \"traceEvents\" :[]}",
	      "Chrome trace");
	KNOWN("[{\"name\":\"x\",\"ph\":\"B\",\"ts\":1}", "Chrome trace");
	KNOWN("\n[\n{ \"ph\" : \"B\"}", "Chrome trace");
	KNOWN("{\"snapshot\":{\"meta\":{\"node_fields\":[]}},\"nodes\":[]}",
	      "heap snapshot");
	KNOWN("{\"meta\":{\"interval\":1,\"processType\":0},\"libs\":[]}",
	      "Firefox");
	KNOWN("{\"$schema\":\"https://www.speedscope.app/file-format-"
	      "schema.json\",\"profiles\":[]}",
	      "speedscope");
}

Test(sniff, names_binary_profiles)
{
	KNOWN("PERFILE2\x68\0\0\0", "perf.data");
	KNOWN("\x86\xa3pid\1\xa3tid\1", "memtrack");
	KNOWN("DTiJ\1\0\0\0(\0\0\0", "jitdump");
	KNOWN("\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04", "pprof");
	KNOWN("\x0a\x05\x08\x80\x01\x10\x02\x12", "pprof");
}

Test(sniff, names_profiles_of_lines)
{
	KNOWN("main;parse;next 12\nmain;idle 3\n", "collapsed");
	KNOWN("main;operator new(unsigned long) 12", "collapsed");
	KNOWN("7f0000001000 40 plain\n", "perf map");
	KNOWN("0x00007f00 0x80 java.lang.Object a.b.C.get(int)\n", "perf map");
	KNOWN("v 10500 3\nX ./app --x\n", "heaptrack");
	KNOWN("v 10100 1\r\nX ./app\r\n", "heaptrack");
	KNOWN("node 4242 1234.567890:     250000 cycles:u: \n"
	      "\t    7f10a0b2 v8::Run+0x1a (/usr/bin/node)\n",
	      "perf script");
	KNOWN("# captured on: today\n#\n"
	      "node  4242/4243 [001] 1234.567890: cpu-clock: \n"
	      "\t  ffffffff81000000 do_syscall_64 ([kernel.kallsyms])\n",
	      "perf script");
}

Test(sniff, names_files_that_are_no_profiles)
{
	STRANGE("\x89PNG\r\n\x1a\n....", "PNG");
	STRANGE("\xff\xd8\xff\xe0", "JPEG");
	STRANGE("\177ELF\2\1", "ELF");
	STRANGE("PK\3\4....", "zip");
	STRANGE("7z\xbc\xaf\x27\x1c", "7z");
	STRANGE("\x1f\x8b\x08", "gzip inside");
	STRANGE("<!DOCTYPE html>", "HTML");
}

Test(sniff, finds_a_tar_archive_by_its_late_magic)
{
	char head[512] = "some/name";

	memcpy(head + 257, "ustar", 5);
	expect_bytes(span_of(head, sizeof(head)), ST_UNSUPPORTED_FORMAT,
		     RE_UNRECOGNIZED_LAYOUT, "tar");
	/* cut in the middle of the magic it is not one */
	expect_bytes(span_of(head, 261), ST_UNSUPPORTED_FORMAT,
		     RE_UNRECOGNIZED_LAYOUT, "some/name");
}

Test(sniff, says_what_it_saw_of_anything_else)
{
	STRANGE("[1,2]", "a JSON array: [1,2]");
	STRANGE("\"text\"", "a JSON string");
	STRANGE("-12", "a number");
	STRANGE("null", "a JSON literal");
	STRANGE("hello world, this is prose", "hello world, thi");
	STRANGE("\1\2\377", "\\x01\\x02\\xff");
	STRANGE("\xef\xbb", "\\xef\\xbb");
	STRANGE("\xef\xbb\xbfx", "x");
	STRANGE("\0", "\\x00");
	STRANGE("mail me 12", "mail me 12");
}

Test(sniff, tells_the_offset_of_what_it_saw)
{
	struct sniff sniff;
	struct failure failure;

	cr_assert_neq(sniff_head(span_str("\xef\xbb\xbf\n x"), true, &sniff,
				 &failure),
		      ST_OK);
	cr_assert_eq(failure.offset, 5);
}

Test(sniff, survives_every_cut_of_every_kind_of_head)
{
	static const char *const heads[] = {
	    "{\"snapshot\":{\"meta\":{}},\"a\\\"b\":[{}]}",
	    "node 4242 1234.567890: cycles:u: \n\t 7f10a0b2 x (y)\n",
	    "0x7f00 0x80 name\n",
	    "a;b;c 12\n",
	    "v 10500 3\n",
	    "# c\n# d\n# e",
	    "{\"a\\",
	    "[[[[{{{{\"ph\":"};

	for (unsigned i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		for (size_t len = 0; len <= strlen(heads[i]); len++) {
			/* exactly as long, so that a sanitizer sees */
			char *cut = malloc(len + 1);
			struct sniff sniff;
			struct failure failure;

			cr_assert_not_null(cut);
			memcpy(cut, heads[i], len);
			(void)!sniff_head(span_of(cut, len), i % 2, &sniff,
					  &failure);
			free(cut);
		}
	}
}
