/*
 * From urls to files, packages and categories: the rules as a table.
 */
#include <criterion/criterion.h>

#include "proto/job.h"
#include "worker/profile/source_file.h"

static struct arena arena;
static struct job job;

static void
setup(void)
{
	arena_init(&arena, 64 << 20);
	job_init(&job);
}

static struct source_file
of(const char *url)
{
	struct source_file file;

	source_file_of(&arena, &job, span_str(url), &file);
	return file;
}

static void
expect_file(const char *url, const char *want)
{
	struct source_file file = of(url);

	cr_assert_eq(file.has_file, want != NULL, "%s", url);
	if (want != NULL)
		cr_assert(span_is(file.file, want), "%s: %.*s, not %s", url,
			  (int)file.file.len, (const char *)file.file.data,
			  want);
}

/* url, file; NULL: none */
static const char *const files[][2] = {
    {"", NULL},
    /* other schemes and bare names stay */
    {"node:fs", "node:fs"},
    {"https://example.org/a.js?v=1#x", "https://example.org/a.js?v=1#x"},
    {"webpack:///./src/a%20b.js", "webpack:///./src/a%20b.js"},
    {"app.js", "app.js"},
    {"/srv/../app.js", "/srv/../app.js"},
    {"C:\\work\\a.js", "C:\\work\\a.js"},
    {"evalmachine.<anonymous>", "evalmachine.<anonymous>"},
    {"filer:///a.js", "filer:///a.js"},
    /* file: in all its spellings */
    {"file:///a/b.js", "/a/b.js"},
    {"FILE:///a/b.js", "/a/b.js"},
    {"file:/a/b.js", "/a/b.js"},
    {"file:a.js", "/a.js"},
    {"file:", "/"},
    {"file://", "/"},
    {"file:///", "/"},
    {"file:////a", "//a"},
    {"file:///a//b", "/a//b"},
    /* query and fragment are cut */
    {"file:///a.js?v=3", "/a.js"},
    {"file:///a.js#top", "/a.js"},
    {"file:///a.js?x#y", "/a.js"},
    {"file:///a.js#x?y", "/a.js"},
    {"file:///a.js?../../b", "/a.js"},
    /* percent signs are decoded */
    {"file:///a%20b.js", "/a b.js"},
    {"file:///caf%C3%A9.js", "/caf\xc3\xa9.js"},
    {"file:///a%23b%3F.js", "/a#b?.js"},
    {"file:///100%25.js", "/100%.js"},
    {"file:///%2520", "/%20"},
    {"file:///100%", "/100%"},
    {"file:///a%4", "/a%4"},
    {"file:///a%4g", "/a%4g"},
    {"file:///a%4a%4A", "/aJJ"},
    /* what is no path has no file */
    {"file:///a%2Fb.js", NULL},
    {"file:///a%2fb.js", NULL},
    {"file:///a%00b.js", NULL},
    {"file:///a%FFb.js", NULL},
    {"file:///a%C3.js", NULL},
    {"file:///%ED%A0%80.js", NULL},
    {"file:///%C0%AE.js", NULL},
    /* dots are resolved and never leave the root */
    {"file:///a/./b/../c.js", "/a/c.js"},
    {"file:///a/%2e%2E/c.js", "/c.js"},
    {"file:///../../etc", "/etc"},
    {"file:///a/..", "/"},
    {"file:///a/b/.", "/a/b/"},
    {"file:///a/b/..", "/a/"},
    {"file:///a/.../b", "/a/.../b"},
    {"file:///a/..b/.c", "/a/..b/.c"},
    /* drives */
    {"file:///c:/x.js", "C:/x.js"},
    {"file:///C:/x.js", "C:/x.js"},
    {"file:///c%3A/x.js", "C:/x.js"},
    {"file:///c:", "C:/"},
    {"file:c:", "C:/"},
    {"file:c:?", "C:/"},
    {"file:///c:/../../x.js", "C:/x.js"},
    {"file:///cd:/x.js", "/cd:/x.js"},
    {"file:///c:x.js", "/c:x.js"},
    /* hosts */
    {"file://host/p", "//host/p"},
    {"file://host/a/../../p", "//host/p"},
    {"file://host/c:/x", "//host/c:/x"},
    {"file://host", "//host/"},
    {"file://localhost/a.js", "/a.js"},
    {"file://localhost/c:/x.js", "C:/x.js"},
};

Test(source_file, turns_file_urls_into_paths_and_nothing_else, .init = setup)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		expect_file(files[i][0], files[i][1]);
	arena_fini(&arena);
}

Test(source_file, tells_paths_of_file_urls_from_other_urls, .init = setup)
{
	cr_assert(of("file:///a%23b.js").from_file_url);
	cr_assert_not(of("https://a/b.js").from_file_url);
	cr_assert_not(of("a.js").from_file_url);
	cr_assert_not(of("file:///a%2Fb.js").from_file_url);
	arena_fini(&arena);
}

Test(source_file, takes_a_zero_byte_in_a_file_url_for_no_path, .init = setup)
{
	static const char url[] = "file:///a\0b.js";
	struct source_file file;

	source_file_of(&arena, &job, span_of(url, sizeof(url) - 1), &file);
	cr_assert_not(file.has_file);
	arena_fini(&arena);
}

