// Stands before the two functions of the C library through which libpq sends and waits, so that the round trips of all contenders are
// counted alike, whatever they keep account of themselves.
#define _GNU_SOURCE
#include "CServerWaits.h"

#include <dlfcn.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/socket.h>

static atomic_long waits;
/// Whether this thread has sent something since it last waited.
static _Thread_local int has_sent;

long server_waits(void) { return atomic_load(&waits); }

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  static ssize_t (*next)(int, const void *, size_t, int);
  if (!next) next = (ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send");
  has_sent = 1;
  return next(descriptor, bytes, count, flags);
}

int poll(struct pollfd *descriptors, nfds_t count, int timeout) {
  static int (*next)(struct pollfd *, nfds_t, int);
  if (!next) next = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
  // Who waits for room to send the rest does not wait for an answer yet.
  if (has_sent && count > 0 && !(descriptors[0].events & POLLOUT)) {
    has_sent = 0;
    atomic_fetch_add(&waits, 1);
  }
  return next(descriptors, count, timeout);
}
