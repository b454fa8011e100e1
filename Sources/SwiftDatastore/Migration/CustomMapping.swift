import DatastoreCore

/// One thing that a step from one version of a model to another does by hand.
///
/// An entity may be in several of them: one old entity may be split into two new ones, and several be merged
/// into one. A new entity with an `insertEntity` or `transformEntity` has only the objects that these make;
/// an old one that is named may lose what the new version does not have, since that is what the mapping is
/// about.
///
/// Closures run on a thread of the store, object by object in the order of their keys, and must not use the
/// store from outside. What they throw ends the migration, and nothing is changed.
public struct CustomMapping: Sendable {
  enum Kind: Sendable {
    case delete(String)
    case insert(String, @Sendable (SwiftDatastoreContext.Closure) throws -> Void)
    case copy(String, String)
    case transform(String, String, EntityTransformation)
    case statements([String], areBefore: Bool)
  }

  let kind: Kind

  /// Lets the objects of an old entity go.
  public static func deleteEntity(_ sourceEntity: String) -> CustomMapping {
    CustomMapping(kind: .delete(sourceEntity))
  }

  /// Makes objects of a new entity out of nothing.
  ///
  /// - Parameters:
  ///   - destinationEntity: its name in the new version.
  ///   - insert: creates them in the context of the new version, in which those of other entities can be
  ///     fetched. Saved by itself.
  public static func insertEntity(
    _ destinationEntity: String,
    _ insert: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> Void
  ) -> CustomMapping {
    CustomMapping(kind: .insert(destinationEntity, insert))
  }

  /// Makes the objects of an entity those of a new one, property by property as it would be inferred: for an
  /// entity of another name, beside a `transformEntity` that leads to the same new one, and for an entity
  /// that is split, where the old one also becomes another.
  public static func copyEntity(
    _ sourceEntity: String, to destinationEntity: String? = nil
  ) -> CustomMapping {
    CustomMapping(kind: .copy(sourceEntity, destinationEntity ?? sourceEntity))
  }

  /// Calls a closure for each object of an old entity, which may make one of a new entity of it, by name.
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
  /// The new object has the key of the old one, so that relationships which lead to it go on doing so, as
  /// long as several old entities do not come together in one new family. To-many relationships are kept by
  /// themselves; to-one ones and attributes are what the closure sets.
  ///
  /// - Parameters:
  ///   - sourceEntity: the name of the old entity.
  ///   - destinationEntity: the name of the new one.
  ///   - transformer: where it does not create the destination, the object goes.
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

  /// The same with objects of both versions' classes.
  ///
  /// ```swift
  /// .transformEntity(V1.Person.self, into: V2.Person.self) { old, createPerson in
  ///   let person = try createPerson()
  ///   person.name = "\(old.first) \(old.last)"
  ///   person.employer = createPerson.counterpart(of: old.company)
  /// }
  /// ```
  ///
  /// Both versions have to be models of these classes. The old objects can be read with all that they lead
  /// to; what is changed in them is not saved.
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

  /// Runs a statement of SQL on the old tables, before anything else of the step.
  ///
  /// It may write rows and make tables, views and indexes, but not begin or end transactions or attach other
  /// files. The forecast does not know what it does.
  public static func sqlBefore(_ statements: String...) -> CustomMapping {
    CustomMapping(kind: .statements(statements, areBefore: true))
  }

  /// Runs a statement of SQL on the new tables, before unique values and references are checked.
  public static func sqlAfter(_ statements: String...) -> CustomMapping {
    CustomMapping(kind: .statements(statements, areBefore: false))
  }
}

/// A version of the history that has no such class.
struct MigrationClassError: Error, CustomStringConvertible {
  let expected: String
  let found: String

  var description: String {
    "the version has \(found) where the mapping has \(expected); describe the version by a "
      + "SwiftDatastoreModel of these classes, or name the entities"
  }
}
