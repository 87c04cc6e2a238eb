/*
 * The subcommands. Each takes its own command line (argv[0] is its name),
 * cleans up after itself and returns the exit status. A signal that came
 * meanwhile, or SIGPIPE in *signal_out, is for main to die by.
 */
#ifndef CLIENT_COMMANDS_H
#define CLIENT_COMMANDS_H

int cmd_submit(int argc, char **argv, int *signal_out);
int cmd_status(int argc, char **argv, int *signal_out);
int cmd_formats(int argc, char **argv, int *signal_out);
int cmd_limits(int argc, char **argv, int *signal_out);
int cmd_jobs(int argc, char **argv, int *signal_out);
int cmd_result(int argc, char **argv, int *signal_out);
int cmd_cancel(int argc, char **argv, int *signal_out);
int cmd_version(int argc, char **argv, int *signal_out);

#endif
