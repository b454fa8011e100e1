/// One entity, as a value: what a model class or a table says about its objects.
public struct EntityDescription: Sendable, Hashable, Codable {
  /// The name; the table's in native files.
  public var name: String
  /// In slot order; those of the parent come first.
  public var properties: [PropertyDescription]
  /// Sets of attributes whose values together are unique.
  public var uniqueness: [[String]]
  /// Indexes over several attributes and to-one relationships, besides those of single attributes.
  public var indexes: [IndexDescription]
  /// A text that makes the entity another version than without it, where only the meaning of its objects has
  /// changed.
  public var hashModifier: String?
  /// The name of the entity it inherits from: its objects are objects of that one, too.
  public var parent: String?
  /// Whether only its descendants have objects.
  public var isAbstract: Bool
  /// The name this entity had in an older version of the model.
  public var renamedFrom: String?
  /// Views and entities that have no key: objects cannot be changed.
  public var isReadOnly: Bool
  /// Other names that predicates and sort orders may use, each standing for a path: the foreign key
  /// columns of third-party files (`department_id` for `department.id`).
  public var aliases: [String: [String]]
  /// What its table is called in a third-party file or a server, where that is another name: Swift cannot
  /// tell all names of a database apart.
  package var storedName: String?

  /// A description; `Schema.init(_:)` checks it together with the others.
  public init(
    name: String, properties: [PropertyDescription], uniqueness: [[String]] = [],
    parent: String? = nil, isAbstract: Bool = false, renamedFrom: String? = nil,
    isReadOnly: Bool = false, aliases: [String: [String]] = [:],
    indexes: [IndexDescription] = [], hashModifier: String? = nil
  ) {
    self.name = name
    self.properties = properties
    self.uniqueness = uniqueness
    self.parent = parent
    self.isAbstract = isAbstract
    self.renamedFrom = renamedFrom
    self.isReadOnly = isReadOnly
    self.aliases = aliases
    self.indexes = indexes
    self.hashModifier = hashModifier
  }

  /// The slots of all properties, ascending.
  package var slots: Range<Slot> { 0..<Slot(properties.count) }

  /// The slot of a property, or nil when there is none of that name. O(properties).
  package func slot(named name: String) -> Slot? {
    slots.first { properties[$0].name == name }
  }
}
