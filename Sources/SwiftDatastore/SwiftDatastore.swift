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
/// Any number of datastores may be open at a time, also on one file. Sendable: it may be used from any
/// thread; the contexts it hands out have rules of their own. The file is closed when the datastore and
/// all its contexts are released.
public final class SwiftDatastore: Sendable {
  /// Where the store is kept.
  public enum StoringType: Sendable {
    /// A file in the user's data directory.
    case app
    /// A new, empty file in a temporary directory, deleted when the datastore is. Each datastore has its
    /// own, whatever its name.
    case test
  }

  /// How a datastore behaves.
  public struct Options: Sendable {
    /// Whether touching an object outside its context traps. Always on in debug builds.
    public var checksAccess: Bool
    /// How sure a save is to survive when the power fails or the system crashes. With `normal`, which is
    /// the fastest, the last saves may be gone then, each as a whole; with `full` or `extra` they are on the
    /// disk before `saveChanges()` returns.
    public var synchronous: Synchronous
    /// Called when a value cannot be read because the store fails while an object is being faulted
    /// in; the property then reads as missing. Traps with the error, unless it is set.
    public var faultFailed: @Sendable (any Error) -> Void

    /// Called for every SQL statement that the store runs, without its values, on the thread that runs it:
    /// for logs, and to find slow statements. Must not use the datastore.
    public var traceSQL: (@Sendable (String) -> Void)?

    /// Receives the events of the datastore; none by default. See `DatastoreLogger`.
    public var logger: (any DatastoreLogger)?

    /// Whether objects of `sharedViewContext` are only shown: changing, creating or deleting one there
    /// traps with a sentence. Changes are made in `write` and in other contexts then. Off unless set.
    public var isViewContextReadOnly = false

    /// Whether tables of pairs in third-party files are entities to be read, besides the relationships
    /// that they make.
    package var showsJoinTables = false
    /// What was said of a file of another program, such as how it stores dates; nil where nothing beside
    /// its declarations counts.
    package var annotations: SchemaAnnotations?
    /// The model of a Core Data store, instead of that in it.
    package var coreDataModel: CoreDataModel?

    /// Whether a new file is unknown to others until it is closed, and useless where it never is: it
    /// is written faster then.
    package var isUnderConstruction = false

    /// Waits before a transaction that has met a conflict runs again.
    package var pause: @Sendable (Duration) -> Void = { pause in
      let (seconds, attoseconds) = pause.components
      Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) / 1e18)
    }

    /// Options; the defaults suit most programs.
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
  /// The context of the user interface, on the main actor; one for each datastore. Costs nothing until
  /// it is used.
  public let sharedViewContext: SwiftDatastoreViewContext
  /// The file of the store; nil in memory, in a server, and for a datastore of several stores: see `stores`.
  public let url: URL?
  /// What it is made of, where it was opened with `stores:`.
  let storeSet: StoreSet?
  /// What it is called, for people.
  package let storeName: String
  /// Opens it once more with what is said of it; nil for files, whose place says all, and in memory.
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

  /// Whether it is a third-party database in a server, which does not notify anyone of changes.
  package var isInServer: Bool { reopening != nil }

  /// The same store, opened again with the same options: its schema is that of the tables as they are now.
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

  /// Closes the file. Reading and saving throw from now on. Done by itself when the datastore and all
  /// its contexts are released.
  ///
  /// - Throws: `StoreError` when SQLite fails to finish its work.
  public func close() throws {
    try coordinator.close()
  }

  /// The entities of the store.
  public var schema: Schema { coordinator.store.schema }
  /// The name of the version of the model: that of the classes or, where the file was opened without any, the
  /// one that it was last saved with; nil without one.
  public var modelVersion: String? { schema.version }

  /// A new context with a queue of its own, directly on the store. Cheap: make one for each piece of
  /// work.
  public func newContext() -> SwiftDatastoreContext {
    SwiftDatastoreContext(coordinator: coordinator)
  }
}

extension SwiftDatastore: CustomDebugStringConvertible {
  /// The file, and how many entities it has.
  public var debugDescription: String {
    let count = schema.entities.count
    let place =
      storeSet.map { $0.stores.map(\.description).joined(separator: ", ") } ?? url?.path
      ?? storeName
    return
      "SwiftDatastore (\(place), \(CountText.counted(count, "entity")))"
  }
}
