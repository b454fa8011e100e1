#include "CSlots.h"

_Thread_local int32_t cslots_next_slot = 0;
_Thread_local int32_t cslots_recording = 0;
_Thread_local int32_t cslots_border = -1;

static _Thread_local const cslots_block *cslots_blocks CSLOTS_FAST = 0;

void cslots_turn(void) {
  cslots_next_slot = cslots_blocks->start;
  cslots_border = cslots_blocks->end;
  cslots_blocks++;
}

void cslots_begin(const cslots_block *blocks) {
  cslots_blocks = blocks;
  cslots_turn();
}
