#ifndef CSLOTS_H
#define CSLOTS_H

#include <stdint.h>

// The number of the next property wrapper that initialises on this thread. A model object is
// initialised by one thread from beginning to end, so its wrappers number themselves 0, 1, 2 … in
// the order of their declaration (subclass before superclass), without storing a name or a closure.
// C, because Swift has no thread-local variable that costs one instruction.
//
// The initial-exec model spares a call for every wrapper; it fits libraries that are linked, not
// loaded later on, and there is spare room for two integers even in the latter.
#define CSLOTS_FAST __attribute__((tls_model("initial-exec")))

extern _Thread_local int32_t cslots_next_slot CSLOTS_FAST;

// Whether a prototype initialises, whose wrappers describe themselves as well.
extern _Thread_local int32_t cslots_recording CSLOTS_FAST;

static inline int16_t cslots_take(void) { return (int16_t)cslots_next_slot++; }
static inline void cslots_reset(void) { cslots_next_slot = 0; }
static inline int32_t cslots_is_recording(void) { return cslots_recording; }
static inline void cslots_set_recording(int32_t recording) { cslots_recording = recording; }

#endif
