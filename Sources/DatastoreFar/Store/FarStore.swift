package import DatastoreCore
import Foundation

/// A store at the other end of a line.
///
/// `FarDescription`, which arrives when the store is opened, has everything that is needed often and cannot
/// change while it is open, such as the names of tables. Everything else is a call, and waits for a round
/// trip.
package final class FarStore: StoreEngine, FarReader {
  let connection: FarConnection
  /// The name of the store in messages: its address.
  package let name: String
  package let schema: Schema
  package var number: UInt32? { nil }
  package var line: FarLine { connection.line }
  package var description: FarDescription { connection.description }

  /// Unused keys that the far end has made, by root entity.
  private let keys = Lock<[EntityIndex: MadeKeys]>([:])
  /// The values of keys that are not integers in the store.
  private let keyValues = Lock<[EntityIndex: [RowKey: [Value]]]>([:])
  /// A save whose answer was lost.
  let doubt = Lock<FarDoubt?>(nil)
  /// The greatest number of keys to request at once; requests double up to it.
  private static let mostKeys = 256

  private struct MadeKeys {
    var made: [RowKey]
    let last: RowKey
    /// The number of keys to request the next time.
    let count: Int
  }

  /// Opens the store at the other end of a line.
  ///
  /// - Parameters:
  ///   - connecting: opens another line if this one has ended; nil if that is impossible.
  ///   - ifMissing: runs when no program is found at the end of a line; then one more line is tried.
  /// - Throws: errors of opening the store there; `StoreError.connectionLost`; `FarProgramMissing`.
  package init(
    _ line: FarLine, _ options: FarOptions,
    connecting: (@Sendable () throws -> FarLine)? = nil,
    ifMissing: (@Sendable () -> Void)? = nil
  ) throws {
    name = line.name
    connection = try FarConnection(line, options, connecting, ifMissing)
    do {
      schema = try connection.description.checkedSchema()
    } catch {
      connection.close()
      throw error
    }
    connection.onReopening { [weak self] in try self?.reserveKeys(over: $0) }
  }

  /// Identifies the store, whatever line leads to it: its UUID, or else its name.
  package var storeIdentity: String { description.uuid ?? name }

  package func close() throws { connection.close() }

  // Keys.

  package func makeKey(entity: EntityIndex) throws -> RowKey {
    let root = schema.entities[entity].root
    if let key = keys.withLock({ $0[root]?.made.popLast() }) { return key }
    let count = keys.withLock { $0[root]?.count } ?? 1
    let new = try ask(MakeKeysCall(entity: entity, count: count)).keys
    guard let key = new.first, let last = new.max() else {
      throw StoreError.connectionLost(server: name, detail: "no keys were made")
    }
    keys.withLock { keys in
      let made = Array(new.dropFirst().reversed()) + (keys[root]?.made ?? [])
      keys[root] = MadeKeys(made: made, last: last, count: min(count * 2, Self.mostKeys))
    }
    return key
  }

  /// Keeps a restarted far end from making keys that objects here have.
  private func reserveKeys(over line: FarLine) throws {
    for (root, keys) in keys.withLock({ $0 }) {
      _ = try line.call(ReserveCall(entity: root, keys: FarKeys([keys.last])))
    }
  }

  package func makeKey(entity: EntityIndex, besides key: RowKey) throws -> RowKey {
    try ask(MakeKeyBesidesCall(entity: entity, key: key))
  }

  package func reserve(_ reserved: [RowKey], entity: EntityIndex) throws {
    _ = keys.withLock { $0.removeValue(forKey: schema.entities[entity].root) }
    _ = try ask(ReserveCall(entity: entity, keys: FarKeys(reserved)))
  }

  package func keySlot(of entity: EntityIndex) -> Slot? { description.tables[entity].keySlot }

  package func keyValues(entity: EntityIndex, key: RowKey) -> [Value]? {
    if description.tables[entity].information.hasRowids, !DanglingKey.isOne(key) { return nil }
    if let known = keyValues.withLock({ $0[entity]?[key] }) { return known }
    guard let found = try? ask(KeyValuesCall(entity: entity, keys: [key])).first, let found else {
      return nil
    }
    keyValues.withLock { $0[entity, default: [:]][key] = found }
    return found
  }

  package func key(entity: EntityIndex, values: [Value]) -> RowKey? {
    if description.tables[entity].information.hasRowids, !(values.first?.isNull ?? false) {
      return nil
    }
    return (try? ask(KeyCall(entity: entity, values: values, isNew: false))).flatMap { $0 }
  }

  package func key(ofNew entity: EntityIndex, values: (_ slot: Slot) -> Value) -> RowKey? {
    let table = description.tables[entity]
    if table.information.hasRowids { return table.keySlot.flatMap { values($0).key } }
    guard schema.entities[entity].slots.contains(where: { table.properties[$0].isKeyPart }) else {
      return nil
    }
    let row = schema.entities[entity].slots.map(values)
    return (try? ask(KeyCall(entity: entity, values: row, isNew: true))).flatMap { $0 }
  }

  // Changes by others.

  package func externalChanges() throws -> [ExternalChange] {
    if connection.isQuiet() { return [] }
    let changes = try ask(ExternalChangesCall())
    // That call may have opened a new line.
    if connection.takeMissedChanges() { return [.anything] }
    do {
      return try changes.map { try $0.change(of: schema) }
    } catch let fault as FarLineFault {
      throw StoreError.connectionLost(server: name, detail: fault.description)
    }
  }

  package func listen(_ told: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? {
    connection.listen(told)
    return FarListener(connection)
  }

  package func haveTablesChanged() throws -> Bool { try ask(TablesChangedCall()) }

  /// Sets the closure to run whenever the far end stops answering for a second, or answers again. It runs on
  /// a thread of the line, and must not use the store.
  package func onAnswering(_ told: (@Sendable (_ isAnswering: Bool) -> Void)?) {
    connection.onAnswering(told)
  }

  package func markShared() { _ = try? ask(MarkSharedCall()) }

  package func snapshot() throws -> (any StoreSnapshot)? {
    let line = line
    let number = line.makeNumber()
    guard try line.call(SnapshotCall(number: number)) else { return nil }
    return FarSnapshot(self, line, number)
  }

  package var snapshotRefusal: String { description.snapshotRefusal }
}

/// Listens for changes by others until it is released.
private final class FarListener: Sendable {
  private let connection: FarConnection

  init(_ connection: FarConnection) {
    self.connection = connection
  }

  deinit { connection.listen(nil) }
}

/// A snapshot of a store at the other end of a line.
private final class FarSnapshot: StoreSnapshot, FarReader {
  let line: FarLine
  let description: FarDescription
  let schema: Schema
  let number: UInt32?
  private let isClosed = Lock(false)

  init(_ store: FarStore, _ line: FarLine, _ number: UInt32) {
    self.line = line
    description = store.description
    schema = store.schema
    self.number = number
  }

  deinit { closeSnapshot() }

  func makeKey(entity: EntityIndex) throws -> RowKey { throw StoreError.readOnly(path: line.name) }

  func save(_ changes: ChangeSet) throws -> SaveResult {
    throw StoreError.readOnly(path: line.name)
  }

  func closeSnapshot() {
    let wasClosed = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    if !wasClosed, let number { line.end(number) }
  }
}
