package import DatastoreCore
package import DatastoreFar
@_exported public import SwiftDatastore

/// Stores at the other end of a line.
extension SwiftDatastore {
  /// Opens or creates a store in a file at another location. Waits for the line.
  ///
  /// ```swift
  /// let datastore = try SwiftDatastore(
  ///   dataModel: model, far: .ssh(host: "app@example.org", path: "/var/lib/app/app.sqlite"))
  /// ```
  ///
  /// Contexts, lists and observers work as with a local file. The program at the other end holds SQLite's
  /// locks, so it hinders other programs there no more than any of them does. Each access to the file waits
  /// for one round trip.
  ///
  /// - Parameters:
  ///   - dataModel: the classes of the store.
  ///   - location: the location of the file.
  ///   - readOnly: whether the file is only read: it must exist, and saving throws.
  ///   - options: the behaviour of the datastore.
  /// - Throws: `StoreError.unreachable` with the message of the program that connects; errors of opening a
  ///   file. `MigrationError` arrives as an error with only its description: except for changes that touch no
  ///   row, a store of another version must be migrated where it is.
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

  /// Opens any SQLite file at another location: its tables and views are the entities, and its objects are
  /// `DynamicObject`s.
  ///
  /// - Parameter readOnly: whether saving is refused.
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

  /// The store of a file at another location, without objects.
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

  /// The identity of a store at the other end of a line, whatever line leads to it; nil for other stores.
  package var farIdentity: String? { (engine as? FarStore)?.storeIdentity }

  /// Sets the closure to run whenever a store at the other end of a line stops answering for a second, or
  /// answers again. It runs on a thread of the line, and must not use the store.
  package func onFarAnswering(_ told: @escaping @Sendable (_ isAnswering: Bool) -> Void) {
    (engine as? FarStore)?.onAnswering(told)
  }
}
