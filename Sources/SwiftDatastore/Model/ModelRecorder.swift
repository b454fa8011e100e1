import CSlots
public import DatastoreCore

/// What an attribute wrapper says of itself while a prototype initialises.
@usableFromInline
struct AttributeRecord: Sendable {
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
  /// The `AttributeCoder` of a coded attribute, where it is not that of JSON, and what files call it.
  let coder: (name: String, coder: any Sendable)?

  @usableFromInline
  init(
    type: AttributeType, isOptional: Bool, defaultValue: Value = .null, isIndexed: Bool,
    isUnique: Bool, isSearchable: Bool = false, renamedFrom: String?, storedName: String?,
    hashModifier: String?,
    initial: (@Sendable () -> Value)? = nil,
    cases: [EnumCase]? = nil, rules: [ValidationRule] = [],
    coder: (name: String, coder: any Sendable)? = nil
  ) {
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
  }
}

/// What a relationship wrapper says of itself while a prototype initialises.
@usableFromInline
struct RelationshipRecord: Sendable {
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
  init(
    kind: RelationshipKind, destination: DatastoreObject.Type,
    inverse: (@Sendable () -> Slot)?, isSymmetric: Bool = false, deleteRule: DeleteRule,
    minimumCount: Int = 0, maximumCount: Int = 0, renamedFrom: String?, storedName: String?,
    hashModifier: String?, isOptional: Bool = true
  ) {
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
}

/// Collects what the wrappers of one prototype say, while it initialises.
@usableFromInline
enum ModelRecorder {
  /// Only one prototype at a time records (`ClassReflection` sees to that), and only the thread that
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

  /// Runs `body`, which initialises one prototype, and returns what its wrappers said, by slot.
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
