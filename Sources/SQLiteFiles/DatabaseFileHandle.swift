import GRDBSQLite

/// SQLite's own handle of a database file, for reading its first bytes and whether anyone uses it,
/// independently of any connection.
///
/// Closing a descriptor of a file releases every lock that the process holds on it, including those that
/// SQLite has taken through other descriptors:
/// <https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>.
/// So nothing here opens a database file directly. SQLite counts the locks of a file over all of its handles
/// in the process, and keeps a descriptor open for as long as there are any.
package struct DatabaseFileHandle: ~Copyable {
  /// A connection that never reads a page, so that it takes no lock and opens no journal.
  private let connection: OpaquePointer
  private let file: UnsafeMutablePointer<sqlite3_file>

  /// nil when the file cannot be opened.
  ///
  /// - Parameter path: absolute, because SQLite reads URIs. It must be a regular file: opening a named pipe
  ///   would wait for its other end.
  package init?(_ path: String, isWritable: Bool = false) {
    var connection: OpaquePointer?
    let flags = isWritable ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK, let connection,
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, file.pointee.pMethods != nil
    else {
      sqlite3_close(connection)
      return nil
    }
    // A user who may only read gets a read-only handle, without a message.
    if isWritable, sqlite3_db_readonly(connection, "main") != 0 {
      sqlite3_close(connection)
      return nil
    }
    self.connection = connection
    self.file = file
  }

  deinit { sqlite3_close(connection) }

  /// Up to `count` bytes from the beginning of the file; nil when it cannot be read.
  package borrowing func firstBytes(_ count: Int) -> [UInt8]? {
    let methods = file.pointee.pMethods.pointee
    var size: Int64 = 0
    guard methods.xFileSize(file, &size) == SQLITE_OK else { return nil }
    let count = Int(min(Int64(count), size))
    if count == 0 { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let code = bytes.withUnsafeMutableBytes {
      methods.xRead(file, $0.baseAddress, Int32(count), 0)
    }
    return code == SQLITE_OK ? bytes : nil
  }

  /// Runs `body` while no connection, in this process or any other, has the file open in WAL mode or is using
  /// it in another mode; none can begin meanwhile. Does nothing if there is one.
  package borrowing func whileUnused(_ body: () -> Void) {
    let methods = file.pointee.pMethods.pointee
    defer { _ = methods.xUnlock(file, SQLITE_LOCK_NONE) }
    guard methods.xLock(file, SQLITE_LOCK_SHARED) == SQLITE_OK,
      methods.xLock(file, SQLITE_LOCK_EXCLUSIVE) == SQLITE_OK
    else { return }
    body()
  }
}
