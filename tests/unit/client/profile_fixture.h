/*
 * A small result with everything in it that a table has to cope with.
 */
#ifndef TESTS_PROFILE_FIXTURE_H
#define TESTS_PROFILE_FIXTURE_H

/* Six rows of a CPU profile: a plain one, two states of the VM, a name that
 * reorders text, an anonymous function without a file, and a wide name in a
 * deep folder. */
extern const char profile_fixture[];

/* A heap profile without rows. */
extern const char empty_fixture[];

#endif
