import DatastoreCore
import Foundation
import Synchronization

/// One store and its contexts. All saves go through it, so that every context is notified of them in the
/// order of their commits.
final class StoreCoordinator: Sendable {
  let store: any StoreEngine
  let types: ModelTypes
  /// Whether touching an object outside its context traps.
  let checksAccess: Bool
  /// Called when the store fails while a value is read.
  let faultFailed: @Sendable (any Error) -> Void
  /// Records the events.
  let log: EventLog
  private let temporaryFile: URL?
  private let receivers = Lock<[WeakReceiver]>([])
  /// Held from a commit until every context has received its changes; no thread waits for a context while
  /// holding it.
  private let saveLock = NSLock()
  /// The number of writes to the store; changed under the save lock.
  private let commits = Atomic<Int>(0)
  /// The states that contexts keep reading, for closing them.
  private let snapshots = Lock<[WeakSnapshot]>([])

  /// - Parameter temporaryFile: a file to delete when the store is no longer used.
  init(
    store: any StoreEngine, types: ModelTypes, checksAccess: Bool, temporaryFile: URL?,
    log: EventLog = EventLog(nil, path: nil), faultFailed: @escaping @Sendable (any Error) -> Void
  ) {
    self.store = store
    self.types = types
    self.checksAccess = checksAccess
    self.log = log
    self.faultFailed = { error in
      log(.error, .failed(.readingValue, error))
      faultFailed(error)
    }
    self.temporaryFile = temporaryFile
    OpenStores.add(store)
  }

  deinit {
    // Callers that need to know whether closing fails call `close()`; all saved data is safe either way.
    // Closes first the states that contexts still read: closing would otherwise wait for the log.
    try? close()
    if let temporaryFile { Self.removeTemporaryStore(at: temporaryFile) }
  }

