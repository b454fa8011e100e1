import Basics
import DatastoreCore

/// Creates objects of the new version for a mapping: calling it creates the object that the old one becomes.
public struct MigrationDestination<Object: DatastoreObject> {
  private let maker: DestinationMaker

  init(_ maker: DestinationMaker) { self.maker = maker }

  /// The context of the new version, for creating and fetching further objects.
  public var context: SwiftDatastoreContext.Closure { maker.context }

  /// The object that the old one becomes, with default and initial values; the same one when called again.
  ///
  /// - Throws: `AbstractEntityError`.
  public func callAsFunction() throws -> Object {
    let made = try maker.make()
    guard let object = made as? Object else {
      throw MigrationClassError(expected: "\(Object.self)", found: "\(type(of: made))")
    }
    return object
  }

  /// The new object of an object of the old version, inferred or made by a mapping. If the object was
  /// dropped, or its mapping has not run yet, the reference leads nowhere until the new object exists.
  public func counterpart<Other: DatastoreObject>(of object: DatastoreObject?) -> Other? {
    guard let object else { return nil }
    guard let entity = try? maker.context.core.entity(of: Other.self) else { return nil }
    return maker.counterpart(of: object, in: entity) as? Other
  }
}

/// Makes the object that an object of the old version becomes.
final class DestinationMaker {
  let context: SwiftDatastoreContext.Closure
  let stage: MigrationStage
  private let destination: Entity
  private var source: DatastoreObject?
  private(set) var made: DatastoreObject?

  init(_ context: SwiftDatastoreContext.Closure, _ destination: Entity, _ stage: MigrationStage) {
    self.context = context
    self.destination = destination
    self.stage = stage
  }

  /// Moves to the next object of the old version.
  func begin(_ source: DatastoreObject) {
    self.source = source
    made = nil
  }

  func make() throws -> DatastoreObject {
    if let made { return made }
    guard let source else { trap("a mapping makes objects while its closure runs") }
    let object = try context.core.create(
      destination, key: RowKey(source.key.rawValue + stage.keyOffset))
    made = object
    return object
  }

  /// The new object of an object of the old version, in a family of the new one.
  func counterpart(of object: DatastoreObject, in entity: Entity) -> ManagedObject {
    let offset = stage.offset(from: object.entity.index, to: entity.index)
    return context.core.graph.object(
      entity: entity.index, key: RowKey(object.key.rawValue + offset))
  }
}
