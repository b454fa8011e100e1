import DatastoreCore
import Dispatch
import Synchronization

/// The context of the user interface, on the main actor.
///
/// It is writable: edits are staged, saved and reverted. What other contexts save is merged into it
/// on the main queue; its own unsaved edits survive that, property by property.
///
/// All that can be done with it is in `ObjectContext`. Its `fetch` and `saveChanges` wait for the store on
/// the main actor: leave long work to other contexts, and long lists to a `FetchedObjectsController`.
@MainActor
public final class SwiftDatastoreViewContext {
  nonisolated let coreBox: ViewContextCore
  /// What wants to hear of changes, in the order of registration.
  private var listeners: [WeakListener] = []
  private var isProcessingScheduled = false
  var changeObservers = ObserverList<ContextChanges>()
  /// Follows the objects that have publishers; made with the first of them.
  var publisherTable: (any ContextListener)?

  /// Whether anyone has ever asked this context for anything; until then there is nothing to merge
  /// into. A program without a user interface would only pile up merges on its main queue.
  private nonisolated let isUsed = Atomic<Bool>(false)

  /// Saves of other contexts that have begun and are not merged yet.
  private nonisolated let unmergedSaves = Atomic<Int>(0)
  /// The number of the last change of another process that has been handed over; 0 when nothing newer is in
  /// the store.
  private nonisolated let followed = Atomic<Int>(0)
  /// Changes of other processes that are handed over and not merged yet.
  private nonisolated let unmergedFollowing = Atomic<Int>(0)
  private var isMerging = false
  /// Whether something that others have saved is being merged, from its first step to its last.
  private var isTakingIn = false

  /// Whether objects may be ahead of what controllers were notified of: another save has begun, and its
  /// merge is still to come, something was staged since, or another process is writing, whose rows are in the
  /// store before anyone hears of them.
  var mayReadAhead: Bool {
    unmergedSaves.load(ordering: .sequentiallyConsistent) > (isMerging ? 1 : 0)
      || followed.load(ordering: .sequentiallyConsistent) != 0 || core.graph.hasPendingChanges
  }

  /// The context's graph and store.
  public var core: ContextCore {
    isUsed.store(true, ordering: .sequentiallyConsistent)
    return coreBox.core
  }

  nonisolated init(coordinator: StoreCoordinator, isReadOnly: Bool = false) {
    coreBox = ViewContextCore(ContextCore(coordinator: coordinator, receiverID: ReceiverID()))
    let graph = coreBox.core.graph
    graph.isListenedTo = true
    // Only `requireReading(_:)` calls it, with the object that it is a method of.
    graph.willRead = { unsafeDowncast($0, to: DatastoreObject.self).trackReading($1) }
    graph.isReadOnly = isReadOnly
    graph.executor = MainExecutor()
    if coordinator.checksAccess {
      graph.isAccessAllowed = { MainQueue.isCurrent }
    }
    graph.changesArePending = { [weak self] in
      MainActor.assumeIsolated { self?.scheduleProcessing() }
    }
    graph.isAwaitingMerges = { [weak self] in
      (self?.unmergedSaves.load(ordering: .sequentiallyConsistent) ?? 0) > 0
    }
    coreBox.core.catchUp = { [weak self] in
      MainActor.assumeIsolated { self?.mergeInbox() }
    }
    graph.wasSaved = { [weak self] saved in
      MainActor.assumeIsolated { self?.notifyListeners(ofSave: saved) }
    }
    coordinator.add(self, id: coreBox.core.receiverID)
  }

  deinit {
    coreBox.core.coordinator.remove(coreBox.core.receiverID)
  }

  func add(_ listener: any ContextListener) {
    listeners.removeAll { $0.listener == nil }
    listeners.append(WeakListener(listener: listener))
  }

  private func notifyListeners(ofSave saved: SavedChanges) {
    for listener in listeners { listener.listener?.contextDidSave(saved) }
  }

  private func scheduleProcessing() {
    guard !isProcessingScheduled else { return }
    isProcessingScheduled = true
    DispatchQueue.main.async { [weak self] in self?.processPendingChanges() }
  }

  /// Notifies controllers of everything staged since the last turn of the main queue.
  ///
  /// It happens by itself on the next turn; call it to have it done now.
  public func processPendingChanges() {
    isProcessingScheduled = false
    core.graph.journal?.endTurn()
    let changes = core.graph.takePendingChanges()
    guard !changes.isEmpty else { return }
    for listener in listeners { listener.listener?.contextWillNotify(of: changes) }
    for listener in listeners { listener.listener?.contextDidChange(changes) }
    if !changeObservers.isEmpty {
      changeObservers.notify(ContextChanges(changes, in: core.graph))
    }
  }
}

extension SwiftDatastoreViewContext: @MainActor ObjectContext {}

private struct MainExecutor: GraphExecutor {
  var isCurrent: Bool { MainQueue.isCurrent }

  func enqueue(_ work: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: work) }
}

/// Carries the view context's core to the main actor.
///
/// Unchecked: made before anyone else knows the context, then used only through the view context,
/// which is bound to the main actor.
struct ViewContextCore: @unchecked Sendable {
  let core: ContextCore

  init(_ core: ContextCore) {
    self.core = core
  }
}

extension SwiftDatastoreViewContext: MergeReceiver {
  nonisolated var inbox: MergeInbox { coreBox.core.inbox }

