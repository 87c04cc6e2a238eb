/*
 * The fuzz targets without a fuzzer: feeds every file named on the command
 * line, or found in a folder named there, to LLVMFuzzerTestOneInput once, so
 * that plain CTest with any compiler replays seeds and old crashes. It must
 * never pass having replayed nothing.
 */
#include <dirent.h>
#include <err.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t
replay_file(const char *path, size_t size)
{
	/* exactly as large as the input, so that a sanitizer sees overreads */
	uint8_t *data = malloc(size > 0 ? size : 1);
	FILE *f = fopen(path, "rb");

	if (data == NULL || f == NULL)
		err(1, "%s", path);
	if (fread(data, 1, size, f) != size)
		err(1, "%s: short read", path);
	fclose(f);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 1;
}

static size_t
replay_folder(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	size_t count = 0;

	if (dir == NULL)
		err(1, "%s", path);
	while ((entry = readdir(dir)) != NULL) {
		char name[PATH_MAX];
		struct stat st;

		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (stat(name, &st) == 0 && S_ISREG(st.st_mode))
			count += replay_file(name, (size_t)st.st_size);
	}
	closedir(dir);
	return count;
}

int
main(int argc, char **argv)
{
	size_t count = 0;

	for (int i = 1; i < argc; i++) {
		struct stat st;

		if (stat(argv[i], &st) != 0)
			err(1, "%s", argv[i]);
		count += S_ISDIR(st.st_mode)
			     ? replay_folder(argv[i])
			     : replay_file(argv[i], (size_t)st.st_size);
	}
	printf("replayed %zu inputs\n", count);
	return count > 0 ? 0 : 1;
}
