/*
 * cpus.h - how many CPUs this process may use
 */
#ifndef PP_API_CPUS_H
#define PP_API_CPUS_H

/* By affinity and by the CPU quota of its control group (version 2), never
 * the host's number; at least 1. */
unsigned pp_usable_cpus(void);

#endif
