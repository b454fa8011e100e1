import CSlots
public import DatastoreCore

/// What an attribute wrapper says of itself while a prototype initialises.
@usableFromInline
package struct AttributeRecord: Sendable {
  /// The name of the property where the wrapper says one; that of the wrapped property without it.
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
  /// The coder of a coded attribute, where it is not the `AttributeCoder` of JSON, and what files call it;
  /// they call JSON nothing.
  let coder: (name: String?, coder: any Sendable)?
  /// How its wrapper reads and sets it, where that is its own.
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

/// What a relationship wrapper says of itself while a prototype initialises.
@usableFromInline
package struct RelationshipRecord: Sendable {
  /// The name of the property where the wrapper says one; that of the wrapped property without it.
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

  /// The name of the property where its wrapper says one.
  var name: String? {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }
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
