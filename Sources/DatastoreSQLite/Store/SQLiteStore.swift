package import DatastoreCore
package import DatastoreSQL
package import Foundation
import GRDB
import SQLiteFiles
import Synchronization

/// A SQLite file as an object store.
///
/// Reads may run concurrently with each other and with one save; a save waits for the one before. All methods
/// block; call them from any thread, but not from inside one another.
package final class SQLiteStore: SQLStore, StoreSnapshot {
  /// The mapping with all indexes of words. Code that runs for each row and does not need those uses this
  /// one, because `mapping` is copied.
  let complete: SchemaMapping
  /// The source of the mapping; nil for native files.
  let reflected: ReflectedTables?
  /// The file; nil for a store in memory.
  package let url: URL?
  /// Whether saving is refused.
  package let isReadOnly: Bool
  /// Information about a file made by Core Data, for which saving is refused.
  let coreData: CoreDataContents?
  let path: String
  let reader: any DatabaseReader
  /// Reads single rows; nil in memory, where a single connection does everything.
  let pointReader: PointReader?
  /// Reads with several connections. Whole tables only of native files, which are in WAL mode: many can read
  /// for long there without blocking saves.
  let rangeReader: RangeReader?
  /// The identity of the opened file; nil in memory.
  let opened: FileIdentity?
  /// The path of the log of a file in WAL mode, and its identity, because a connection uses it.
  let logPath: String
  let log: Lock<FileIdentity?>
  private let writer: Lock<Writer>
  private let isClosed = Atomic<Bool>(false)
  /// The files to tidy up at the end.
  private let sideFiles: SideFiles?
  private let synchronous: Synchronous
  /// Whether the file is put into WAL mode when it is closed, and not before.
  private let isUnderConstruction: Bool
  /// Whether everything happens inside someone else's transaction, on the thread that has begun it: reads see
  /// its writes, and saves are part of it.
  let isBorrowed: Bool
  let trace: SQLTrace?
  /// The source of the rows; nil if the store has them.
  let rowSource: (any RowSource)?
  /// The observed writes of other processes.
  let seenVersions = Lock(ExternalChanges())
  /// Whether keys may lead to other rows now: see `isShared`.
  let sharing = Atomic<Bool>(false)
  /// `PRAGMA data_version` of the saving connection, before anyone else was seen to write.
  let ownVersion = Lock<Int64?>(nil)
  /// Checks whether the tables still match the mapping; nil if no one else can change them.
  let tables: TableGuard?
  /// The triggers for indexes of words, in lower case.
  let wordTriggers: Set<String>
  /// See `placement`.
  let lastPlacement: Lock<Int64?>
  /// The tables that have third-party triggers, in lower case, and the version of the schema with them.
  let triggers = Lock<(version: Int64, tables: Set<String>)?>(nil)
  /// Cached statements of saves.
  let saveForms = Lock(SaveForms())
  /// The next keys by root entity, for entities with rowids; nil until first used.
  let nextKeys: Lock<ByEntity<RowKey?>>

  /// The saving connection.
  enum Writer: Sendable {
    case open(any DatabaseWriter)
    /// Opened by the first save: reading a file does not write it.
    case notYetOpen
    /// Inside a transaction on the thread of that connection, which someone else ends.
    case borrowed(any DatabaseWriter)
    case closed
  }

  /// - Parameter schemaVersion: `PRAGMA schema_version` of the tables that the mapping was made from; nil in
  ///   memory.
  init(
    mapping: SchemaMapping, reflected: ReflectedTables? = nil, schemaVersion: Int64? = nil,
    url: URL?, isReadOnly: Bool, coreData: CoreDataContents? = nil, reader: any DatabaseReader,
    writer: Writer, sideFiles: SideFiles? = nil, synchronous: Synchronous = .normal,
    isUnderConstruction: Bool = false, trace: SQLTrace?, rowSource: (any RowSource)? = nil,
    path: String? = nil
  ) {
    complete = mapping
    nextKeys = Lock(ByEntity(repeating: nil, count: mapping.schema.entities.count))
    wordTriggers = mapping.isNative ? WordTables(mapping).triggers : []
    self.reflected = reflected
    self.url = url
    self.isReadOnly = isReadOnly
    self.coreData = coreData
    self.path = path ?? url?.path ?? "the store in memory"
    opened = url.flatMap { FileIdentity($0.path) }
    logPath = FileIdentity.realPath(self.path) + "-wal"
    // The reader has already opened it.
    log = Lock(sideFiles?.hasLog ?? false ? FileIdentity(logPath) : nil)
    self.reader = reader
    let isImmutable = sideFiles?.isReadAsImmutable ?? false
    if let url, !isImmutable {
      let tables = TableGuard(
        mapping, reflected?.tables, path: self.path, version: schemaVersion)
      pointReader = PointReader(path: url.path, tables: tables, trace: trace)
      rangeReader = RangeReader(path: url.path, tables: tables, trace: trace)
      self.tables = tables
    } else {
      (pointReader, rangeReader, tables) = (nil, nil, nil)
    }
    self.writer = Lock(writer)
    if case .borrowed = writer { isBorrowed = true } else { isBorrowed = false }
    self.sideFiles = sideFiles
    self.synchronous = synchronous
    self.isUnderConstruction = isUnderConstruction
    self.trace = trace
    self.rowSource = rowSource
    lastPlacement = Lock(schemaVersion)
    if case .open(let connection) = writer, !isReadOnly {
      // If this fails, every row is compared.
      try? connection.writeWithoutTransaction { try self.beginSharing($0) }
    }
    // From here on, writes by others are noticed; if this fails, so does everything else. A snapshot never
    // changes.
    if path == nil, let watcher {
      _ = try? seenVersions.withLock { try $0.check(writer: openedWriter, watcher: watcher) }
    }
    // The pool opens its first connection for reading, which takes as long as finding fifty rows in a small
    // table.
    if watcher != nil { _ = try? read { _ in } }
  }

  /// The mapping between entities and tables; without indexes of words that another process has dropped.
  package var mapping: SchemaMapping {
    // Avoids copying the whole when a part of it is needed: imports use it for each row.
    if let tables, !tables.words.areThere { return tables.words.mappingWithout }
    return complete
  }

  package var schema: Schema { complete.schema }

  /// Runs `body` on a reading connection, in a transaction of its own.
  func read<T>(_ body: (Database) throws -> T) throws -> T {
    try requireOpen()
    do {
      if isBorrowed { return try reader.unsafeReentrantRead(body) }
      return try repairing { try reader.read { try onKnownTables($0, body) } }
    } catch let error as DatabaseError {
      throw storeError(error)
    }
  }

  /// Runs `body` again if it could not read because another program ended in the middle of a save.
  func repairing<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError where HotJournal.isCause(of: error) {
      try HotJournal.rollBack(path)
      return try body()
    }
  }

  /// Runs `body` on the writing connection, outside of any transaction.
  ///
  /// - Throws: `StoreError.replaced`, `.removed` or `.logRemoved` when the save would be lost.
  func write<T>(_ body: (Database) throws -> T) throws -> T {
    try requireSameFile()
    let writer = try openWriter()
    do {
      if isBorrowed { return try writer.unsafeReentrantWrite(body) }
      return try writer.writeWithoutTransaction { database in
        try rememberLog(of: database)
        return try body(database)
      }
    } catch let error as DatabaseError {
      throw storeError(error)
    }
  }

  /// A closed GRDB queue does not report that it is closed, so the store does.
  func requireOpen() throws {
    if isClosed.load(ordering: .sequentiallyConsistent) { throw StoreError.closed(path: path) }
  }

  package var isCoreData: Bool { coreData != nil }

  /// Whether entities are those of a Core Data store's model, and not just its tables.
  var hasCoreDataModel: Bool {
    isCoreData && complete.entities.allSatisfy { $0.hiddenKey != nil }
  }

  /// - Throws: `StoreError` with the reason why saving is impossible.
  func requireWritable() throws {
    if isCoreData { throw StoreError.coreData(path: path) }
    if isReadOnly { throw StoreError.readOnly(path: path) }
  }

  /// Whether someone else's changes can be seen at all: not in a file that was opened as immutable.
  var isWatchable: Bool { !(sideFiles?.isReadAsImmutable ?? false) }

  /// The connection that shows whether others have committed, while there is no saving one: the pool's
  /// writing connection, which never writes. nil if someone else's changes cannot be seen.
  var watcher: (any DatabaseWriter)? {
    url != nil && isWatchable ? reader as? DatabasePool : nil
  }

  /// The saving connection, if it is open.
  var openedWriter: (any DatabaseWriter)? {
    writer.withLock { writer in
      if case .open(let connection) = writer, !isReadOnly { return connection }
      return nil
    }
  }

  private func openWriter() throws -> any DatabaseWriter {
    try requireWritable()
    return try writer.withLock { writer in
      switch writer {
      case .open(let connection), .borrowed(let connection): return connection
      case .closed: throw StoreError.closed(path: path)
      case .notYetOpen:
        let connection = try Connections.writer(
          at: path, mapping: mapping, synchronous: synchronous, trace: trace)
        // If this fails, every row is compared.
        try? connection.writeWithoutTransaction { try beginSharing($0) }
        if let watcher {
          // If this fails, the first save counts as foreign, and is read once too often.
          let isForeign = try? seenVersions.withLock {
            try $0.begin(connection, watcher: watcher)
          }
          if isForeign ?? true { markShared() }
        }
        writer = .open(connection)
        return connection
      }
    }
  }

  /// Closes all connections; removes side files that did not exist before, if no other process has the file
  /// open. Reading and saving throw `StoreError.closed` from now on. Does nothing the second time.
  package func close() throws {
    // The owner of the transaction ends it.
    if isBorrowed { return }
    if isClosed.exchange(true, ordering: .sequentiallyConsistent) { return }
    let former = writer.withLock { writer in
      defer { writer = .closed }
      return writer
    }
    if case .closed = former { return }
    do {
      try pointReader?.close()
      try rangeReader?.close()
      try reader.close()
      // Only a connection that may write removes the log, so it closes last.
      if case .open(let saving) = former, saving !== reader {
        if mapping.isNative {
          // Other processes may be reading; pages that cannot be moved into the file now stay in the log.
          _ = try? saving.writeWithoutTransaction {
            try Checkpointing.ofLibrary.moveLog($0, timeout: Connections.savingLockTimeout)
          }
          if isUnderConstruction { try saving.writeWithoutTransaction(Connections.useLog) }
        }
        try saving.close()
      }
      sideFiles?.tidyUp()
    } catch let error as DatabaseError {
      throw storeError(error)
    }
  }

  /// An error of SQLite as a sentence about this file.
  func storeError(_ error: DatabaseError) -> any Error {
    if error.resultCode == .SQLITE_MISUSE, error.message == "Connection is closed" {
      return StoreError.closed(path: path)
    }
    // A file that was replaced together with its log is not damaged.
    if [.SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      do {
        try requireSameFile()
      } catch {
        return error
      }
    }
    return StoreError(error, path: path)
  }
}
