import DatastoreCore
import Dispatch
import Synchronization

/// The context of the user interface, on the main actor.
///
/// It is writable: edits are staged, saved and reverted. Saves of other contexts are merged into it on the
/// main queue; its own unsaved edits survive that, property by property.
///
/// Its operations are those of `ObjectContext`. `fetch` and `saveChanges` wait for the store on the main
/// actor: leave long work to other contexts, and long lists to a `FetchedObjectsController`.
@MainActor
public final class SwiftDatastoreViewContext {
  nonisolated let coreBox: ViewContextCore
  /// The listeners for changes, in the order of registration.
  private var listeners: [WeakListener] = []
  private var isProcessingScheduled = false
  var changeObservers = ObserverList<ContextChanges>()
  /// Follows the objects that have publishers; created with the first of them.
  var publisherTable: (any ContextListener)?

  /// Whether this context was ever used; until then there is nothing to merge into. A program without a user
  /// interface would only pile up merges on its main queue.
  private nonisolated let isUsed = Atomic<Bool>(false)

  /// Saves of other contexts that have begun and are not merged yet.
  private nonisolated let unmergedSaves = Atomic<Int>(0)
  /// The number of the last change of another process that has been handed over; 0 when nothing newer is in
  /// the store.
  private nonisolated let followed = Atomic<Int>(0)
  /// Changes of other processes that are handed over and not merged yet.
  private nonisolated let unmergedFollowing = Atomic<Int>(0)
  private var isMerging = false
  /// Whether a save of someone else is being merged, from its first step to its last.
  private var isTakingIn = false

  /// Whether objects may be newer than the changes that controllers were notified of: another save has begun
  /// and is not merged yet, changes were staged since, or another process is writing, whose rows are in the
  /// store before anyone is notified.
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
    // Called only by `requireReading(_:)`, which is a method of this object.
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

  /// Notifies controllers of all changes staged since the last turn of the main queue.
  ///
  /// This happens on the next turn anyway; call it to have it happen now.
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
    // Later uses of the context read everything that was saved before this check.
    guard isUsed.load(ordering: .sequentiallyConsistent) else { return }
    // In one step: listeners that are notified of the save must not compare with rows whose trigger changes
    // the context does not know yet.
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
    // If anything may have changed, everything is read again.
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
    // After the merge, which was enqueued first.
    DispatchQueue.main.async {
      self.unmergedFollowing.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  nonisolated var followedAndMerged: Int? {
    // Read before checking whether all of them are merged.
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

  /// Reads together the rows of objects that are not in memory. If that fails, it is reported, and the
  /// objects stay faults.
  func read(_ objects: [ManagedObject]) {
    do {
      try core.graph.fulfil(objects)
    } catch {
      core.graph.faultFailed(error)
    }
  }

  /// Enqueues work to do on the main queue before any later save is merged there.
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

  /// Merges all saves of others so far. Inside a merge, that is while observers are being notified, the rest
  /// follows in the next turns of the main queue.
  func mergeEverything() {
    while !isTakingIn, !inbox.isEmpty { mergeInbox() }
  }

  /// On the main actor, merges all saves of others so far; elsewhere does nothing, as the merge happens
  /// later.
  package nonisolated func mergeEverythingOnMain() {
    guard MainQueue.isCurrent else { return }
    MainActor.assumeIsolated { mergeEverything() }
  }

  /// Merges a write of someone else separately from the pending changes here, so that listeners learn the
  /// source of each.
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
    // After the merge, which was enqueued first.
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
  /// Called on every listener before any is notified of the change; may only record it.
  func contextWillNotify(of changes: GraphChanges)

  func contextDidChange(_ changes: GraphChanges)

  /// Staged changes are saved now; no value changes by that. Called in the middle of the save.
  func contextDidSave(_ saved: SavedChanges)

  /// All saves of others are merged.
  func contextHasCaughtUp()

  /// Nothing newer was in the store when the last change was merged, so comparisons with objects are final.
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
