#include "CSlots.h"

_Thread_local int32_t cslots_next_slot = 0;
_Thread_local int32_t cslots_recording = 0;
