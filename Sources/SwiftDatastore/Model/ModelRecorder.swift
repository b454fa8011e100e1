import CSlots
public import DatastoreCore

/// An attribute wrapper's declaration, recorded while a prototype initialises.
@usableFromInline
package struct AttributeRecord: Sendable {
  /// The name of the property if the wrapper gives one; otherwise the wrapped property's name counts.
  let name: String?
  let type: AttributeType
  let isOptional: Bool
  let defaultValue: Value
  let isIndexed: Bool
  let isUnique: Bool
  let isSearchable: Bool
  let renamedFrom: String?
  let storedName: String?
  let hashModifier: String?
  let initial: (@Sendable () -> Value)?
  let cases: [EnumCase]?
  let rules: [ValidationRule]
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
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.isIndexed = isIndexed
    self.isUnique = isUnique
    self.isSearchable = isSearchable
    self.renamedFrom = renamedFrom
    self.storedName = storedName
    self.hashModifier = hashModifier
    self.initial = initial
    self.cases = cases
    self.rules = rules
    self.coder = coder
    self.access = access
  }
}

/// A relationship wrapper's declaration, recorded while a prototype initialises.
@usableFromInline
package struct RelationshipRecord: Sendable {
  /// The name of the property if the wrapper gives one; otherwise the wrapped property's name counts.
  let name: String?
  let kind: RelationshipKind
  let destination: DatastoreObject.Type
  /// The slot of the inverse in the destination class.
  let inverse: (@Sendable () -> Slot)?
  /// Whether it is its own inverse.
  let isSymmetric: Bool
  let deleteRule: DeleteRule
  let minimumCount: Int
  let maximumCount: Int
  let renamedFrom: String?
  let storedName: String?
  let hashModifier: String?
  let isOptional: Bool

  @usableFromInline
  package init(
    name: String? = nil, kind: RelationshipKind, destination: DatastoreObject.Type,
    inverse: (@Sendable () -> Slot)?, isSymmetric: Bool = false, deleteRule: DeleteRule,
    minimumCount: Int = 0, maximumCount: Int = 0, renamedFrom: String?, storedName: String?,
    hashModifier: String?, isOptional: Bool = true
  ) {
    self.name = name
    self.isSymmetric = isSymmetric
    self.isOptional = isOptional
    self.kind = kind
    self.destination = destination
    self.inverse = inverse
    self.deleteRule = deleteRule
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.renamedFrom = renamedFrom
    self.storedName = storedName
    self.hashModifier = hashModifier
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
