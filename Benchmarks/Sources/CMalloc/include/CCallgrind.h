#ifndef CCALLGRIND_H
#define CCALLGRIND_H

// Which instructions callgrind counts (valgrind --tool=callgrind --instr-atstart=no); nothing outside of it.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
static inline void start_counting_instructions(void) { CALLGRIND_START_INSTRUMENTATION; }
static inline void stop_counting_instructions(void) { CALLGRIND_STOP_INSTRUMENTATION; }
static inline void forget_counted_instructions(void) { CALLGRIND_ZERO_STATS; }
#else
static inline void start_counting_instructions(void) {}
static inline void stop_counting_instructions(void) {}
static inline void forget_counted_instructions(void) {}
#endif

#endif
