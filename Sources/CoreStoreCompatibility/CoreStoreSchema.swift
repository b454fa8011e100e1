/// A version of a model, made of classes.
///
/// It is a `SwiftDatastoreModel` like one made by `SwiftDatastoreModel(version:from:lock:)`: the same
/// entities give the same files, and either opens the other's.
public typealias CoreStoreSchema = SwiftDatastoreModel

extension SwiftDatastoreModel {
  /// Creates a version from its classes.
  ///
  /// Traps with every fault of the model (see `SchemaError`) and every difference from the lock, as they are
  /// programming errors that show the first time the program runs. To get an error instead, use
  /// `SwiftDatastoreModel(version:from:lock:removes:)`.
  ///
  /// - Parameters:
  ///   - modelVersion: the name of the version.
  ///   - entities: each class once.
  ///   - entityConfigurations: the entities, each with the names of the configurations that it belongs to:
  ///     those of storages that hold a part of the model. An entity without configurations is in the storage
  ///     of all entities only.
  ///   - versionLock: the structure of the tables of this version, recorded when it was finished
  ///     (`print(schema.versionLock)`); the classes must still agree with it. The numbers that CoreStore
  ///     prints are Core Data's, and have no meaning here.
  ///   - removes: the entities and properties of the previous version that this version drops, by their names
  ///     there. Core Data drops them silently; here a file keeps everything that holds values, and is not
  ///     migrated without this argument.
  public convenience init(
    modelVersion: String, entities: [DynamicEntity] = [],
    entityConfigurations: [DynamicEntity: Set<String>] = [:], versionLock: VersionLock? = nil,
    removes: DeclaredLosses = []
  ) {
    let parts = entityConfigurations.keys.sorted { $0.entityName < $1.entityName }
    var configurations: [String: Set<String>] = [:]
    for (entity, names) in entityConfigurations {
      for name in names { configurations[name, default: []].insert(entity.entityName) }
    }
    do {
      try self.init(
        version: modelVersion, entities: (entities + parts).map(\.modelEntity), lock: versionLock,
        removes: removes, configurations: configurations)
    } catch {
      CoreStoreDefaults.abort("CoreStoreSchema(modelVersion: \"\(modelVersion)\"): \(error)")
    }
  }
}

extension DynamicSchema {
  /// The schema as Swift code, with its lock.
  public func printCoreStoreSchema() -> String {
    let entities = schema.entities.map(\.description).map { entity in
      "    Entity<\(entity.name)>(\"\(entity.name)\"\(entity.isAbstract ? ", isAbstract: true" : "")),\n"
    }
    return """
      CoreStoreSchema(
        modelVersion: "\(modelVersion ?? "")",
        entities: [
      \(entities.joined())  ],
        versionLock: \(VersionLock(schema)))
      """
  }
}

/// Histories that trap with every fault, like those of CoreStore; `SchemaHistory(_:migrationChain:)` with a
/// list throws.
extension SchemaHistory: ExpressibleByArrayLiteral {
  /// Versions and their order.
  public init(
    allSchema: [any DynamicSchema], migrationChain: MigrationChain = nil,
    exactCurrentModelVersion: String? = nil
  ) {
    do {
      try self.init(
        allSchema, migrationChain: migrationChain,
        exactCurrentModelVersion: exactCurrentModelVersion)
    } catch {
      CoreStoreDefaults.abort("SchemaHistory: \(error)")
    }
  }

  /// The only version.
  public init(arrayLiteral versions: any DynamicSchema...) { self.init(allSchema: versions) }

  /// The version that files are to have: `current`.
  public var currentSchema: any DynamicSchema { current }
}
