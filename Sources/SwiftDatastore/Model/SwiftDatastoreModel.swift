public import DatastoreCore
import Foundation

/// The model classes of a datastore, read and checked.
///
/// ```swift
/// let model = try SwiftDatastoreModel(from: Employee.self, Company.self, Office.self)
/// ```
///
/// The listed classes are the entities. List a parent together with its children to make them one family; the
/// properties of a parent that is not listed belong to each child alone.
///
/// A model may name its version. Older versions can then be described beside it, see `SchemaHistory`; their
/// classes live in a namespace of their own:
///
/// ```swift
/// enum V1 {
///   final class Employee: DatastoreObject { … }
///   static let schema = try SwiftDatastoreModel(version: "V1", from: Employee.self)
/// }
/// ```
public final class SwiftDatastoreModel: DynamicSchema {
  /// The entities, as the store sees them.
  public let schema: Schema
  /// The name of the version; nil if it has none.
  public var modelVersion: String? { schema.version }
  /// A description of its tables, to be recorded as the `lock` of this version.
  public var versionLock: VersionLock { VersionLock(schema) }
  /// The classes, in the order of the entities.
  package var types: [DatastoreObject.Type] { reflections.map(\.type) }
  /// Likely mistakes, a sentence each: for example, two relationships that lead to each other's class without
  /// one being the inverse of the other. Debug builds also write them to standard error.
  public let warnings: [String]
  /// By entity index.
  let reflections: [ClassReflection]

  /// Reads the classes: each wrapper of a stored property becomes a property of the schema, and inverses are
  /// matched.
  ///
  /// - Parameters:
  ///   - version: the name of this version of the model, if it has one.
  ///   - objectTypes: the classes.
  ///   - lock: the recorded tables of this version, from when it was finished; the model must still agree
  ///     with them.
  ///   - removes: the parts of the previous version that this version has given up, by their old names:
  ///     entities (`"Visit"`) and properties (`"Person.fax"`). A file may lose its data for these; all other
  ///     data is kept, or the file is not migrated.
  ///   - configurations: the classes of stores that hold a part of the model, by name; see
  ///     `StoreDescription`.
  /// - Throws: `SchemaError` listing every fault of the model: missing classes, inverses that do not
  ///   match, duplicate or overridden names, impossible counts and constraints, defaults that are not
  ///   constant, differences from the lock.
  public convenience init(
    version: String? = nil, from objectTypes: DatastoreObject.Type..., lock: VersionLock? = nil,
    removes: DeclaredLosses = [], configurations: [String: [DatastoreObject.Type]] = [:]
  ) throws {
    try self.init(
      version: version, from: objectTypes, lock: lock, removes: removes,
      configurations: configurations)
  }

  /// Reads the classes of an array.
  public convenience init(
    version: String? = nil, from objectTypes: [DatastoreObject.Type], lock: VersionLock? = nil,
    removes: DeclaredLosses = [], configurations: [String: [DatastoreObject.Type]] = [:]
  ) throws {
    try self.init(
      version: version, entities: objectTypes.map { ModelEntity($0) }, lock: lock,
      removes: removes, configurations: configurations.mapValues { Set($0.map { $0.entityName }) })
  }

  /// Reads classes, with further declarations of the model about them.
  package init(
    version: String?, entities: [ModelEntity], lock: VersionLock?, removes: DeclaredLosses,
    configurations: [String: Set<String>] = [:]
  ) throws {
    var configurations = configurations
    for entity in entities {
      for name in entity.configurations {
        configurations[name, default: []].insert(entity.type.entityName)
      }
    }
    let reflections = entities.map { ClassReflection.of($0.type) }
    let families = ClassFamilies(reflections)
    let inverses = InverseTable(reflections, families)
    var faults = families.faults + inverses.faults + RenamingFaults.all(in: reflections)
    faults += entities.compactMap(\.nameFault)
    let descriptions = zip(entities, reflections).map { entity, reflection in
      EntityDescription(
        name: reflection.type.entityName,
        properties: reflection.records.placed.map { slot, record in
          let name = reflection.names[slot]
          return record.description(
            name: name, inverse: inverses.inverse(of: name, slot, in: reflection.type))
        },
        uniqueness: reflection.uniqueness(entity, addingFaultsTo: &faults),
        parent: families.parent(of: reflection.type)?.type.entityName,
        isAbstract: entity.isAbstract || reflection.type.isAbstract,
        renamedFrom: reflection.renamedFrom,
        indexes: reflection.indexes(entity, addingFaultsTo: &faults),
        hashModifier: entity.hashModifier ?? reflection.hashModifier)
    }
    for reflection in reflections {
      let inherited = Slot(families.inheritedCount(reflection.type))
      faults += reflection.changingDefaults.filter { $0 >= inherited }
        .map {
          .changingDefault(entity: reflection.type.entityName, property: reflection.names[$0])
        }
    }
    for reflection in reflections where reflection.type.entityName.isEmpty {
      faults.append(
        .invalidClass("The class \(reflection.type) has an empty `entityName`; give it a name."))
    }
    do {
      schema = try Schema(
        descriptions, version: version, removes: removes, configurations: configurations)
    } catch let error as SchemaError {
      // Reported above by the name of the class.
      let rest = error.faults.filter { $0 != .emptyName(entity: "") }
      throw SchemaError(faults: faults + rest.map { families.explained($0, reflections) })
    }
    if version?.isEmpty ?? false {
      faults.append(.invalidHistory("The version of the model has an empty name; give it one."))
    }
    faults += (lock?.differences(from: VersionLock(schema)) ?? []).map {
      .differsFromLock(version: version, difference: $0)
    }
    guard faults.isEmpty else { throw SchemaError(faults: faults) }
    self.reflections = reflections
    warnings = ForgottenInverses(reflections, inverses, families).warnings
    assert(
      {
        for warning in warnings {
          FileHandle.standardError.write(Data("SwiftDatastore: \(warning)\n".utf8))
        }
        return true
      }())
  }
}
