import CSlots
public import DatastoreCore

/// An attribute wrapper's declaration, recorded while a prototype initialises.
@usableFromInline
package struct AttributeRecord: Sendable {
  /// The name of the property if the wrapper gives one; otherwise the wrapped property's name counts.
  let name: String?
  /// The attribute, without its name.
  let attribute: AttributeDescription
  let initial: (@Sendable () -> Value)?
  /// The coder of a coded attribute and its name in files, if it is not the JSON `AttributeCoder`; files give
  /// JSON no name.
  let coder: (name: String?, coder: any Sendable)?
  /// The wrapper's own way of reading and setting the attribute, if it has one.
  package var access: (any Sendable)?

  @usableFromInline
  package init(
    name: String? = nil, type: AttributeType, isOptional: Bool, defaultValue: Value = .null,
    isIndexed: Bool = false, isUnique: Bool = false, isSearchable: Bool = false,
    renamedFrom: String?, storedName: String? = nil, hashModifier: String?,
    initial: (@Sendable () -> Value)? = nil, cases: [EnumCase]? = nil,
    rules: [ValidationRule] = [], coder: (name: String?, coder: any Sendable)? = nil,
    access: (any Sendable)? = nil
  ) {
    var attribute = AttributeDescription(
      name: "", type: type, isOptional: isOptional, defaultValue: defaultValue,
      isIndexed: isIndexed, isUnique: isUnique, renamedFrom: renamedFrom, cases: cases,
      hashModifier: hashModifier, rules: rules, coder: coder?.name, isSearchable: isSearchable)
    attribute.storedName = storedName
    self.attribute = attribute
    self.name = name
    self.initial = initial
    self.coder = coder
    self.access = access
  }

  func description(name: String) -> AttributeDescription {
    var attribute = attribute
    attribute.name = name
    if attribute.storedName == name { attribute.storedName = nil }
    return attribute
  }
}

/// A relationship wrapper's declaration, recorded while a prototype initialises.
@usableFromInline
package struct RelationshipRecord: Sendable {
  /// The name of the property if the wrapper gives one; otherwise the wrapped property's name counts.
  let name: String?
  /// The relationship, without its name, its inverse and the name of its destination.
  let relationship: RelationshipDescription
  let destination: DatastoreObject.Type
  /// The slot of the inverse in the destination class.
  let inverse: (@Sendable () -> Slot)?
  /// Whether it is its own inverse.
  let isSymmetric: Bool

  @usableFromInline
  package init(
    name: String? = nil, kind: RelationshipKind, destination: DatastoreObject.Type,
    inverse: (@Sendable () -> Slot)?, isSymmetric: Bool = false, deleteRule: DeleteRule,
    minimumCount: Int = 0, maximumCount: Int = 0, renamedFrom: String?, storedName: String?,
    hashModifier: String?, isOptional: Bool = true
  ) {
    var relationship = RelationshipDescription(
      name: "", kind: kind, destination: "", deleteRule: deleteRule, minimumCount: minimumCount,
      maximumCount: maximumCount, renamedFrom: renamedFrom, hashModifier: hashModifier,
      isOptional: isOptional)
    relationship.storedName = storedName
    self.relationship = relationship
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.isSymmetric = isSymmetric
  }

  func description(name: String, inverse: String?) -> RelationshipDescription {
    var relationship = relationship
    relationship.name = name
    relationship.destination = destination.entityName
    relationship.inverse = inverse
    if relationship.storedName == name { relationship.storedName = nil }
    return relationship
  }
}

enum PropertyRecord: Sendable {
  case attribute(AttributeRecord)
  case relationship(RelationshipRecord)

  /// The name of the property if its wrapper gives one.
  var name: String? {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }

  func description(name: String, inverse: String?) -> PropertyDescription {
    switch self {
    case .attribute(let attribute): .attribute(attribute.description(name: name))
    case .relationship(let relationship):
      .relationship(relationship.description(name: name, inverse: inverse))
    }
  }
}

/// Collects the declarations of a prototype's wrappers while it initialises.
@usableFromInline
enum ModelRecorder {
  /// Only one prototype at a time records (`ClassReflection` ensures that), and only the thread that
  /// initialises it has its recording flag set.
  private static let records = Lock<[Int16: PropertyRecord]>([:])

  @usableFromInline
  static func record(_ record: AttributeRecord, slot: Int16) {
    records.withLock { $0[slot] = .attribute(record) }
  }

  @usableFromInline
  static func record(_ record: RelationshipRecord, slot: Int16) {
    records.withLock { $0[slot] = .relationship(record) }
  }

  /// Runs `body`, which initialises one prototype, and returns the declarations of its wrappers, by slot.
  static func recording(_ blocks: SlotBlocks?, _ body: () -> Void) -> [PropertyRecord] {
    records.withLock { $0 = [:] }
    SlotBlocks.begin(blocks)
    cslots_set_recording(1)
    body()
    cslots_set_recording(0)
    return records.withLock { records in
      records.keys.sorted().compactMap { records[$0] }
    }
  }
}
