/*
 * The folder that file names of a profile are made relative to.
 */
#ifndef CLIENT_PROJECT_ROOT_H
#define CLIENT_PROJECT_ROOT_H

/* The nearest folder at or above the working directory that holds .git or
 * package.json; NULL when there is none. The caller frees. */
char *project_root_find(void);

/* What --project-root says, as an absolute path: the profile may come from
 * another machine, so it need not exist here. NULL when that is impossible.
 * The caller frees. */
char *project_root_from(const char *dir);

#endif
