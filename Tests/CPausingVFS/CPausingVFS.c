#include "CPausingVFS.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  sqlite3_vfs base;
  sqlite3_vfs *system;
  pausing_vfs_callback callback;
  void *context;
} PausingVFS;

/// Followed by the file of the system.
typedef struct {
  sqlite3_file base;
  PausingVFS *vfs;
} PausingFile;

static sqlite3_file *inner(sqlite3_file *file) { return (sqlite3_file *)((PausingFile *)file + 1); }

static void pause_at(sqlite3_file *file, pausing_vfs_moment moment) {
  PausingVFS *vfs = ((PausingFile *)file)->vfs;
  vfs->callback(vfs->context, moment);
}

#define FORWARD(name, parameters, arguments)              \
  static int name parameters {                            \
    sqlite3_file *in = inner(file);                       \
    return in->pMethods->name arguments;                  \
  }

FORWARD(xClose, (sqlite3_file *file), (in))
FORWARD(xRead, (sqlite3_file *file, void *b, int n, sqlite3_int64 at), (in, b, n, at))
FORWARD(xWrite, (sqlite3_file *file, const void *b, int n, sqlite3_int64 at), (in, b, n, at))
FORWARD(xTruncate, (sqlite3_file *file, sqlite3_int64 size), (in, size))
FORWARD(xSync, (sqlite3_file *file, int flags), (in, flags))
FORWARD(xFileSize, (sqlite3_file *file, sqlite3_int64 *size), (in, size))
FORWARD(xLock, (sqlite3_file *file, int lock), (in, lock))
FORWARD(xUnlock, (sqlite3_file *file, int lock), (in, lock))
FORWARD(xCheckReservedLock, (sqlite3_file *file, int *result), (in, result))
FORWARD(xFileControl, (sqlite3_file *file, int operation, void *argument), (in, operation, argument))
FORWARD(xSectorSize, (sqlite3_file *file), (in))
FORWARD(xDeviceCharacteristics, (sqlite3_file *file), (in))
FORWARD(
  xShmMap, (sqlite3_file *file, int page, int size, int extends, void volatile **memory),
  (in, page, size, extends, memory))
FORWARD(xShmUnmap, (sqlite3_file *file, int removes), (in, removes))
FORWARD(xFetch, (sqlite3_file *file, sqlite3_int64 at, int n, void **page), (in, at, n, page))

static void xShmBarrier(sqlite3_file *file) { inner(file)->pMethods->xShmBarrier(inner(file)); }

/// The locks of a log: the writer's is the first, those of readers begin with the fourth
/// (https://www.sqlite.org/walformat.html#wal_locks).
static int xShmLock(sqlite3_file *file, int first, int count, int flags) {
  int code = inner(file)->pMethods->xShmLock(inner(file), first, count, flags);
  if (first >= 3 && flags == (SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED)) {
    pause_at(file, PAUSING_VFS_READ_ENDED);
  }
  return code;
}

/// Without mapped memory, only checkpoints give all pages back, between reading the header and what they do by it.
static int xUnfetch(sqlite3_file *file, sqlite3_int64 at, void *page) {
  if (page == NULL) pause_at(file, PAUSING_VFS_HEADER_READ);
  return inner(file)->pMethods->xUnfetch(inner(file), at, page);
}

static const sqlite3_io_methods methods = {
  3, xClose, xRead, xWrite, xTruncate, xSync, xFileSize, xLock, xUnlock, xCheckReservedLock,
  xFileControl, xSectorSize, xDeviceCharacteristics, xShmMap, xShmLock, xShmBarrier, xShmUnmap,
  xFetch, xUnfetch,
};

static int xOpen(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *given) {
  PausingVFS *pausing = (PausingVFS *)vfs;
  ((PausingFile *)file)->vfs = pausing;
  int code = pausing->system->xOpen(pausing->system, path, inner(file), flags, given);
  file->pMethods = inner(file)->pMethods == NULL ? NULL : &methods;
  return code;
}

int pausing_vfs_register(const char *name, pausing_vfs_callback callback, void *context) {
  sqlite3_vfs *system = sqlite3_vfs_find(NULL);
  PausingVFS *vfs = malloc(sizeof(PausingVFS));
  if (system == NULL || vfs == NULL) return SQLITE_NOMEM;
  // Everything but opening files is the system's, which asks for no data of its own.
  vfs->base = *system;
  vfs->base.szOsFile += (int)sizeof(PausingFile);
  vfs->base.zName = strdup(name);
  vfs->base.xOpen = xOpen;
  vfs->system = system;
  vfs->callback = callback;
  vfs->context = context;
  return sqlite3_vfs_register(&vfs->base, 0);
}

int pausing_vfs_unregister(const char *name) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(name);
  if (vfs == NULL) return SQLITE_NOTFOUND;
  int code = sqlite3_vfs_unregister(vfs);
  free((char *)vfs->zName);
  free(vfs);
  return code;
}
