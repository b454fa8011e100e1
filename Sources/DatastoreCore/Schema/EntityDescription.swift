/// One entity, as a value: the description of its objects by a model class or a table.
public struct EntityDescription: Sendable, Hashable, Codable {
  /// The name; the table's in native files.
  public var name: String
  /// In slot order; those of the parent come first.
  public var properties: [PropertyDescription]
  /// Sets of attributes whose values together are unique.
  public var uniqueness: [[String]]
  /// Indexes over several attributes and to-one relationships, besides those of single attributes.
  public var indexes: [IndexDescription]
  /// A text that is part of the entity's version: it changes when only the meaning of its objects has
  /// changed.
  public var hashModifier: String?
  /// The name of the entity it inherits from: its objects are also objects of that entity.
  public var parent: String?
  /// Whether only its descendants have objects.
  public var isAbstract: Bool
  /// The name this entity had in an older version of the model.
  public var renamedFrom: String?
  /// Whether objects cannot be changed: for views and entities without a key.
  public var isReadOnly: Bool
  /// Other names for predicates and sort orders, each standing for a path: the foreign key columns of
  /// third-party files (`department_id` for `department.id`).
  public var aliases: [String: [String]]
  /// The name of its table in a third-party file or a server, if it differs: Swift cannot tell all names of a
  /// database apart.
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

  /// The slot of a property, or nil when there is none with the name. O(properties).
  package func slot(named name: String) -> Slot? {
    slots.first { properties[$0].name == name }
  }
}
