/*
 * The whole way of a V8 cpu profile, from bytes to rows.
 */
#include "tests/fuzz/fuzz_extract.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_extract(FORMAT_V8_CPUPROFILE, span_of(data, size));
	return 0;
}
