#ifndef CSLOTS_H
#define CSLOTS_H

#include <stdint.h>

// The number of the next property wrapper that initialises on this thread. A model object is
// initialised by one thread from beginning to end, so its wrappers number themselves 0, 1, 2 … in
// the order of their declaration, without storing a name or a closure. The wrappers of a subclass
// initialise before those of its superclass, but get the numbers behind them, so that an inherited
// property has the same number in every class of a family.
// C, because Swift has no thread-local variable that costs one instruction.
//
// The initial-exec model spares a call for every wrapper; it fits libraries that are linked, not
// loaded later on, and there is spare room for a few words even in the latter.
#define CSLOTS_FAST __attribute__((tls_model("initial-exec")))

extern _Thread_local int32_t cslots_next_slot CSLOTS_FAST;

// The numbers of the wrappers that one class of a family declares itself. `end` is -1 in the class at the
// top, whose wrappers initialise last.
typedef struct {
  int32_t start;
  int32_t end;
} cslots_block;

// Where the wrappers of the next class up begin to initialise; -1 when there is none.
extern _Thread_local int32_t cslots_border CSLOTS_FAST;

// Whether a prototype initialises, whose wrappers describe themselves as well.
extern _Thread_local int32_t cslots_recording CSLOTS_FAST;

// Goes on with the numbers of the next class up.
void cslots_turn(void);

// Starts the numbers of an object whose class inherits properties: a block for each class that declares
// some, subclass first. They must stay in memory.
void cslots_begin(const cslots_block *blocks);

static inline int16_t cslots_take(void) {
  if (__builtin_expect(cslots_next_slot == cslots_border, 0)) cslots_turn();
  return (int16_t)cslots_next_slot++;
}
static inline void cslots_reset(void) { cslots_next_slot = 0; }
static inline int32_t cslots_is_recording(void) { return cslots_recording; }
static inline void cslots_set_recording(int32_t recording) { cslots_recording = recording; }

#endif
