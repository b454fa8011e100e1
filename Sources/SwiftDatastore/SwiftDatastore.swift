import Basics
public import DatastoreCore
package import DatastoreSQLite
public import Foundation

/// A store of objects in one SQLite file, and the contexts that work on it.
///
/// ```swift
/// let model = try SwiftDatastoreModel(from: Employee.self, Company.self)
/// let datastore = try SwiftDatastore(dataModel: model, storeName: "company")
/// ```
///
/// Any number of datastores may be open at the same time, also on one file. A datastore may be used from any
/// thread; its contexts have rules of their own. The file is closed when the datastore and all its contexts
/// are released.
public final class SwiftDatastore: Sendable {
  /// The place of a store that is opened by name.
  public enum StoringType: Sendable {
    /// A file in the user's data directory.
    case app
    /// A new, empty file in a temporary directory, deleted with the datastore. Each datastore has its own,
    /// whatever its name.
    case test
  }

  /// How a datastore behaves.
  public struct Options: Sendable {
    /// Whether touching an object outside its context traps. Always on in debug builds.
    public var checksAccess: Bool
    /// How durable a save is when the power fails or the system crashes. With `normal`, the fastest, the last
    /// saves may be lost, each as a whole; with `full` or `extra` they are on the disk before `saveChanges()`
    /// returns.
    public var synchronous: Synchronous
    /// Called when the store fails while an object is being faulted in. The property then reads as missing.
    /// By default, traps with the error.
    public var faultFailed: @Sendable (any Error) -> Void

    /// Called for every SQL statement that the store runs, without its values, on the thread that runs it:
    /// for logs, and to find slow statements. Must not use the datastore.
    public var traceSQL: (@Sendable (String) -> Void)?

    /// Receives the events of the datastore; none by default. See `DatastoreLogger`.
    public var logger: (any DatastoreLogger)?

    /// Whether objects of `sharedViewContext` are read-only: changing, creating or deleting one traps. Make
    /// changes in `write` and in other contexts instead. Off by default.
    public var isViewContextReadOnly = false

    /// Whether join tables of third-party files are readable as entities, besides forming relationships.
    package var showsJoinTables = false
    /// Facts about a file of another program that it does not declare, such as how it stores dates; nil if
    /// only its declarations count.
    package var annotations: SchemaAnnotations?
    /// The model of a Core Data store, used in place of the one stored in it.
    package var coreDataModel: CoreDataModel?

    /// Whether no one else opens a new file before it is closed, and a file that is never closed is useless:
    /// it is written faster then.
    package var isUnderConstruction = false

    /// Waits before a transaction runs again after a conflict.
    package var pause: @Sendable (Duration) -> Void = { pause in
      let (seconds, attoseconds) = pause.components
      Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) / 1e18)
    }

    /// Creates options; the defaults suit most programs.
    public init(
      checksAccess: Bool = false, synchronous: Synchronous = .normal,
      faultFailed: (@Sendable (any Error) -> Void)? = nil,
      traceSQL: (@Sendable (String) -> Void)? = nil
    ) {
      var isDebug = false
      assert(
        {
          isDebug = true
          return true
        }())
      self.checksAccess = checksAccess || isDebug
      self.synchronous = synchronous
      self.traceSQL = traceSQL
      self.faultFailed = faultFailed ?? { trap("a value could not be read: \($0)") }
    }
  }

  let coordinator: StoreCoordinator
  let transactions = ContextQueue(label: "SwiftDatastoreTransactions")
  let completions = CompletionGate()
  let options: Options
  /// The context of the user interface, on the main actor; one per datastore. Costs nothing until it is used.
  public let sharedViewContext: SwiftDatastoreViewContext
  /// The file of the store; nil in memory, in a server, and for a datastore of several stores: see `stores`.
  public let url: URL?
  /// The stores of a datastore that was opened with `stores:`.
  let storeSet: StoreSet?
  /// The name of the store in messages.
  package let storeName: String
  /// Opens a server's store again with annotations; nil in memory, and for files, which are opened by their
  /// URL.
  private let reopening: (@Sendable (SchemaAnnotations?) throws -> SwiftDatastore)?

  init(
    store: any StoreEngine, types: ModelTypes, url: URL?, storeName: String? = nil,
    isTemporary: Bool = false, options: Options, storeSet: StoreSet? = nil,
    reopening: (@Sendable (SchemaAnnotations?) throws -> SwiftDatastore)? = nil
  ) {
    coordinator = StoreCoordinator(
      store: store, types: types, checksAccess: options.checksAccess,
      temporaryFile: isTemporary ? url : nil, log: EventLog(options.logger, path: url?.path),
      faultFailed: options.faultFailed)
    self.options = options
    sharedViewContext = SwiftDatastoreViewContext(
      coordinator: coordinator, isReadOnly: options.isViewContextReadOnly)
    self.url = url
    self.storeSet = storeSet
    self.storeName = storeName ?? url?.lastPathComponent ?? "in memory"
    self.reopening = reopening
  }

  /// Whether this is a third-party database in a server, which notifies no one of changes.
  package var isInServer: Bool { reopening != nil }

  /// The same store, opened again with the same options, so that its schema is that of the current tables.
  /// Waits for the file system or the server.
  ///
  /// - Throws: `StoreError`. Traps for a store in memory.
  package func reopened(annotations: SchemaAnnotations?) throws -> SwiftDatastore {
    if let reopening { return try reopening(annotations) }
    guard let url else { trap("a store in memory cannot be reopened") }
    var options = self.options
    options.annotations = annotations
    return try SwiftDatastore(opening: url, readOnly: isReadOnly, options: options)
  }

  /// Closes the file. Reading and saving throw from now on. Releasing the datastore and all its contexts
  /// closes it as well.
  ///
  /// - Throws: `StoreError` when SQLite fails to finish its work.
  public func close() throws {
    try coordinator.close()
  }

  /// The entities of the store.
  public var schema: Schema { coordinator.store.schema }
  /// The name of the model's version: that of the classes or, if the file was opened without classes, the
  /// version that last saved it; nil if it has no name.
  public var modelVersion: String? { schema.version }

  /// A new context with a queue of its own, directly on the store. Cheap: make one for each piece of
  /// work.
  public func newContext() -> SwiftDatastoreContext {
    SwiftDatastoreContext(coordinator: coordinator)
  }
}

extension SwiftDatastore: CustomDebugStringConvertible {
  /// The file and its number of entities.
  public var debugDescription: String {
    let count = schema.entities.count
    let place =
      storeSet.map { $0.stores.map(\.description).joined(separator: ", ") } ?? url?.path
      ?? storeName
    return
      "SwiftDatastore (\(place), \(CountText.counted(count, "entity")))"
  }
}
