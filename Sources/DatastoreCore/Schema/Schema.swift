import Basics

/// All entities of a store, resolved: names are replaced by indices, and inverses are linked.
///
/// Immutable and shared by every context, controller and connection of a store.
public final class Schema: Sendable {
  /// By entity index.
  public let entities: [Entity]
  /// The name of the version of the model, if it has one.
  public let version: String?
  /// The parts of the previous version that this version has given up; a file may lose their values.
  public let removes: DeclaredLosses
  /// The names of the entities in a store of a configuration, by its name; a store without a configuration
  /// holds all.
  public let configurations: [String: Set<String>]
  private let indexByName: [String: EntityIndex]
  /// By the exact key of the table's name in the database, if Swift cannot tell the names apart; otherwise
  /// empty.
  private let indexByStoredName: [String: EntityIndex]
  /// The delete rules of each entity's family.
  private let deleteRules: ByEntity<DeleteRules>

  /// Resolves descriptions into entities.
  ///
  /// - Parameters:
  ///   - descriptions: the entities; children may come before or after their parents.
  ///   - version: the name of the version of the model, if it has one.
  ///   - removes: the data that a file of the previous version may lose on the way to this one.
  ///   - configurations: the names of the entities in a store of a configuration, by its name.
  /// - Throws: `SchemaError` listing every fault: duplicate names, missing destinations, inverses
  ///   that do not exist or do not lead back, parents that do not exist or are not inherited from,
  ///   configurations of entities that do not exist.
  public init(
    _ descriptions: [EntityDescription], version: String? = nil, removes: DeclaredLosses = [],
    configurations: [String: Set<String>] = [:]
  ) throws {
    var indexByName: [String: EntityIndex] = [:]
    for (index, description) in descriptions.enumerated() where indexByName[description.name] == nil
    {
      indexByName[description.name] = EntityIndex(index)
    }
    let faults =
      SchemaFault.all(in: descriptions, indexByName: indexByName)
      + SchemaFault.unknownEntities(in: configurations) { indexByName[$0] != nil }
    guard faults.isEmpty else { throw SchemaError(faults: faults) }
    self.indexByName = indexByName
    indexByStoredName = Self.exactPlaces(descriptions.map { ($0.name, $0.storedName) })
      .mapValues { EntityIndex($0) }
    self.version = version
    self.removes = removes
    self.configurations = configurations
    let families = EntityFamilies(descriptions, indexByName: indexByName)
    entities = descriptions.enumerated().map { index, description in
      Entity(
        description, index: EntityIndex(index), in: descriptions, indexByName: indexByName,
        families: families)
    }
    let oneWay = entities.flatMap { entity in
      entity.links.compactMap(\.self).filter { $0.inverseSlot == nil && $0.entity == entity.index }
    }
    deleteRules = ByEntity(
      entities.map { [entities] in DeleteRules(of: $0.root, in: entities, oneWay: oneWay) })
  }

  /// The delete rules of the family of an entity. O(1).
  package func deleteRules(of entity: EntityIndex) -> DeleteRules { deleteRules[entity] }

  /// The entity with a name, or nil. O(1).
  ///
  /// Of names that differ only in Unicode normalization, chooses the one with the same bytes.
  public func entity(named name: String) -> Entity? {
    if !indexByStoredName.isEmpty, let index = indexByStoredName[name.exactKey] {
      return entities[index]
    }
    return indexByName[name].map { entities[$0] }
  }

  /// The entity that a person means by a name. Case is ignored for ASCII letters, as in SQLite, if that
  /// leaves a single entity. O(entities) if there is none with the name itself.
  package func entity(meantBy name: String) -> Entity? {
    if let entity = entity(named: name) { return entity }
    let alike = entities.filter { $0.name.caselessKey == name.caselessKey }
    return alike.count == 1 ? alike[0] : nil
  }

  /// The indices of names that Swift cannot tell from others, by the exact keys of their names in the
  /// database.
  fileprivate static func exactPlaces(
    _ names: [(name: String, storedName: String?)]
  ) -> [String: Int] {
    var places: [String: Int] = [:]
    for (place, name) in names.enumerated() {
      guard let stored = name.storedName,
        names.contains(where: { $0.name == stored && !$0.name.isExactly(stored) })
      else { continue }
      places[stored.exactKey] = place
    }
    return places
  }
}

