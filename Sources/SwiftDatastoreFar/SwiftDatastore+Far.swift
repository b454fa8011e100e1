package import DatastoreCore
package import DatastoreFar
@_exported public import SwiftDatastore

/// Stores at the other end of a line.
extension SwiftDatastore {
  /// Opens or creates a store in a file that lies elsewhere. Waits for the line.
  ///
  /// ```swift
  /// let datastore = try SwiftDatastore(
  ///   dataModel: model, far: .ssh(host: "app@example.org", path: "/var/lib/app/app.sqlite"))
  /// ```
  ///
  /// Contexts, lists and observers work as with a file here. SQLite's locks are held by the program at the
  /// other end, so that nobody else is in its way more than beside any other program there. What takes a look
  /// at the file waits for the line once.
  ///
  /// - Parameters:
  ///   - dataModel: the classes.
  ///   - location: where the file lies.
  ///   - readOnly: look only: the file must exist, and saving throws.
  ///   - options: how the datastore behaves.
  /// - Throws: `StoreError.unreachable` with what is said of the way; what opening a file throws.
  ///   `MigrationError` arrives as an error that only says the same: a store of another version is migrated
  ///   where it lies, but for what touches no row.
  public convenience init(
    dataModel: SwiftDatastoreModel, far location: FarLocation, readOnly: Bool = false,
    options: Options = Options()
  ) throws {
    var far = FarOptions()
    far.isReadOnly = readOnly
    far.model = FarModel(dataModel.schema)
    let store: FarStore
    do {
      store = try location.address.open(far)
    } catch let missing as FarProgramMissing {
      throw missing.storeError
    }
    self.init(store, dataModel: dataModel, storeName: location.description, options: options)
  }

  /// Opens any SQLite file that lies elsewhere: its tables and views are the entities, and its objects are
  /// `DynamicObject`s.
  ///
  /// - Parameter readOnly: nothing can be saved.
  /// - Throws: `StoreError`.
  package convenience init(
    showing address: FarAddress, readOnly: Bool = true, options: Options = Options()
  ) throws {
    let store = try Self.store(showing: address, readOnly: readOnly, options: options)
    self.init(store, dataModel: nil, storeName: address.name, options: options) { annotations in
      var options = options
      options.annotations = annotations
      return try SwiftDatastore(showing: address, readOnly: readOnly, options: options)
    }
  }

  /// The store of a file that lies elsewhere, for those who need no objects.
  ///
  /// - Throws: `StoreError`.
  package static func store(
    showing address: FarAddress, readOnly: Bool = true, options: Options = Options()
  ) throws -> any StoreEngine {
    var far = FarOptions()
    far.isReadOnly = readOnly
    far.showsJoinTables = options.showsJoinTables
    far.annotations = options.annotations
    return try address.open(far)
  }

  /// By which a store at the other end of a line is known, whatever leads to it; nil for others.
  package var farIdentity: String? { (engine as? FarStore)?.storeIdentity }

  /// Has something done whenever a store at the other end of a line stops answering for a second, or answers
  /// again. It runs on a thread of the line, and must not ask the store.
  package func onFarAnswering(_ told: @escaping @Sendable (_ isAnswering: Bool) -> Void) {
    (engine as? FarStore)?.onAnswering(told)
  }
}
