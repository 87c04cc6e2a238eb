/*
 * Written by hand after the documented shape; keys that no view reads are
 * left out.
 */
#include "profile_fixture.h"

#define ROW(function, file, url, line, script, category, self_rank,          \
	    inclusive_rank, self, inclusive)                                 \
	"{\"frame_id\":\"0" self_rank "\",\"function_id\":null,"             \
	"\"function\":\"" function "\",\"file\":" file ",\"url\":\"" url     \
	"\",\"line\":" line ",\"column\":3,\"script\":" script               \
	",\"category\":\"" category "\",\"package\":null,"                   \
	"\"rank_self\":" self_rank ",\"rank_inclusive\":" inclusive_rank "," \
	"\"values\":{\"wall.time\":{\"self\":" self                          \
	",\"inclusive\":" inclusive "}}}"

const char profile_fixture[] =
    "{\"schema\":\"extractd.result/1\",\"status\":\"ok\","
    "\"format\":\"v8.cpuprofile\",\"kind\":\"sample_profile\","
    "\"profile_id\":\"00ff\","
    "\"artifact\":{\"name\":\"my app.cpuprofile\"},"
    "\"producer\":{\"name\":\"node\",\"version\":\"20.20.2\"},"
    "\"options\":{\"sort\":null},"
    "\"metrics\":[{\"name\":\"wall.time\",\"unit\":\"microseconds\","
    "\"total\":464700,\"active\":120000}],"
    "\"counts\":{\"nodes\":12,\"samples\":1,\"frames\":9,"
    "\"max_depth\":7},"
    "\"rows\":[" ROW("(root)", "null", "", "null", "null", "root", "9", "1", "0", "464700") "," ROW(
	"(idle)", "null", "", "null", "null", "idle", "1", "2", "344700",
	"344700") "," ROW("parse", "\"src/parse.js\"",
			  "file:///srv/src/parse.js", "12", "null", "user", "2",
			  "3", "84000",
			  "100000") "," ROW("a\\u202eb",
					    "\"node_modules/left-pad/lib/index.js\"",
					    "x", "7", "null", "dependency", "3",
					    "5", "20000",
					    "20000") "," ROW("", "null", "",
							     "null", "\"83\"",
							     "eval", "4", "6",
							     "8000",
							     "8000") "," ROW("\\u8bfb\\u53d6\\u6587\\u4ef6AndThenSomething",
									     "\"packages/core/src/input/reader/stream.ts\"",
									     "x",
									     "1234",
									     "null",
									     "user",
									     "5",
									     "4",
									     "2000",
									     "90000") "],\"rows_total\":9,\"rows_returned\":6,"
										      "\"other\":{\"rows\":3,\"values\":{\"wall.time\":{\"self\":6000}}},"
										      "\"limitations\":[{\"code\":\"wall_not_cpu\",\"text\":\"Times are "
										      "elapsed time, waiting included; V8 profiles hold no processor "
										      "time.\"}]}";

const char empty_fixture[] =
    "{\"status\":\"partial\",\"format\":\"v8.heapprofile\","
    "\"kind\":\"memory_profile\","
    "\"artifact\":{\"name\":\"x\\n\\u001b[31m.heapprofile\"},"
    "\"metrics\":[{\"name\":\"memory.self_size\",\"unit\":\"bytes\","
    "\"total\":0,\"active\":0}],"
    "\"counts\":{\"nodes\":1,\"samples\":null,\"frames\":null,"
    "\"max_depth\":null},"
    "\"rows\":[],\"rows_total\":0,"
    "\"other\":{\"rows\":0,\"values\":{}},\"limitations\":[]}";