Test(source_file, is_relative_to_the_project_root_when_inside, .init = setup)
{
	const char *roots[] = {"/srv/app", "/srv/app/", "/srv/app//"};

	for (size_t i = 0; i < 3; i++) {
		job.project_root = span_str(roots[i]);
		expect_file("file:///srv/app/src/a.js", "src/a.js");
		expect_file("/srv/app/a.js", "a.js");
		expect_file("/srv/app//src//a.js", "src//a.js");
		expect_file("/srv/app//", "/srv/app//");
		expect_file("file:///srv/app2/a.js", "/srv/app2/a.js");
		expect_file("file:///srv/a.js", "/srv/a.js");
		expect_file("file:///srv/app", "/srv/app");
		expect_file("file:///srv/app/", "/srv/app/");
		expect_file("file:///srv/app/../b.js", "/srv/b.js");
		expect_file("https:///srv/app/a.js", "https:///srv/app/a.js");
	}
	job.project_root = span_str("/");
	expect_file("file:///srv/a.js", "srv/a.js");
	job.project_root = span_str("C:/apps");
	expect_file("file:///c:/apps/a.js", "a.js");
	arena_fini(&arena);
}

Test(source_file, is_mapped_by_the_first_map_that_fits, .init = setup)
{
	job.path_maps_len = 3;
	job.path_maps[0] =
	    (struct path_map){span_str("/build/gen"), span_str("/gen")};
	job.path_maps[1] =
	    (struct path_map){span_str("/build/"), span_str("/srv/app/")};
	job.path_maps[2] =
	    (struct path_map){span_str("/srv"), span_str("/never")};
	expect_file("file:///build/gen/a.js", "/gen/a.js");
	expect_file("file:///build/a.js", "/srv/app/a.js");
	expect_file("file:///build", "/srv/app");
	expect_file("file:///builder/a.js", "/builder/a.js");
	expect_file("/build/a.js", "/srv/app/a.js");
	expect_file("node:/build/a.js", "node:/build/a.js");
	job.project_root = span_str("/srv/app");
	expect_file("file:///build/a.js", "a.js");
	arena_fini(&arena);
}

/* url, package; NULL: not in node_modules, so of the user */
static const char *const packages[][2] = {
    {"file:///app/src/a.js", NULL},
    {"file:///app/node_modules/lodash/get.js", "lodash"},
    {"file:///app/node_modules/@babel/core/lib/a.js", "@babel/core"},
    {"file:///app/node_modules/a/node_modules/b/c.js", "b"},
    {"node_modules/left-pad/index.js", "left-pad"},
    {"webpack:///./node_modules/vue/dist/vue.js?1a2b", "vue"},
    {"file:///app/my_node_modules/x/a.js", NULL},
    {"file:///app/node_modules_old/x/a.js", NULL},
    {"file:///a/node_modules/.pnpm/lodash@4.17.21/node_modules/lodash/a.js",
     "lodash@4.17.21"},
    {"file:///a/node_modules/.pnpm/@babel+core@7.24.0/node_modules/@babel/"
     "core/a.js",
     "@babel/core@7.24.0"},
    {"file:///a/node_modules/.pnpm/vue@3.4.1_typescript@5.4.2/node_modules/"
     "vue/a.js",
     "vue@3.4.1"},
    {"file:///a/node_modules/.pnpm/vue@3.4.1(typescript@5.4.2)/"
     "node_modules/vue/a.js",
     "vue@3.4.1"},
    /* a dependency of it, of which the path shows no version */
    {"file:///a/node_modules/.pnpm/vue@3.4.1/node_modules/react/a.js", "react"},
    {"file:///a%2Fb/node_modules/x/y.js", "x"},
};

Test(source_file, names_the_package_of_a_dependency, .init = setup)
{
	for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++) {
		struct source_file file = of(packages[i][0]);
		const char *want = packages[i][1];

		cr_assert_eq(file.category,
			     want == NULL ? CATEGORY_USER : CATEGORY_DEPENDENCY,
			     "%s", packages[i][0]);
		cr_assert_eq(file.has_package, want != NULL);
		if (want != NULL)
			cr_assert(span_is(file.package, want), "%s: %.*s",
				  packages[i][0], (int)file.package.len,
				  (const char *)file.package.data);
	}
	arena_fini(&arena);
}

Test(source_file, names_the_package_of_a_path_inside_the_project_root,
     .init = setup)
{
	struct source_file file;

	job.project_root = span_str("/app/node_modules/x");
	file = of("file:///app/node_modules/x/a.js");
	cr_assert(span_is(file.file, "a.js"));
	cr_assert_eq(file.category, CATEGORY_DEPENDENCY);
	cr_assert(span_is(file.package, "x"));
	arena_fini(&arena);
}

Test(source_file, tells_what_kind_of_code_a_url_stands_for, .init = setup)
{
	cr_assert_eq(of("node:fs").category, CATEGORY_NODE);
	cr_assert_eq(of("node:internal/modules/cjs/loader").category,
		     CATEGORY_NODE);
	cr_assert_eq(of("internal/timers.js").category, CATEGORY_NODE);
	cr_assert_eq(of("ext:core/ops").category, CATEGORY_NODE);
	cr_assert_eq(of("wasm://wasm/1234").category, CATEGORY_WASM);
	cr_assert_eq(of("native array.js").category, CATEGORY_NATIVE);
	cr_assert_eq(of("evalmachine.<anonymous>").category, CATEGORY_EVAL);
	cr_assert_eq(of("file:///node:fs").category, CATEGORY_USER);
	cr_assert_eq(of("https://a/b.js").category, CATEGORY_USER);
	arena_fini(&arena);
}
