import DatastoreCore

/// One custom part of a step from one version of a model to another.
///
/// An entity may be part of several mappings: one old entity may be split into two new ones, and several may
/// be merged into one. A new entity with an `insertEntity` or `transformEntity` has only the objects that
/// these make. An old entity that a mapping names may lose the data that the new version does not have, since
/// that is the purpose of the mapping.
///
/// Closures run on a thread of the store, object by object in the order of their keys, and must not use the
/// store from outside. If a closure throws, the migration ends, and nothing is changed.
public struct CustomMapping: Sendable {
  enum Kind: Sendable {
    case delete(String)
    case insert(String, @Sendable (SwiftDatastoreContext.Closure) throws -> Void)
    case copy(String, String)
    case transform(String, String, EntityTransformation)
    case statements([String], areBefore: Bool)
  }

  let kind: Kind

  /// Drops the objects of an old entity.
  public static func deleteEntity(_ sourceEntity: String) -> CustomMapping {
    CustomMapping(kind: .delete(sourceEntity))
  }

  /// Creates objects of a new entity without a source.
  ///
  /// - Parameters:
  ///   - destinationEntity: its name in the new version.
  ///   - insert: creates the objects in the context of the new version, in which objects of other entities
  ///     can be fetched. They are saved automatically.
  public static func insertEntity(
    _ destinationEntity: String,
    _ insert: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> Void
  ) -> CustomMapping {
    CustomMapping(kind: .insert(destinationEntity, insert))
  }

  /// Turns the objects of an entity into those of a new one, property by property as in an inferred mapping.
  /// For an entity with another name, for use beside a `transformEntity` to the same new entity, and for an
  /// entity that is split, where the old one also becomes another.
  public static func copyEntity(
    _ sourceEntity: String, to destinationEntity: String? = nil
  ) -> CustomMapping {
    CustomMapping(kind: .copy(sourceEntity, destinationEntity ?? sourceEntity))
  }

  /// Calls a closure for each object of an old entity, which may create an object of a new entity from it, by
  /// name.
  ///
  /// ```swift
  /// .transformEntity(from: "Person", to: "Person") { source, createDestination in
  ///   if source["isOld"] == 1 { return }
  ///   let person = try createDestination()
  ///   person.forEachProperty { property, sourceProperty in
  ///     if let sourceProperty { person[property] = source[sourceProperty] }
  ///   }
  /// }
  /// ```
  ///
  /// The new object has the key of the old one, so relationships to it stay valid, unless several old
  /// entities are merged into one new family. To-many relationships are kept automatically; the closure sets
  /// to-one relationships and attributes.
  ///
  /// - Parameters:
  ///   - sourceEntity: the name of the old entity.
  ///   - destinationEntity: the name of the new one.
  ///   - transformer: if it does not create the destination, the object is dropped.
  public static func transformEntity(
    from sourceEntity: String, to destinationEntity: String,
    _ transformer:
      @escaping @Sendable (
        _ source: UnsafeSourceObject, _ createDestination: () throws -> UnsafeDestinationObject
      ) throws -> Void
  ) -> CustomMapping {
    CustomMapping(
      kind: .transform(
        sourceEntity, destinationEntity,
        EntityTransformation(sourceEntity, destinationEntity) { source, maker in
          try transformer(UnsafeSourceObject(source)) {
            UnsafeDestinationObject(try maker.make(), maker)
          }
        }))
  }

  /// Calls a closure for each object of an old class, with objects of both versions' classes.
  ///
  /// ```swift
  /// .transformEntity(V1.Person.self, into: V2.Person.self) { old, createPerson in
  ///   let person = try createPerson()
  ///   person.name = "\(old.first) \(old.last)"
  ///   person.employer = createPerson.counterpart(of: old.company)
  /// }
  /// ```
  ///
  /// Both versions have to be models of these classes. The old objects can be read with all their
  /// relationships; changes to them are not saved.
  public static func transformEntity<Source: DatastoreObject, Destination: DatastoreObject>(
    _ source: Source.Type, into destination: Destination.Type,
    _ transformer:
      @escaping @Sendable (
        _ source: Source, _ createDestination: MigrationDestination<Destination>
      ) throws -> Void
  ) -> CustomMapping {
    CustomMapping(
      kind: .transform(
        Source.entityName, Destination.entityName,
        EntityTransformation(Source.entityName, Destination.entityName) { source, maker in
          guard let source = source as? Source else {
            throw MigrationClassError(expected: "\(Source.self)", found: "\(type(of: source))")
          }
          try transformer(source, MigrationDestination(maker))
        }))
  }

  /// Runs SQL statements on the old tables, before anything else of the step.
  ///
  /// They may write rows and create tables, views and indexes, but not begin or end transactions or attach
  /// other files. The forecast does not include their effects.
  public static func sqlBefore(_ statements: String...) -> CustomMapping {
    CustomMapping(kind: .statements(statements, areBefore: true))
  }

  /// Runs SQL statements on the new tables, before unique values and references are checked.
  public static func sqlAfter(_ statements: String...) -> CustomMapping {
    CustomMapping(kind: .statements(statements, areBefore: false))
  }
}

/// A version of the history does not have the class.
struct MigrationClassError: Error, CustomStringConvertible {
  let expected: String
  let found: String

  var description: String {
    "the version has \(found) where the mapping has \(expected); describe the version by a "
      + "SwiftDatastoreModel of these classes, or name the entities"
  }
}