/// One entity of a resolved schema.
public final class Entity: Sendable {
  /// Its description by the model or the file.
  public let description: EntityDescription
  /// Its index in `Schema.entities`.
  public let index: EntityIndex
  /// The index of the entity it inherits from.
  public let parent: EntityIndex?
  /// The index of the entity at the top of its family; its own without a parent. Keys are unique within
  /// a family, and a graph knows one object for each.
  public let root: EntityIndex
  /// The indices of the entities whose objects are objects of this one: its own, then those of all that
  /// inherit from it, parents before children, otherwise by name.
  public let members: [EntityIndex]
  /// The indices of its parent, the parent's parent and so on.
  public let ancestors: [EntityIndex]
  /// The column of a page of its rows that holds the index of each row's entity (see `RowPage`); nil without
  /// descendants.
  package let entityColumn: Int?
  /// By slot; nil if the slot is an attribute.
  public let links: [RelationshipLink?]
  /// The slots of all relationships, ascending.
  public let relationshipSlots: [Slot]
  /// The values of a new object: the default of each attribute, otherwise NULL. Stored, because computing
  /// them from the descriptions for each new object would copy these.
  package let initialValues: BySlot<Value>
  /// The slots that cannot be assigned. Stored, because reading a description copies it.
  package let readOnlySlots: SlotSet
  /// The slots of a row: attributes and to-one relationships.
  package let rowSlots: SlotSet
  /// The attributes that have rules, by slot. Stored, so that objects without rules need no check.
  package let rules: [(slot: Slot, type: AttributeType, rules: [ValidationRule])]
  /// The slots of attributes with a coder other than JSON, ascending.
  package let codedSlots: [Slot]
  /// The slots of all attributes with a coder.
  package let bytesSlots: SlotSet
  /// The slots of attributes whose type has values that no store can hold, ascending.
  package let unsigned64Slots: [Slot]
  private let names: [String]
  private let slotByName: [String: Slot]
  /// By the exact key of the column's name in the database, if Swift cannot tell the names apart; otherwise
  /// empty.
  private let slotByStoredName: [String: Slot]

