#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

// What is read is not written to.
#define ZLIB_CONST
#include <zlib.h>

// inflateInit2 is a macro. 16 more than the 32 kB of the window: the format of gzip, and no other.
static inline int czlib_gunzip_begin(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

// The same macro. A negative number of bits: bare DEFLATE, without a header.
static inline int czlib_inflate_begin(z_stream *stream) { return inflateInit2(stream, -15); }

#endif