  nonisolated func enqueueMerge(_ saved: SavedChanges, leaving snapshot: (any StoreSnapshot)?) {
    // Uses of the context that begin after this has been asked read what was saved already.
    guard isUsed.load(ordering: .sequentiallyConsistent) else { return }
    // In one go: who is notified of the save must not compare with rows whose changes by triggers it does
    // not know of yet.
    enqueue(snapshot) { [log = coreBox.core.coordinator.log] graph in
      let start = log.now(.trace)
      graph.merge(saved)
      if !saved.sideChanges.isEmpty {
        graph.refresh(saved.sideChanges, from: saved.origin.source)
      }
      log(.trace, .merged(saved), since: start)
    }
  }

  nonisolated func enqueueRefresh(
    _ changed: MergedKeys, from source: ChangeSource, leaving snapshot: (any StoreSnapshot)?
  ) {
    // Where anything may have changed, everything is read again.
    let isFollowed = source.isOtherProcess && !changed.isEverything
    if isFollowed {
      unmergedFollowing.add(1, ordering: .sequentiallyConsistent)
      followed.add(1, ordering: .sequentiallyConsistent)
    }
    enqueue(snapshot) { [log = coreBox.core.coordinator.log] graph in
      let start = log.now(.trace)
      graph.refresh(changed, from: source)
      log(.trace, .merged(rows: changed.rowCount, source: source), since: start)
    }
    guard isFollowed else { return }
    // After the merge, which was enqueued before.
    DispatchQueue.main.async {
      self.unmergedFollowing.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  nonisolated var followedAndMerged: Int? {
    // Before the question whether all of them are merged.
    let last = followed.load(ordering: .sequentiallyConsistent)
    return last == 0 || unmergedFollowing.load(ordering: .sequentiallyConsistent) > 0 ? nil : last
  }

  nonisolated func othersAreQuiet(since last: Int) {
    DispatchQueue.main.async {
      let isQuiet = self.followed.compareExchange(
        expected: last, desired: 0, ordering: .sequentiallyConsistent
      ).exchanged
      guard isQuiet, !self.mayReadAhead else { return }
      for listener in self.listeners { listener.listener?.contextIsQuiet() }
    }
  }

  /// Reads the rows of objects together, where they are not in memory. Where that fails, which is reported,
  /// faults stay faults.
  func read(_ objects: [ManagedObject]) {
    do {
      try core.graph.fulfil(objects)
    } catch {
      core.graph.faultFailed(error)
    }
  }

  /// What is settled on the main queue before any later save is merged there.
  nonisolated func enqueueSettling(_ settle: @escaping @MainActor () -> Void) {
    inbox.append { _ in MainActor.assumeIsolated(settle) }
    scheduleMerge()
  }

  private nonisolated func enqueue(
    _ snapshot: (any StoreSnapshot)?, _ change: @escaping MergeInbox.Change
  ) {
    inbox.append(snapshot) { _ in
      MainActor.assumeIsolated { self.merge(change) }
    }
    scheduleMerge()
  }

  private nonisolated func scheduleMerge() {
    DispatchQueue.main.async { self.mergeInbox() }
  }

  private func mergeInbox() {
    let core = core
    core.arrive { $0(core.graph) }
  }

  /// Merges all that others have saved until now. Inside a merge, that is when observers are notified, the
  /// rest follows with the next turns of the main queue.
  func mergeEverything() {
    while !isTakingIn, !inbox.isEmpty { mergeInbox() }
  }

  /// Merges all that others have saved until now where the main actor asks; elsewhere the merge happens
  /// later.
  package nonisolated func mergeEverythingOnMain() {
    guard MainQueue.isCurrent else { return }
    MainActor.assumeIsolated { mergeEverything() }
  }

  /// Merges what someone else has written, apart from what is pending here: who is notified of
  /// changes learns who made them.
  private func merge(_ change: MergeInbox.Change) {
    isTakingIn = true
    defer { isTakingIn = false }
    processPendingChanges()
    change(core.graph)
    isMerging = true
    processPendingChanges()
    isMerging = false
  }

  nonisolated func writingBegins() -> Bool {
    guard isUsed.load(ordering: .sequentiallyConsistent) else { return false }
    unmergedSaves.add(1, ordering: .sequentiallyConsistent)
    return true
  }

  nonisolated func writingEnds() {
    // After the merge, which was enqueued before.
    DispatchQueue.main.async {
      let left = self.unmergedSaves.subtract(1, ordering: .sequentiallyConsistent).newValue
      guard left == 0 else { return }
      for listener in self.listeners { listener.listener?.contextHasCaughtUp() }
    }
  }
}

/// An object that is notified of changes in the view context.
@MainActor
protocol ContextListener: AnyObject {
  /// Comes to every listener before any is notified of the change, and may only record it.
  func contextWillNotify(of changes: GraphChanges)

  func contextDidChange(_ changes: GraphChanges)

  /// What was staged is stored now; nothing has another value by that. Told in the middle of the save.
  func contextDidSave(_ saved: SavedChanges)

  /// Everything that others have saved is merged.
  func contextHasCaughtUp()

  /// When the last change was merged, nothing newer was in the store: what was compared with objects then has
  /// its place.
  func contextIsQuiet()
}

extension ContextListener {
  func contextWillNotify(of changes: GraphChanges) {}
  func contextDidSave(_ saved: SavedChanges) {}
  func contextHasCaughtUp() {}
  func contextIsQuiet() {}
}

private struct WeakListener {
  weak var listener: (any ContextListener)?
}
