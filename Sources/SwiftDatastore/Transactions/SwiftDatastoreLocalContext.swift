import DatastoreCore

/// A context without a queue, for a function that fetches, changes and saves in sequence.
///
/// ```swift
/// let context = datastore.newLocalContext()
/// let employee: Employee? = try context.fetchFirst(where: \.$name == "Ann")
/// employee?.salary += 100
/// try context.saveChanges()
/// ```
///
/// It is not Sendable: the compiler keeps it and its objects where it was made. Its calls wait for the store
/// on the calling thread.
///
/// It is not notified of saves by others: the values it has read stay the same until they are read again
/// (`refresh(_:)`). If someone else has changed the same property, saving throws `ConflictError`, unless its
/// `mergePolicy` settles the conflict.
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

  /// Creates a context whose saves go into this one, one level up, and further only when this one saves. It
  /// sees the changes staged here, and lives where this one lives. Children may nest to any depth.
  public func createNewChildContext() -> SwiftDatastoreLocalContext {
    SwiftDatastoreLocalContext(
      coordinator: core.coordinator, viewContext: viewContext, parent: LocalParentStore(core))
  }
}

extension SwiftDatastore {
  /// Creates a context without a queue, directly on the store, for the calling code. Cheap: make one for each
  /// piece of work.
  public func newLocalContext() -> SwiftDatastoreLocalContext {
    SwiftDatastoreLocalContext(coordinator: coordinator, viewContext: sharedViewContext)
  }
}

extension SwiftDatastoreLocalContext: CustomDebugStringConvertible {
  /// The number of staged objects.
  public var debugDescription: String { core.line("SwiftDatastoreLocalContext") }
}
