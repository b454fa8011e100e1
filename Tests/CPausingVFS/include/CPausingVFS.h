#ifndef CPAUSING_VFS_H
#define CPAUSING_VFS_H

/// A moment in the work of a connection.
typedef enum {
  /// It has given back the lock by which it had read: a commit is complete, and nothing follows yet.
  PAUSING_VFS_READ_ENDED,
  /// A checkpoint has read in the index of the log how long the log is, and has found that others have written.
  PAUSING_VFS_HEADER_READ,
} pausing_vfs_moment;

/// Called at every such moment, on the thread of the connection, which waits for it.
typedef void (*pausing_vfs_callback)(void *context, pausing_vfs_moment moment);

/// Registers a file system under a name: that of the system, except that `callback` is called. Connections use it
/// that are opened by `file:PATH?vfs=NAME`. Returns SQLite's result code.
int pausing_vfs_register(const char *name, pausing_vfs_callback callback, void *context);

/// Takes it away again; no connection may use it.
int pausing_vfs_unregister(const char *name);

#endif