  /// Deletes a store for tests with its directory, which holds nothing else.
  static func removeTemporaryStore(at url: URL) {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  /// Writes a packed save, settles the graph it came from, and hands the changes to the other contexts.
  ///
  /// - Parameter isStopped: called again and again while rows are written; if it returns true, nothing is
  ///   written.
  func save(
    _ pending: PendingSave, of graph: ObjectGraph, from sender: ReceiverID, origin: SaveOrigin,
    unless isStopped: (@Sendable () -> Bool)?
  ) throws -> SavedChanges {
    let start = log.now(.notice)
    let saved = try saveLock.withLock {
      let endWriting = beginWriting(by: sender)
      defer { endWriting() }
      let result = try write(pending.changes, from: origin, unless: isStopped)
      let saved = graph.completeSave(pending, result, from: origin, commit: nextCommit())
      notify(saved, from: sender, leaving: leaveSnapshot(to: sender))
      return saved
    }
    log(.notice, .saved(saved), since: start)
    return saved
  }

  /// Writes to the store. If only some of several stores were written, every context reads its objects again;
  /// staged changes stay staged.
  private func write(
    _ changes: ChangeSet, from origin: SaveOrigin, unless isStopped: (@Sendable () -> Bool)?
  ) throws -> SaveResult {
    try refreshingWhatIsSavedInPart {
      try SaveOrigin.$current.withValue(origin) {
        try store.save(changes, unless: isStopped)
      }
    }
  }

  private func refreshingWhatIsSavedInPart<Result>(_ write: () throws -> Result) throws -> Result {
    do {
      return try write()
    } catch let error as StoreError where error.isSavedInPart {
      let snapshot = leaveSnapshot(to: nil)
      for receiver in receivers.withLock({ $0 }) {
        receiver.receiver?.enqueueRefresh(
          .everything, from: .otherContext(author: nil), leaving: snapshot)
      }
      throw error
    }
  }

  /// Hands a save to all contexts but the one that saved.
  private func notify(
    _ saved: SavedChanges, from sender: ReceiverID, leaving snapshot: (any StoreSnapshot)?
  ) {
    for receiver in receivers.withLock({ $0 }) where receiver.id !== sender {
      receiver.receiver?.enqueueMerge(saved, leaving: snapshot)
    }
  }

  /// The state that was just written, for pinned contexts; nil if there are none, or if it cannot be kept.
  /// The writer receives it at once.
  private func leaveSnapshot(to sender: ReceiverID?) -> (any StoreSnapshot)? {
    let all = receivers.withLock { $0 }
    guard all.contains(where: { $0.receiver?.inbox.isPinned ?? false }) else { return nil }
    let snapshot = try? store.snapshot()
    if let snapshot { snapshots.withLock { $0.append(WeakSnapshot(store: snapshot)) } }
    for receiver in all where receiver.id === sender { receiver.receiver?.inbox.leave(snapshot) }
    return snapshot
  }

  /// Makes a context read the current state of the store, and no other until it merges its inbox.
  ///
  /// - Throws: `QueryGenerationError`, or `StoreError` when SQLite fails.
  func pin(_ inbox: MergeInbox) throws {
    try saveLock.withLock {
      guard let snapshot = try store.snapshot() else {
        throw QueryGenerationError(path: store.url?.path, description: store.snapshotRefusal)
      }
      snapshots.withLock { stores in
        stores.removeAll { $0.store == nil }
        stores.append(WeakSnapshot(store: snapshot))
      }
      inbox.pin(snapshot)
    }
  }

  /// Closes the store and all states read from it. Identifiers no longer find it by its name.
  func close() throws {
    OpenStores.remove(store)
    for snapshot in snapshots.withLock({ $0 }) { snapshot.store?.closeSnapshot() }
    try store.close()
  }

  private func nextCommit() -> Int { commits.add(1, ordering: .relaxed).newValue }

  /// Writes a packed save on the calling thread, for a graph that lives on the main queue.
  ///
  /// - Parameters:
  ///   - draft: the changes that the others merge, without the store's answer.
  ///   - isStopped: called again and again while rows are written; if it returns true, nothing is written.
  ///   - settle: enqueues, on the main queue, the work to do before any later save is merged there.
  func save(
    _ changes: ChangeSet, _ draft: SavedChanges, from sender: ReceiverID,
    unless isStopped: @escaping @Sendable () -> Bool,
    settle: @escaping @Sendable (SaveResult) -> Void
  ) throws {
    let start = log.now(.notice)
    try saveLock.withLock {
      let endWriting = beginWriting(by: sender)
      defer { endWriting() }
      let result = try write(changes, from: draft.origin, unless: isStopped)
      let snapshot = leaveSnapshot(to: sender)
      settle(result)
      notify(
        SavedChanges(draft, result, commit: nextCommit()), from: sender, leaving: snapshot)
    }
    log(.notice, .saved(draft), since: start)
  }

  /// Changes the store without a graph, and notifies every context of the changed rows: the calling context
  /// at once, the others on their queues.
  ///
  /// - Parameter catchUp: the work of a pinned context before it is notified.
  func batch<Result>(
    of graph: ObjectGraph, from sender: ReceiverID, origin: SaveOrigin, catchUp: () -> Void,
    _ body: (any StoreEngine) throws -> (MergedKeys, Result)
  ) throws -> Result {
    let start = log.now(.notice)
    let (changed, result) = try readingWhatIsSavedInPart(graph) {
      let endWriting = beginWriting(by: sender)
      defer { endWriting() }
      let (changed, result) = try refreshingWhatIsSavedInPart {
        try SaveOrigin.$current.withValue(origin) { try body(store) }
      }
      let snapshot = leaveSnapshot(to: sender)
      if !changed.isEmpty {
        for receiver in receivers.withLock({ $0 }) where receiver.id !== sender {
          receiver.receiver?.enqueueRefresh(
            changed, from: origin.source, leaving: snapshot)
        }
      }
      return (changed, result)
    }
    log(.notice, .changedMany(rows: changed.rowCount, author: origin.author), since: start)
    catchUp()
    // Not under the lock, since observers may call anything.
    if !changed.isEmpty { graph.refresh(changed) }
    return result
  }

  /// Runs a write under the lock. If only some of several stores were written, the graph also reads its
  /// objects again.
  private func readingWhatIsSavedInPart<Result>(
    _ graph: ObjectGraph, _ write: () throws -> Result
  ) throws -> Result {
    do {
      return try saveLock.withLock(write)
    } catch let error as StoreError where error.isSavedInPart {
      graph.refresh(.everything)
      throw error
    }
  }

  /// Changes the store outside of any context, and notifies every context of the changed rows.
  func write<Result>(
    _ body: (any StoreEngine) throws -> (MergedKeys, Result)
  ) throws -> Result {
    let start = log.now(.notice)
    let (changed, result) = try saveLock.withLock {
      let endWriting = beginWriting(by: ReceiverID())
      defer { endWriting() }
      let (changed, result) = try body(store)
      let snapshot = leaveSnapshot(to: nil)
      for receiver in receivers.withLock({ $0 }) where !changed.isEmpty {
        receiver.receiver?.enqueueRefresh(
          changed, from: .otherContext(author: nil), leaving: snapshot)
      }
      return (changed, result)
    }
    log(.notice, .changedMany(rows: changed.rowCount, author: nil), since: start)
    return result
  }

  /// Checks whether another process has written the store. If so, every context merges the changed rows, or
  /// reads everything again when these are not known.
  func checkForExternalChanges() throws -> ExternalCheck {
    let check = try saveLock.withLock { () -> ExternalCheck in
      let all = receivers.withLock { $0 }
      let merged = all.map { ($0.receiver, $0.receiver?.followedAndMerged) }
      let changes = try store.externalChanges()
      if changes.isEmpty {
        for case (let receiver?, let last?) in merged { receiver.othersAreQuiet(since: last) }
        return .nothing
      }
      let snapshot = leaveSnapshot(to: nil)
      for receiver in all {
        for change in changes {
          receiver.receiver?.enqueueRefresh(
            change.keys, from: .otherProcess(author: change.author), leaving: snapshot)
        }
      }
      return changes.contains { !$0.keys.isEverything } ? .rows : .everything
    }
    if check != .nothing { log(.notice, .changedByOtherProcess) }
    return check
  }

  /// The result of a check for changes by other processes.
  enum ExternalCheck {
    case nothing
    /// The changed rows are known.
    case rows
    /// Any row may have been changed.
    case everything
  }

  /// Notifies the other contexts that from now on rows may be newer than the changes they have received.
  ///
  /// - Returns: a closure that ends this; call it when the contexts have received the changes.
  private func beginWriting(by sender: ReceiverID) -> () -> Void {
    let others = receivers.withLock { $0 }.filter { $0.id !== sender }.compactMap(\.receiver)
      .filter { $0.writingBegins() }
    return { for receiver in others { receiver.writingEnds() } }
  }

  func add(_ receiver: any MergeReceiver, id: ReceiverID) {
    receivers.withLock { $0.append(WeakReceiver(id: id, receiver: receiver)) }
  }

  func remove(_ id: ReceiverID) {
    receivers.withLock { $0.removeAll { $0.id === id } }
  }
}

/// The coordinator's view of a context.
protocol MergeReceiver: AnyObject, Sendable {
  /// Changes that the context has not merged yet.
  var inbox: MergeInbox { get }

