/// An index of staged objects by the value of an attribute, so that a condition with `==` or `IN` need not
/// examine all of them: a program that looks for each of 20,000 objects before it creates it would otherwise
/// examine 200,000,000.
///
/// Created by the first fetch that can use it, once so many objects are staged that examining them takes
/// time, and discarded by any change of staged objects other than an assignment. It may return objects that
/// no longer have a value, but never misses one that does; the caller checks each.
///
/// While it exists, an assignment costs one append. Belongs to its graph.
final class StagedIndex {
  /// Fewer staged objects are examined one by one.
  static let least = 64

  /// The objects with one value, each once. Most values have a single object: one of 400,000 takes no
  /// allocation of its own.
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

  /// The objects of an entity and its descendants by their present and former values of a slot.
  private final class Values {
    let entity: Entity
    let slot: Slot
    var holders: [Value: Holders] = [:]
    /// The part of the log that was processed.
    var position = 0

    init(_ entity: Entity, _ slot: Slot) {
      self.entity = entity
      self.slot = slot
    }
  }

  /// The `storedVersion` of the graph when it was created.
  let storedVersion: Int
  /// Every staged object, and again after each assignment to it.
  private var log: ContiguousArray<ManagedObject>
  /// The part of the log that any look-up has processed.
  private var lookedAt = 0
  /// Few attributes are looked up.
  private var values: [Values] = []
  private(set) var counts: ByEntity<Int>

  init(_ tracked: ContiguousArray<ManagedObject>, _ schema: Schema, storedVersion: Int) {
    log = tracked
    self.storedVersion = storedVersion
    counts = ByEntity(repeating: 0, count: schema.entities.count)
    for object in tracked { counts[object.entity.index] += 1 }
  }

  /// Records an object without earlier staged changes.
  func add(_ object: ManagedObject) {
    counts[object.entity.index] += 1
    log.append(object)
  }

  /// Records that values of an object may have changed.
  func touch(_ object: ManagedObject) {
    if log.last !== object || lookedAt == log.count { log.append(object) }
  }

  /// The objects with one of the given values, each once; maybe others.
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

  /// Values that may compare as equal have one key: numbers of both kinds, and texts that are numbers, which
  /// a column of a third-party file may hold as either.
  private static func key(_ value: Value) -> Value {
    switch value {
    case .real(let number): Int64(exactly: number).map { .integer($0) } ?? value
    case .text(let text): number(text) ?? value
    default: value
    }
  }

  private static func number(_ text: String) -> Value? {
    // Few texts begin like a number.
    guard let first = text.utf8.first, first <= UInt8(ascii: "9") else { return nil }
    let text = text.trimmingPrefix { $0.isWhitespace }
    return Int64(text).map { .integer($0) } ?? Double(text).map { key(.real($0)) }
  }
}
