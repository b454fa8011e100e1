package import DatastoreCore
package import DatastoreSQL
package import Foundation
import GRDB
import SQLiteFiles
import Synchronization

/// A SQLite file as an object store.
///
/// Reads may run at the same time as each other and as one save; a save waits for the one before.
/// All methods block; call them from any thread, but not from inside one another.
package final class SQLiteStore: SQLStore, StoreSnapshot {
  /// The mapping with all indexes of words. What is asked for each row and has nothing to do with those asks
  /// this one, as `mapping` is copied.
  let complete: SchemaMapping
  /// What the mapping was made from; nil for files of our own.
  let reflected: ReflectedTables?
  /// The file; nil for a store in memory.
  package let url: URL?
  /// Whether saving is refused.
  package let isReadOnly: Bool
  /// What is known of it where Core Data has made the file, which is why saving is refused then.
  let coreData: CoreDataContents?
  let path: String
  let reader: any DatabaseReader
  /// Reads single rows; nil in memory, where there is one connection for everything.
  let pointReader: PointReader?
  /// Reads with several connections. Whole tables only of our own files, which are in WAL mode: there many
  /// may read for long without keeping anyone from saving.
  let rangeReader: RangeReader?
  /// The file as it was opened; nil in memory.
  let opened: FileIdentity?
  /// Where the log of a file in WAL mode lies, and which file it is, since a connection uses it.
  let logPath: String
  let log: Lock<FileIdentity?>
  private let writer: Lock<Writer>
  private let isClosed = Atomic<Bool>(false)
  /// What is tidied up at the end.
  private let sideFiles: SideFiles?
  private let synchronous: Synchronous
  /// Whether the file is put into WAL mode when it is closed, and not before.
  private let isUnderConstruction: Bool
  /// Whether everything happens inside of a transaction that someone else has begun, on the thread on which
  /// it was: reading sees what has been written in it, and saving is a part of it.
  let isBorrowed: Bool
  let trace: SQLTrace?
  /// What the rows are read from; nil where the store has them.
  let rowSource: (any RowSource)?
  /// What has been seen of other processes that write the file.
  let seenVersions = Lock(ExternalChanges())
  /// Whether keys may lead to other rows by now: see `isShared`.
  let sharing = Atomic<Bool>(false)
  /// `PRAGMA data_version` of the connection that saves, before anyone else could be seen to write.
  let ownVersion = Lock<Int64?>(nil)
  /// Looks whether the tables are still those of the mapping; nil where no one else can change them.
  let tables: TableGuard?
  /// The triggers that keep indexes of words, in lower case.
  let wordTriggers: Set<String>
  /// See `placement`.
  let lastPlacement: Lock<Int64?>
  /// The tables that have third-party triggers, in lower case, and the version of the schema that has them.
  let triggers = Lock<(version: Int64, tables: Set<String>)?>(nil)
  /// The statements of saves.
  let saveForms = Lock(SaveForms())
  /// The next keys by root entity, for entities with rowids; nil until first asked for.
  let nextKeys: Lock<ByEntity<RowKey?>>

  /// The connection that saves.
  enum Writer: Sendable {
    case open(any DatabaseWriter)
    /// Opened by the first save: looking at a file does not write it.
    case notYetOpen
    /// Inside of a transaction on the thread of that connection, which someone else ends.
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
    // The reader has opened it by now.
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
      // Where this fails, every row is compared.
      try? connection.writeWithoutTransaction { try self.beginSharing($0) }
    }
    // From here on, what others write is noticed; where this fails, so does everything else. A snapshot
    // never changes.
    if path == nil, let watcher {
      _ = try? seenVersions.withLock { try $0.check(writer: openedWriter, watcher: watcher) }
    }
    // The pool opens its first connection for reading, which takes as long as finding fifty rows in a small
    // table.
    if watcher != nil { _ = try? read { _ in } }
  }

  /// How entities meet tables; without indexes of words where another process has dropped them.
  package var mapping: SchemaMapping {
    // Without a copy of the whole where a part of it is asked for: imports ask for each row.
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

  /// Runs `body` again when it could not read because another program has ended in the middle of a save.
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
  /// - Throws: `StoreError.replaced`, `.removed` or `.logRemoved` when what is saved would be lost.
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

  /// A closed GRDB queue does not notice that it is, so the store does.
  func requireOpen() throws {
    if isClosed.load(ordering: .sequentiallyConsistent) { throw StoreError.closed(path: path) }
  }

  package var isCoreData: Bool { coreData != nil }

  /// Whether entities are those of the model of a Core Data store, and not just its tables.
  var hasCoreDataModel: Bool {
    isCoreData && complete.entities.allSatisfy { $0.hiddenKey != nil }
  }

  /// - Throws: `StoreError` with the reason why nothing can be saved.
  func requireWritable() throws {
    if isCoreData { throw StoreError.coreData(path: path) }
    if isReadOnly { throw StoreError.readOnly(path: path) }
  }

  /// Whether someone else's changes can be seen at all: not in a file that was opened as unchangeable.
  var isWatchable: Bool { !(sideFiles?.isReadAsImmutable ?? false) }

  /// The connection that shows whether others have committed, while there is none that saves: the one by
  /// which the pool would write, and never does. nil where someone else's changes cannot be seen.
  var watcher: (any DatabaseWriter)? {
    url != nil && isWatchable ? reader as? DatabasePool : nil
  }

  /// The connection that saves, if it is open.
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
        // Where this fails, every row is compared.
        try? connection.writeWithoutTransaction { try beginSharing($0) }
        if let watcher {
          // Where this fails, what is saved first counts as foreign, and is read once too often.
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

  /// Closes all connections; the file is left without side files that it did not have before, when no
  /// other process has it open. Reading and saving throw `StoreError.closed` from now on. Does nothing
  /// the second time.
  package func close() throws {
    // Who has begun the transaction ends it.
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
      // Only a connection that may write removes the log, so that one is the last.
      if case .open(let saving) = former, saving !== reader {
        if mapping.isNative {
          // Other processes may be reading; what cannot be moved into the file now stays in the log.
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

  /// What SQLite reports, as a sentence about this file.
  func storeError(_ error: DatabaseError) -> any Error {
    if error.resultCode == .SQLITE_MISUSE, error.message == "Connection is closed" {
      return StoreError.closed(path: path)
    }
    // A file that was replaced underneath, with its log, is not damaged.
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
