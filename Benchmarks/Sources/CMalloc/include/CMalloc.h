#ifndef CMALLOC_H
#define CMALLOC_H

// Swift's Glibc module leaves out malloc.h.
#include <malloc.h>

#include "CCallgrind.h"

#endif
