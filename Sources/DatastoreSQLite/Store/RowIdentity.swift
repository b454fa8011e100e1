import DatastoreCore
import DatastoreSQL

/// Which row is it? A key says where a row is to be found, not that it is the row that was seen there: the
/// rowids of a table without an `INTEGER PRIMARY KEY` are given out again by `VACUUM`, and the key of a row
/// that was deleted may be used again.
///
/// Nothing in the file distinguishes a row that was changed from one that took its place, so the values
/// decide. A stored row is the one that was read under its key before
///
/// 1. if it holds the same values; or
/// 2. if a unique value, besides the key, or a UUID is still the same; or
/// 3. if its key is a declared one (an `INTEGER PRIMARY KEY`, the primary key of a table `WITHOUT ROWID`,
///    or for a row that was read by a mere row number: a unique value that is still the same), and no
///    more than half of the other columns hold something else. The columns that an edit changes do not count,
///    since they are compared by themselves, nor do those that are NULL in both.
///
/// Otherwise it is not that row. Where the key is a mere row number, it may then have been moved: the one row
/// of the table that holds all that was read is treated as it (`RowSearch`), provided that anything can have
/// moved rows since, which `PRAGMA schema_version` says.
///
/// Where that finds none, or several, a person is asked: once too often where someone has changed most
/// columns of a row, rather than once too seldom.
struct RowIdentity {
  enum Verdict {
    case same
    /// The row that was read, with other values in those slots.
    case changed([Slot])
    /// Another row, with other values in those slots.
    case another([Slot])
  }

  /// Slots that are stored in columns of their own: not what the file computes, nor the key.
  let compared: [Slot]
  /// Slots that are unique, alone or together; none of them part of a declared key.
  private let uniques: [[Slot]]
  private let isMereNumber: Bool

  init(_ mapping: SchemaMapping, entity: EntityIndex) {
    let mapped = mapping.entities[entity]
    compared = mapped.slots.indices.filter { slot in
      if mapped.isKeyPart(slot: slot) { return false }
      return switch mapped.slots[slot] {
      case .attribute(let column): !column.isGenerated
      case .toOne(let foreign): foreign.isWritable
      case .toManyForeignKey, .toManyJoin: false
      }
    }
    isMereNumber = mapped.isMereNumber
    let described = mapping.schema.entities[entity]
    let single = described.slots.filter {
      described.properties[$0].attribute?.isUnique ?? false
    }
    let several = described.description.uniqueness.map { $0.compactMap(described.slot(named:)) }
    uniques = (single.map { [$0] } + several).filter { slots in
      !slots.contains { mapped.isKeyPart(slot: $0) }
    }
  }

  /// Whether a row holds all that another one held when it was read.
  func isEqual(_ stored: RowReference, to original: RowReference) -> Bool {
    compared.allSatisfy { stored.isSame(as: original, slot: $0) }
  }

  /// - Parameter edited: slots by which the row is not distinguished.
  func verdict(
    on stored: RowReference, readAs original: RowReference, besides edited: SlotSet = SlotSet()
  ) -> Verdict {
    let differing = compared.filter { !stored.isSame(as: original, slot: $0) }
    if differing.isEmpty { return .same }
    if compared.contains(where: { stored.isUUID($0) && stored.isSame(as: original, slot: $0) }) {
      return .changed(differing)
    }
    var keys = uniques.filter { slots in
      slots.allSatisfy { !stored.isNull($0) && stored.isSame(as: original, slot: $0) }
    }
    var key: [Slot] = []
    if isMereNumber {
      if keys.isEmpty { return .another(differing) }
      key = keys.removeFirst()
    }
    if !keys.isEmpty { return .changed(differing) }
    let others = compared.filter { slot in
      !edited.contains(slot) && !key.contains(slot)
        && !(stored.isNull(slot) && original.isNull(slot))
    }
    let changed = others.count { differing.contains($0) }
    return 2 * changed > others.count ? .another(differing) : .changed(differing)
  }
}

extension RowReference {
  fileprivate func isNull(_ slot: Slot) -> Bool { page.tag(row: row, slot: slot) == .null }

  /// Whether a cell holds a UUID, as 16 bytes or as text.
  fileprivate func isUUID(_ slot: Slot) -> Bool {
    switch page.tag(row: row, slot: slot) {
    case .blob: return page.bytes(row: row, slot: slot).count == 16
    case .text:
      let bytes = page.bytes(row: row, slot: slot)
      return bytes.count == 36
        && bytes.enumerated().allSatisfy { place, byte in
          [8, 13, 18, 23].contains(place)
            ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
        }
    case .null, .integer, .real: return false
    }
  }
}

extension EntityMapping {
  /// Whether rows are found by a rowid that no column shows, and that `VACUUM` may change.
  var isMereNumber: Bool {
    guard case .rowid = key else { return false }
    // Tables of our own have a column for it that is not a property.
    return keySlot == nil && !allColumns.isEmpty
  }
}
