public import DatastoreCore

/// Staged changes: reading, reverting, undoing and redoing them.
extension ObjectContext {
  /// How conflicts are settled when this context saves; `.error` by default.
  public var mergePolicy: MergePolicy {
    get { core.mergePolicy }
    set { core.mergePolicy = newValue }
  }

  /// The change source tag: a name for the work of this context. Everything it saves from now on carries the
  /// name, and other contexts, their observers and controllers receive it. nil by default.
  ///
  /// ```swift
  /// context.transactionAuthor = "import"
  /// ```
  public var transactionAuthor: String? {
    get { core.origin.author }
    set { core.origin.author = newValue }
  }

  /// A value of the program that accompanies everything this context saves from now on, such as the screen
  /// that saves; observers and controllers of other contexts receive it as `changeSource.identifier`. nil by
  /// default.
  ///
  /// ```swift
  /// context.sourceIdentifier = self.id
  /// ```
  public var sourceIdentifier: (any Sendable)? {
    get { core.origin.identifier?.value }
    set { core.origin.identifier = newValue.map { SourceIdentifier($0) } }
  }

  /// The source of the change that observers are being notified of: inside an observer of an object or a
  /// property, the context or process whose changes were just merged; otherwise this context.
  public var changeSource: ChangeSource { core.graph.changeSource }

  /// New objects, in the order of their creation. O(changed objects).
  public var insertedObjects: [DatastoreObject] { faces(core.graph.insertedObjects) }
  /// Saved objects with staged changes, in the order of their first change. O(changed objects).
  public var updatedObjects: [DatastoreObject] { faces(core.graph.updatedObjects) }
  /// Objects that the next save deletes. O(changed objects).
  public var deletedObjects: [DatastoreObject] { faces(core.graph.deletedObjects) }

  /// New objects of a class and of those that inherit from it. O(changed objects).
  public func insertedObjects<T: DatastoreObject>(_ type: T.Type) -> [T] {
    core.graph.insertedObjects.compactMap { $0 as? T }
  }
  /// Saved objects of a class and of those that inherit from it, with staged changes. O(changed objects).
  public func updatedObjects<T: DatastoreObject>(_ type: T.Type) -> [T] {
    core.graph.updatedObjects.compactMap { $0 as? T }
  }
  /// Objects of a class and of those that inherit from it that the next save deletes. O(changed objects).
  public func deletedObjects<T: DatastoreObject>(_ type: T.Type) -> [T] {
    core.graph.deletedObjects.compactMap { $0 as? T }
  }

  private func faces(_ objects: [ManagedObject]) -> [DatastoreObject] {
    objects.compactMap { $0 as? DatastoreObject }
  }

  /// Discards the staged changes of one object, and updates the other sides of its relationships.
  public func revertChanges(of object: DatastoreObject) {
    core.graph.revert(object)
  }

  /// Discards the staged changes and the known values of an object, so that the next access reads the store
  /// (or parent). Does nothing for new objects.
  ///
  /// - Parameters:
  ///   - object: an object of this context.
  ///   - mergeChanges: whether staged changes are kept; the values are then discarded only where nothing is
  ///     staged.
  public func refresh(_ object: DatastoreObject, mergeChanges: Bool = false) {
    object.refresh(mergeChanges: mergeChanges)
  }

  /// Makes the next access to each object read the store (or parent) again. Staged changes stay, merged
  /// property by property with the values read. O(known objects).
  public func refreshAllObjects() { core.graph.refresh(.everything) }

  /// Values that programs keep with the context; the library stores nothing there.
  public var userInfo: UserInfo { core.userInfo }

  /// Brings this context's objects up to date with a save of another context: updated and deleted objects
  /// lose their staged changes and get the state of the store (or parent). Ignores inserted objects and those
  /// this context does not know.
  public func refresh(using savedChanges: SwiftDatastoreSavedChanges) {
    let changes = savedChanges.changes
    for entity in changes.entities {
      for key in entity.updated.map(\.key) + entity.deleted.map(\.key) {
        let known = core.graph.registeredObject(entity: entity.entity, key: key)
        if let object = known as? DatastoreObject { refresh(object) }
      }
    }
  }

  /// Whether staged changes can be undone group by group. Off by default; turning it off discards all groups.
  ///
  /// In the view context, everything staged in one turn of the main queue is one group, unless
  /// `undoGroup(_:)` groups it otherwise. Elsewhere everything since the last group is one: use
  /// `undoGroup(_:)`, or `beginUndoGrouping()` and `endUndoGrouping()`.
  public var isUndoEnabled: Bool {
    get { core.graph.journal != nil }
    set {
      if newValue != isUndoEnabled { core.graph.journal = newValue ? UndoJournal() : nil }
    }
  }

  /// Whether `undo()` would do anything.
  public var canUndo: Bool { core.graph.journal?.canUndo ?? false }
  /// Whether `redo()` would do anything.
  public var canRedo: Bool { core.graph.journal?.canRedo ?? false }

  /// Undoes the last group of staged changes. If it was saved in the meantime, stages the opposite changes.
  public func undo() { core.graph.undo() }

  /// Redoes the group that `undo()` undid last, unless something else was staged since.
  public func redo() { core.graph.redo() }

  /// Begins a group of staged changes, which ends with `endUndoGrouping()`. Groups may nest; the outermost
  /// counts. Does nothing while `isUndoEnabled` is off.
  public func beginUndoGrouping() { core.graph.journal?.beginGroup() }

  /// Ends a group. Traps without `beginUndoGrouping()`.
  public func endUndoGrouping() { core.graph.journal?.endGroup() }

  /// Ends the group of changes staged so far, unless an explicit group is open: later changes are undone
  /// separately. The view context does that at each turn of the main queue; other contexts have no turns.
  package func endUndoTurn() { core.graph.journal?.endTurn() }

  /// Makes everything staged inside the closure one group. Groups may nest; the outermost counts.
  ///
  /// - Throws: the error of the closure; the changes that it staged before remain a group.
  public func undoGroup<Result>(_ body: () throws -> Result) rethrows -> Result {
    beginUndoGrouping()
    defer { endUndoGrouping() }
    return try body()
  }
}

extension DatastoreObject {
  package final func refresh(mergeChanges: Bool) {
    requireAccess()
    guard !isInserted else { return }
    if !mergeChanges { graph.revert(self) }
    graph.refault(self)
  }
}