  fileprivate init(
    _ description: EntityDescription, index: EntityIndex, in all: [EntityDescription],
    indexByName: [String: EntityIndex], families: EntityFamilies
  ) {
    parent = families.parents[index]
    ancestors = families.ancestors(of: index)
    root = ancestors.last ?? index
    members = families.members(of: index)
    entityColumn = members.count > 1 ? members.map { all[$0].properties.count }.max() : nil
    let declaring = ancestors
    self.description = description
    self.index = index
    links = zip(description.slots, description.properties).map {
      slot, property -> RelationshipLink? in
      guard let relationship = property.relationship else { return nil }
      guard let destination = indexByName[relationship.destination] else {
        trap("`Schema.init` has checked that every destination exists")
      }
      let inverseSlot = relationship.inverse.flatMap { inverse in
        all[destination].slot(named: inverse)
      }
      return RelationshipLink(
        description: relationship, slot: slot,
        entity: declaring.last { all[$0].slots.contains(slot) } ?? index,
        destination: destination,
        inverseSlot: inverseSlot)
    }
    unsigned64Slots = description.slots.filter {
      description.properties[$0].attribute?.type == .unsigned64
    }
    rules = zip(description.slots, description.properties).compactMap { slot, property in
      guard let attribute = property.attribute, !attribute.rules.isEmpty else { return nil }
      return (slot, attribute.type, attribute.rules)
    }
    codedSlots = description.slots.filter {
      description.properties[$0].attribute?.coder != nil
    }
    bytesSlots = SlotSet(
      description.slots.filter { description.properties[$0].attribute?.type == .coded })
    relationshipSlots = links.compactMap { $0?.slot }
    initialValues = BySlot(description.properties.map { $0.attribute?.defaultValue ?? .null })
    readOnlySlots = SlotSet(
      zip(description.slots, description.properties).compactMap { slot, property in
        let isReadOnly =
          property.attribute?.isReadOnly ?? property.relationship?.isReadOnly ?? false
        return description.isReadOnly || isReadOnly ? slot : nil
      })
    rowSlots = SlotSet(
      zip(description.slots, description.properties).compactMap { slot, property in
        property.relationship?.kind.isToMany ?? false ? nil : slot
      })
    names = description.properties.map(\.name)
    slotByStoredName = Schema.exactPlaces(
      description.properties.map { ($0.name, $0.attribute?.storedName) }
    ).mapValues { Slot($0) }
    slotByName = Dictionary(
      zip(description.slots, description.properties).map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The name.
  public var name: String { description.name }
  /// By slot.
  public var properties: [PropertyDescription] { description.properties }
  /// The number of properties.
  public var slotCount: Int { description.properties.count }
  /// The slots of all properties, ascending.
  public var slots: Range<Slot> { description.slots }
  /// Whether objects cannot be changed: for views and entities without a key.
  public var isReadOnly: Bool { description.isReadOnly }
  /// Whether it has no objects of its own, only those of its descendants.
  public var isAbstract: Bool { description.isAbstract }
  /// Whether it inherits from another entity, or another from it.
  package var isInFamily: Bool { parent != nil || entityColumn != nil }

  /// The attribute that identifies an object in files: the only unique one; nil for none, and for several.
  package var identifyingSlot: Slot? {
    let unique = slots.filter { properties[$0].attribute?.isUnique ?? false }
    return unique.count == 1 ? unique[0] : nil
  }

  /// The to-one relationship whose objects a file identifies in a column of a name such as `country.code`.
  package func relationship(identifiedBy column: String, in schema: Schema) -> String? {
    links.compactMap(\.self).first { link in
      let destination = schema.entities[link.destination]
      guard link.kind == .toOne, let key = destination.identifyingSlot else { return false }
      return column == "\(link.description.name).\(destination.properties[key].name)"
    }?.description.name
  }

  /// The number of cells of a row in a page of its rows and those of its descendants.
  package var pageColumnCount: Int { entityColumn.map { $0 + 1 } ?? slotCount }

  /// Whether objects of this entity are objects of the other: it is the other or inherits from it.
  /// O(ancestors).
  public func isKind(of other: Entity) -> Bool {
    index == other.index || !ancestors.isEmpty && ancestors.contains(other.index)
  }

  /// The entity of a row in one of its pages: itself, or a descendant.
  package func index(ofRow row: Int, in page: RowPage) -> EntityIndex {
    entityColumn.map { EntityIndex(Int(page.integer(row: row, column: $0))) } ?? index
  }

  /// The slot of a property, or nil when there is none with the name. O(1).
  ///
  /// Of names that differ only in Unicode normalization, chooses the one with the same bytes.
  public func slot(named name: String) -> Slot? {
    if !slotByStoredName.isEmpty, let slot = slotByStoredName[name.exactKey] { return slot }
    // Comparing a few short names takes a third of the time of hashing one.
    return names.count <= 16
      ? names.firstIndex(of: name).map { Slot($0) } : slotByName[name]
  }

  /// The first rule that a value of an attribute would break; nil if it breaks none.
  package func brokenRule(
    by value: Value, at slot: Slot
  ) -> (rule: ValidationRule, type: AttributeType)? {
    guard let ruled = rules.first(where: { $0.slot == slot }) else { return nil }
    return ruled.rules.first { !$0.accepts(value, of: ruled.type) }.map { ($0, ruled.type) }
  }
}

extension Entity: Hashable {
  public static func == (left: Entity, right: Entity) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A relationship with its names resolved to indices.
public struct RelationshipLink: Sendable, Hashable {
  /// Behind one reference, because a link is copied for each object whose relationships are read.
  private let described: Described
  /// Its slot in its own entity.
  public let slot: Slot
  /// Index of the entity that declares it; its descendants have it, too.
  public let entity: EntityIndex
  /// Index of the entity it leads to.
  public let destination: EntityIndex
  /// The slot of the inverse in the destination, or nil when it is one-way.
  public let inverseSlot: Slot?

  /// The number of objects it leads to, and whether they are ordered.
  public let kind: RelationshipKind
  /// The effect on the other side when an object is deleted.
  package let deleteRule: DeleteRule

  fileprivate init(
    description: RelationshipDescription, slot: Slot, entity: EntityIndex, destination: EntityIndex,
    inverseSlot: Slot?
  ) {
    described = Described(description)
    self.slot = slot
    self.entity = entity
    self.destination = destination
    self.inverseSlot = inverseSlot
    kind = description.kind
    deleteRule = description.deleteRule
  }

  /// Its description by the model or the file.
  public var description: RelationshipDescription { described.description }
  /// Whether it is symmetric: each destination leads back by the same relationship.
  package var isOwnInverse: Bool { inverseSlot == slot && destination == entity }
}

/// The description of a relationship; equal if the descriptions are.
private final class Described: Sendable, Hashable {
  let description: RelationshipDescription

  init(_ description: RelationshipDescription) {
    self.description = description
  }

  static func == (left: Described, right: Described) -> Bool {
    left === right || left.description == right.description
  }

  func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
