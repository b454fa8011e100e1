import DatastoreCore
import Foundation
import Synchronization

/// One store and the contexts over it: the only way a save takes, so that every context hears of
/// saves in the order of their commits.
final class StoreCoordinator: Sendable {
  let store: any StoreEngine
  let types: ModelTypes
  /// Whether touching an object outside its context traps.
  let checksAccess: Bool
  /// Called when a value cannot be read because the store fails.
  let faultFailed: @Sendable (any Error) -> Void
  /// Receives the events.
  let log: EventLog
  private let temporaryFile: URL?
  private let receivers = Lock<[WeakReceiver]>([])
  /// Held from a commit until every context has been handed its changes; no thread waits for a context
  /// while holding it.
  private let saveLock = NSLock()
  /// How often the store was written; changed under the save lock.
  private let commits = Atomic<Int>(0)
  /// The states that contexts keep reading, so that they can be closed.
  private let snapshots = Lock<[WeakSnapshot]>([])

  /// - Parameter temporaryFile: a file that is deleted when the store is no longer used.
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
    OpenStores.remove(store)
    // Who wants to know whether closing fails calls `close()`; everything saved is safe either way. States
    // that contexts still read are closed first: the log would be waited for else.
    try? close()
    if let temporaryFile { Self.removeTemporaryStore(at: temporaryFile) }
  }

  /// Deletes a store for tests with everything that lies in its directory, which is its own.
  static func removeTemporaryStore(at url: URL) {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  /// Writes a packed save, settles the graph it came from, and hands the changes to the others.
  ///
  /// - Parameter isStopped: asked again and again while rows are written; nothing is when it says yes.
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

  /// Writes to the store. Where only some of several stores are written, every context reads again what it
  /// shows; what is staged stays staged.
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

  /// The state that was just written, for contexts that keep to one; nil where there are none, or where it
  /// cannot be kept. The writer has it right away.
  private func leaveSnapshot(to sender: ReceiverID?) -> (any StoreSnapshot)? {
    let all = receivers.withLock { $0 }
    guard all.contains(where: { $0.receiver?.inbox.isPinned ?? false }) else { return nil }
    let snapshot = try? store.snapshot()
    if let snapshot { snapshots.withLock { $0.append(WeakSnapshot(store: snapshot)) } }
    for receiver in all where receiver.id === sender { receiver.receiver?.inbox.leave(snapshot) }
    return snapshot
  }

  /// Makes a context read the state that the store has now, and no other until it takes in its inbox.
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

  /// Closes the store and everything that was read of it.
  func close() throws {
    for snapshot in snapshots.withLock({ $0 }) { snapshot.store?.closeSnapshot() }
    try store.close()
  }

  private func nextCommit() -> Int { commits.add(1, ordering: .relaxed).newValue }

  /// Writes a packed save on the calling thread, for a graph that lives on the main queue.
  ///
  /// - Parameters:
  ///   - draft: what the others merge, but for the store's answer.
  ///   - isStopped: asked again and again while rows are written; nothing is when it says yes.
  ///   - settle: enqueues on the main queue what is to happen before any later save is merged there.
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

  /// Changes the store without a graph, and lets every context know which rows it has changed: the
  /// one it came from at once, the others on their queues.
  ///
  /// - Parameter catchUp: what the context does before it is notified, where it is pinned.
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
    // Not under the lock, since observers may do anything.
    if !changed.isEmpty { graph.refresh(changed) }
    return result
  }

  /// Runs what writes, under the lock. Where only some of several stores are written, the graph reads again,
  /// too.
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

  /// Checks whether another process has written the store; if so, every context takes in what it has changed,
  /// or reads everything again where that is not known.
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

  /// What a check for changes by other processes has found.
  enum ExternalCheck {
    case nothing
    /// It is known which rows were changed.
    case rows
    /// Any row may have been changed.
    case everything
  }

  /// Notifies the other contexts that from now on rows may be newer than what they were notified of.
  ///
  /// - Returns: ends that; to be called when they have been handed what was written.
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

/// A context, as the coordinator sees it.
protocol MergeReceiver: AnyObject, Sendable {
  /// What it has still to take in.
  var inbox: MergeInbox { get }

  /// Merges what another context has saved, and what triggers have changed with it, later, on its own
  /// queue or actor. Does not wait.
  ///
  /// - Parameter snapshot: the state of the store with the save, for a context that is pinned.
  func enqueueMerge(_ saved: SavedChanges, leaving snapshot: (any StoreSnapshot)?)

  /// Takes in that rows were changed in the store without a graph, later, on its own queue or actor.
  /// Does not wait.
  func enqueueRefresh(
    _ changed: MergedKeys, from source: ChangeSource, leaving snapshot: (any StoreSnapshot)?)

  /// Someone else is about to write the store.
  ///
  /// - Returns: whether `writingEnds()` is to follow when the changes have been handed over.
  func writingBegins() -> Bool

  /// What someone else has written, if anything, has been handed over.
  func writingEnds()

  /// The number of the last change of another process that was handed over, if all of them are merged; nil
  /// where there is none.
  var followedAndMerged: Int? { get }

  /// The store had nothing newer when a question began for which `followedAndMerged` was that.
  func othersAreQuiet(since last: Int)
}

extension MergeReceiver {
  func writingBegins() -> Bool { false }
  func writingEnds() {}
  var followedAndMerged: Int? { nil }
  func othersAreQuiet(since last: Int) {}
}

/// Tells one context from another.
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
  /// How the wrappers of objects whose class inherits properties number themselves.
  let slotBlocks: ByEntity<SlotBlocks?>
  /// Slots with a closure that makes the value of each new object.
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

  /// Dynamic objects only.
  init(dynamic schema: Schema) {
    types = ByEntity(repeating: nil, count: schema.entities.count)
    slotBlocks = []
    initialValues = ByEntity(repeating: [], count: schema.entities.count)
    indexByType = [:]
  }

  /// Whether the objects of the entity of that name are of that class, or of one that inherits from it.
  /// O(1).
  func isExactly(_ type: DatastoreObject.Type, _ name: String, in schema: Schema) -> Bool {
    guard let index = schema.entity(named: name)?.index else { return false }
    return (types[index] ?? DynamicObject.self) == type
  }

  /// The entity of a class, or nil when it is not part of the model. O(1).
  func index(of type: DatastoreObject.Type) -> EntityIndex? {
    indexByType[ObjectIdentifier(type)]
  }
}