  /// Merges later, on its own queue or actor, a save of another context and the changes of its triggers. Does
  /// not wait.
  ///
  /// - Parameter snapshot: the state of the store with the save, for a pinned context.
  func enqueueMerge(_ saved: SavedChanges, leaving snapshot: (any StoreSnapshot)?)

  /// Applies later, on its own queue or actor, changes of rows that were made in the store without a graph.
  /// Does not wait.
  func enqueueRefresh(
    _ changed: MergedKeys, from source: ChangeSource, leaving snapshot: (any StoreSnapshot)?)

  /// Someone else is about to write the store.
  ///
  /// - Returns: whether to call `writingEnds()` once the changes have been handed over.
  func writingBegins() -> Bool

  /// The changes of someone else, if any, have been handed over.
  func writingEnds()

  /// The number of the last change of another process that was handed over, if all of them are merged; nil if
  /// there is none.
  var followedAndMerged: Int? { get }

  /// The store had nothing newer when a check began, at which `followedAndMerged` was `last`.
  func othersAreQuiet(since last: Int)
}

extension MergeReceiver {
  func writingBegins() -> Bool { false }
  func writingEnds() {}
  var followedAndMerged: Int? { nil }
  func othersAreQuiet(since last: Int) {}
}

/// The identity of a context.
final class ReceiverID: Sendable {}

private struct WeakSnapshot: Sendable {
  weak let store: (any StoreSnapshot)?
}

private struct WeakReceiver: Sendable {
  let id: ReceiverID
  weak let receiver: (any MergeReceiver)?
}

/// The class of each entity.
struct ModelTypes: Sendable {
  /// nil for entities without a compiled class.
  let types: ByEntity<DatastoreObject.Type?>
  /// The slot numbering for objects whose class inherits properties.
  let slotBlocks: ByEntity<SlotBlocks?>
  /// Slots with a closure that makes their value for each new object.
  let initialValues: ByEntity<[(Slot, @Sendable () -> Value)]>
  private let indexByType: [ObjectIdentifier: EntityIndex]

  init(_ model: SwiftDatastoreModel) {
    types = ByEntity(model.reflections.map(\.type))
    slotBlocks = ByEntity(model.reflections.map(\.slotBlocks))
    initialValues = ByEntity(
      model.reflections.map { reflection in
        reflection.records.placed.compactMap { slot, record in
          guard case .attribute(let attribute) = record, let initial = attribute.initial else {
            return nil
          }
          return (slot, initial)
        }
      })
    indexByType = Dictionary(
      model.reflections.enumerated().map { (ObjectIdentifier($1.type), EntityIndex($0)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// For dynamic objects only.
  init(dynamic schema: Schema) {
    types = ByEntity(repeating: nil, count: schema.entities.count)
    slotBlocks = []
    initialValues = ByEntity(repeating: [], count: schema.entities.count)
    indexByType = [:]
  }

  /// Whether the objects of an entity are instances of a class, or of one that inherits from it. O(1).
  func isExactly(_ type: DatastoreObject.Type, _ name: String, in schema: Schema) -> Bool {
    guard let index = schema.entity(named: name)?.index else { return false }
    return (types[index] ?? DynamicObject.self) == type
  }

  /// The entity of a class, or nil when it is not part of the model. O(1).
  func index(of type: DatastoreObject.Type) -> EntityIndex? {
    indexByType[ObjectIdentifier(type)]
  }
}
