import Basics
import DatastoreCore

/// What a mapping makes objects of the new version with: called, it makes the one that the old object
/// becomes.
public struct MigrationDestination<Object: DatastoreObject> {
  private let maker: DestinationMaker

  init(_ maker: DestinationMaker) { self.maker = maker }

  /// The context of the new version, in which further objects can be created and others be fetched.
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

  /// What an object of the old version has become: of an entity that is inferred, or by a mapping. One that
  /// has been let go, or is made by a mapping that has not run yet, leads nowhere until it is there.
  public func counterpart<Other: DatastoreObject>(of object: DatastoreObject?) -> Other? {
    guard let object else { return nil }
    guard let entity = try? maker.context.core.entity(of: Other.self) else { return nil }
    return maker.counterpart(of: object, in: entity) as? Other
  }
}

/// Makes the object that one of the old version becomes.
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

  /// Turns to the next object of the old version.
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

  /// What an object of the old version becomes in a family of the new one.
  func counterpart(of object: DatastoreObject, in entity: Entity) -> ManagedObject {
    let offset = stage.offset(from: object.entity.index, to: entity.index)
    return context.core.graph.object(
      entity: entity.index, key: RowKey(object.key.rawValue + offset))
  }
}
