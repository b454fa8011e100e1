/// An entity of a `CoreStoreSchema`, of whatever class.
public protocol DynamicEntity {
  /// The name of the entity.
  var entityName: String { get }
  /// The class of its objects.
  var type: DatastoreObject.Type { get }
  /// Whether only entities that inherit from it have objects.
  var isAbstract: Bool { get }
  /// A text that makes it another version than without it.
  var versionHashModifier: String? { get }
  /// Properties by which objects are found and sorted sooner, index by index.
  var indexes: [[AnyKeyPath]] { get }
  /// Properties whose values together are unique, set by set.
  var uniqueConstraints: [[AnyKeyPath]] { get }
}

/// A class as an entity of a `CoreStoreSchema`.
///
/// ```swift
/// Entity<Dog>(
///   "Dog", indexes: [[\.$nickname]], uniqueConstraints: [[\.$name, \.$kennel]])
/// ```
///
/// What the class says itself (`indexes`, `uniqueConstraints`, `isAbstract`, `hashModifier`) holds as well.
public struct Entity<O: DatastoreObject>: DynamicEntity {
  public let entityName: String
  public let isAbstract: Bool
  public let versionHashModifier: String?
  public let indexes: [[AnyKeyPath]]
  public let uniqueConstraints: [[AnyKeyPath]]

  public var type: DatastoreObject.Type { O.self }

  /// A class as an entity.
  ///
  /// - Parameters:
  ///   - entityName: the name of the entity, which is the class's `entityName`: its own name, unless the class
  ///     overrides it.
  ///   - isAbstract: whether only entities that inherit from it have objects.
  ///   - versionHashModifier: a text that makes this version of the entity another one, where only the meaning of its
  ///     objects has changed.
  ///   - indexes: properties by which objects are found and sorted sooner, index by index: attributes and to-one
  ///     relationships. Indexes may come and go without a new version.
  ///   - uniqueConstraints: properties whose values together are unique, set by set: no two objects may agree in all
  ///     of a set, unless one of the values is missing.
  public init(
    _ entityName: String, isAbstract: Bool = false, versionHashModifier: String? = nil,
    indexes: [[PartialKeyPath<O>]] = [], uniqueConstraints: [[PartialKeyPath<O>]] = []
  ) {
    self.entityName = entityName
    self.isAbstract = isAbstract
    self.versionHashModifier = versionHashModifier
    self.indexes = indexes
    self.uniqueConstraints = uniqueConstraints
  }

  /// The same with the class as an argument: `Entity(Dog.self, "Dog")`.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - entityName: the name of the entity, which is the class's `entityName`.
  ///   - isAbstract: whether only entities that inherit from it have objects.
  ///   - versionHashModifier: a text that makes this version of the entity another one.
  ///   - indexes: properties by which objects are found and sorted sooner, index by index.
  ///   - uniqueConstraints: properties whose values together are unique, set by set.
  public init(
    _ type: O.Type, _ entityName: String, isAbstract: Bool = false,
    versionHashModifier: String? = nil, indexes: [[PartialKeyPath<O>]] = [],
    uniqueConstraints: [[PartialKeyPath<O>]] = []
  ) {
    self.init(
      entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier,
      indexes: indexes, uniqueConstraints: uniqueConstraints)
  }
}

extension DynamicEntity {
  var modelEntity: ModelEntity {
    var entity = ModelEntity(type)
    entity.name = entityName
    entity.isAbstract = isAbstract
    entity.hashModifier = versionHashModifier
    entity.indexes = indexes.map { Index(properties: $0) }
    entity.uniqueConstraints = uniqueConstraints
    return entity
  }
}
