/// Where staged objects are found by what an attribute holds, so that a condition with `==` or `IN` need not
/// look at all of them: a program that looks for each of 20,000 objects before it creates it would look at
/// 200,000,000 otherwise.
///
/// Made by the first fetch that can use it, once more objects are staged than are looked at in no time, and
/// discarded by everything that changes staged objects other than by an assignment. It may name objects that
/// no longer hold a value, never fails to name one that does; who asks decides about each.
///
/// An assignment costs one append while it is there. Belongs to its graph.
final class StagedIndex {
  /// Fewer staged objects are looked at one by one.
  static let least = 64

  /// The objects that hold one value, each once. Most have it for themselves: one of 400,000 takes no memory
  /// of its own.
  private struct Holders {
    let first: ManagedObject
    private(set) var others: [ManagedObject] = []
    private var known: Set<ObjectIdentifier> = []

    init(_ first: ManagedObject) { self.first = first }

    mutating func insert(_ object: ManagedObject) {
      guard object !== first, known.insert(ObjectIdentifier(object)).inserted else { return }
      others.append(object)
    }
  }

  /// The objects of an entity, and of those that inherit from it, by what they hold or have held in a slot.
  private final class Values {
    let entity: Entity
    let slot: Slot
    var holders: [Value: Holders] = [:]
    /// How much of the log has been looked at.
    var position = 0

    init(_ entity: Entity, _ slot: Slot) {
      self.entity = entity
      self.slot = slot
    }
  }

  /// The stored state of the graph that it belongs to.
  let storedVersion: Int
  /// Every object that was staged, and again after each assignment to it.
  private var log: ContiguousArray<ManagedObject>
  /// How much of it anyone has looked at.
  private var lookedAt = 0
  /// Few attributes are looked for.
  private var values: [Values] = []
  private(set) var counts: ByEntity<Int>

  init(_ tracked: ContiguousArray<ManagedObject>, _ schema: Schema, storedVersion: Int) {
    log = tracked
    self.storedVersion = storedVersion
    counts = ByEntity(repeating: 0, count: schema.entities.count)
    for object in tracked { counts[object.entity.index] += 1 }
  }

  /// Records an object of which nothing was staged before.
  func add(_ object: ManagedObject) {
    counts[object.entity.index] += 1
    log.append(object)
  }

  /// Records that an object may hold something else than before.
  func touch(_ object: ManagedObject) {
    if log.last !== object || lookedAt == log.count { log.append(object) }
  }

  /// The objects that hold one of those values, each once; maybe others.
  func objects(of entity: Entity, at slot: Slot, holding sought: [Value]) -> [ManagedObject] {
    let values = updatedValues(of: entity, at: slot)
    if sought.count == 1 {
      guard let holders = values.holders[Self.key(sought[0])] else { return [] }
      return [holders.first] + holders.others
    }
    var seen: Set<ObjectIdentifier> = []
    var found: [ManagedObject] = []
    for value in sought {
      guard let holders = values.holders[Self.key(value)] else { continue }
      for object in [holders.first] + holders.others
      where seen.insert(ObjectIdentifier(object)).inserted { found.append(object) }
    }
    return found
  }

  private func updatedValues(of entity: Entity, at slot: Slot) -> Values {
    let index: Values
    if let known = values.first(where: { $0.entity === entity && $0.slot == slot }) {
      index = known
    } else {
      index = Values(entity, slot)
      values.append(index)
    }
    for object in log[index.position...]
    where object.entity.isKind(of: entity) && !object.isKnownDeleted {
      let value = Self.key(object.value(at: slot))
      if index.holders[value]?.insert(object) == nil { index.holders[value] = Holders(object) }
    }
    index.position = log.count
    lookedAt = log.count
    return index
  }

  /// What may be equal is one, as in a comparison: numbers of both kinds, and texts that are numbers, which
  /// a column of another program may hold as either.
  private static func key(_ value: Value) -> Value {
    switch value {
    case .real(let number): Int64(exactly: number).map { .integer($0) } ?? value
    case .text(let text): number(text) ?? value
    default: value
    }
  }

  private static func number(_ text: String) -> Value? {
    // Few texts begin like one.
    guard let first = text.utf8.first, first <= UInt8(ascii: "9") else { return nil }
    let text = text.trimmingPrefix { $0.isWhitespace }
    return Int64(text).map { .integer($0) } ?? Double(text).map { key(.real($0)) }
  }
}

/// A condition that objects can only meet if an attribute holds one of some values.
struct StagedLookup {
  let slot: Slot
  let values: [Value]

  /// - Returns: nil where the condition says nothing of that kind.
  init?(_ predicate: Predicate?, _ entity: Entity) {
    switch predicate {
    case .and(let parts):
      for part in parts {
        if let lookup = StagedLookup(part, entity) {
          self = lookup
          return
        }
      }
      return nil
    case .comparison(let comparison):
      self.init(comparison, entity)
    default: return nil
    }
  }

  private init?(_ comparison: Predicate.Comparison, _ entity: Entity) {
    guard comparison.quantifier == .direct, comparison.options.isEmpty,
      case .keyPath(let path) = comparison.left, path.count == 1,
      let slot = entity.slot(named: path[0]),
      let attribute = entity.properties[slot].attribute
    else { return nil }
    self.slot = slot
    switch (comparison.comparator, comparison.right) {
    case (.equal, .value(let value)): values = [value]
    case (.in, .list(let members)):
      var listed: [Value] = []
      for member in members {
        guard case .value(let value) = member else { return nil }
        listed.append(value)
      }
      values = listed
    default: return nil
    }
    guard values.allSatisfy({ Self.isExact($0, attribute.type) }) else { return nil }
  }

  /// Whether a value of such an attribute is equal to the constant only where both are the same value: other
  /// types are compared by rules of their own.
  private static func isExact(_ value: Value, _ type: AttributeType) -> Bool {
    switch (type, value) {
    case (.boolean, .integer), (.integer8, .integer), (.integer16, .integer),
      (.integer32, .integer),
      (.integer64, .integer), (.string, .text), (.uuid, .blob), (.uuid, .text), (.data, .blob):
      true
    default: false
    }
  }
}
