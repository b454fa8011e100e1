import DatastoreCore

/// A context without a queue, for a function that wants to fetch, change and save in a straight line.
///
/// ```swift
/// let context = datastore.newLocalContext()
/// let employee: Employee? = try context.fetchFirst(where: \.$name == "Ann")
/// employee?.salary += 100
/// try context.saveChanges()
/// ```
///
/// It is not Sendable: the compiler keeps it, with its objects, where it was made. Everything that is asked
/// of it waits for the store on the thread that asks.
///
/// It hears nothing of what others save: what it has read stays as it was until it is read again
/// (`refresh(_:)`). Saving where someone else has changed the same property throws `ConflictError`, unless
/// its `mergePolicy` says otherwise.
public final class SwiftDatastoreLocalContext: ObjectContext {
  /// The context's graph and store.
  public let core: ContextCore

  /// The view context of the same datastore.
  package private(set) weak var viewContext: SwiftDatastoreViewContext?

  init(
    coordinator: StoreCoordinator, viewContext: SwiftDatastoreViewContext?,
    parent: LocalParentStore? = nil
  ) {
    self.viewContext = viewContext
    core = ContextCore(coordinator: coordinator, receiverID: ReceiverID(), parent: parent)
  }

  /// A context whose saves go into this one, one level up, and from there on only when this one saves. It
  /// sees what is staged here, and belongs where this one does. Any depth.
  public func createNewChildContext() -> SwiftDatastoreLocalContext {
    SwiftDatastoreLocalContext(
      coordinator: core.coordinator, viewContext: viewContext, parent: LocalParentStore(core))
  }
}

extension SwiftDatastore {
  /// A new context without a queue, directly on the store, for the code that calls. Cheap: make one for each
  /// piece of work.
  public func newLocalContext() -> SwiftDatastoreLocalContext {
    SwiftDatastoreLocalContext(coordinator: coordinator, viewContext: sharedViewContext)
  }
}

extension SwiftDatastoreLocalContext: CustomDebugStringConvertible {
  /// How many objects are staged.
  public var debugDescription: String { core.line("SwiftDatastoreLocalContext") }
}
