public import SwiftDatastore

/// An entity of a `CoreStoreSchema`, of any class.
public class DynamicEntity {
  /// The name of the entity.
  public let entityName: String
  /// The class of its objects.
  public var type: DatastoreObject.Type { modelEntity.type }
  /// Whether only entities that inherit from it have objects, as given here.
  public var isAbstract: Bool { modelEntity.isAbstract }
  /// The text that distinguishes this version of the entity from others, as given here.
  public var versionHashModifier: String? { modelEntity.hashModifier }
  /// The properties of each index, as given here.
  public var indexes: [[KeyPathString]] { modelEntity.indexNames }
  /// The properties of each unique set, as given here.
  public var uniqueConstraints: [[KeyPathString]] { modelEntity.uniqueNames }
  let modelEntity: ModelEntity

  fileprivate init(_ entityName: String, _ modelEntity: ModelEntity) {
    self.entityName = entityName
    self.modelEntity = modelEntity
  }
}

/// Entities are equal if they have the same class and name.
extension DynamicEntity: Hashable {
  public static func == (left: DynamicEntity, right: DynamicEntity) -> Bool {
    left.type == right.type && left.entityName == right.entityName
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(entityName) }
}

/// A class as an entity of a `CoreStoreSchema`.
///
/// ```swift
/// Entity<Dog>(
///   "Dog", indexes: [[\.$nickname]], uniqueConstraints: [[\.$name, \.$kennel]])
/// ```
///
/// The settings of the class itself (`indexes`, `uniqueConstraints`, `isAbstract`, `hashModifier`) apply as
/// well.
public final class Entity<O: DatastoreObject>: DynamicEntity {
  /// A class as an entity.
  ///
  /// - Parameters:
  ///   - entityName: the name of the entity, which must be the class's `entityName`: its own name, unless the
  ///     class overrides it.
  ///   - isAbstract: whether only entities that inherit from it have objects.
  ///   - versionHashModifier: a text that makes this version of the entity another one, if only the meaning
  ///     of its objects has changed.
  ///   - indexes: properties by which objects are found and sorted faster, index by index: attributes and
  ///     to-one relationships. Indexes may be added and removed without a new version.
  ///   - uniqueConstraints: properties whose values together are unique, set by set: no two objects may agree
  ///     in all of a set, unless one of the values is missing.
  public init(
    _ entityName: String, isAbstract: Bool = false, versionHashModifier: String? = nil,
    indexes: [[PartialKeyPath<O>]] = [], uniqueConstraints: [[PartialKeyPath<O>]] = []
  ) {
    var entity = ModelEntity(O.self)
    entity.name = entityName
    entity.isAbstract = isAbstract
    entity.hashModifier = versionHashModifier
    entity.indexes = indexes.map { Index(properties: $0) }
    entity.uniqueConstraints = uniqueConstraints
    super.init(entityName, entity)
  }

  /// A class as an entity, with the class as an argument: `Entity(Dog.self, "Dog")`.
  public convenience init(
    _ type: O.Type, _ entityName: String, isAbstract: Bool = false,
    versionHashModifier: String? = nil, indexes: [[PartialKeyPath<O>]] = [],
    uniqueConstraints: [[PartialKeyPath<O>]] = []
  ) {
    self.init(
      entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier,
      indexes: indexes, uniqueConstraints: uniqueConstraints)
  }
}
