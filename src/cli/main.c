/* main.c - from the command line to the command's exit code */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "batch/failure.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/help.h"

/* Descriptors 0 to 2 must be taken: else a document opened later would get
 * one of them, and a message would be written into it.  What takes the place
 * cannot be used, so that a closed output is noticed as one. */
static bool
occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        int unusable = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", unusable) != fd)
            return false;
    }
    return true;
}

/* The soft limit of descriptors is low for the sake of select(2), which is
 * not used here: deep trees and groups of files may take what is allowed. */
static void
raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit))
        return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit); /* the old one serves, too */
}

static int
run(struct pp_settings *settings, struct pp_console *console)
{
    if (settings->help)
        return pp_help();
    if (settings->version)
        return pp_version(settings->verbose);
    if (settings->paths.count == 0) {
        pp_console_say(console, "error",
                       "no file or folder is named; see pdfpipe --help");
        return pdfpipe_status_exit(PDFPIPE_E_USAGE);
    }
    return settings->command->run(settings, console);
}

int
main(int argc, char **argv)
{
    struct pp_settings settings;
    struct pp_console console;
    struct pdfpipe_error err;
    int code;

    if (!occupy_standard_descriptors())
        return pdfpipe_status_exit(PDFPIPE_E_INTERNAL);
    raise_descriptor_limit();
    pp_console_init(&console);
    if (pp_arguments_parse(&settings, argc, argv, &err)) {
        pp_console_say(&console, "error", "%s", err.message);
        code = pdfpipe_status_exit(err.code);
    } else {
        pp_console_configure(&console, &settings);
        code = run(&settings, &console);
    }
    pp_settings_fini(&settings);
    return code;
}
