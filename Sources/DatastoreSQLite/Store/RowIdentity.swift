import DatastoreCore
import DatastoreSQL

/// Decides which row a row is. A key tells where a row is, not that it is the row that was seen there:
/// `VACUUM` reassigns the rowids of a table without an `INTEGER PRIMARY KEY`, and the key of a deleted row
/// may be used again.
///
/// Nothing in the file distinguishes a changed row from one that took its place, so the values decide. A
/// stored row is the one that was read under its key before
///
/// 1. if it holds the same values; or
/// 2. if a unique value, besides the key, or a UUID is still the same; or
/// 3. if its key is a declared one (an `INTEGER PRIMARY KEY`, the primary key of a table `WITHOUT ROWID`, or
///    for a row that was read by only a row number: a unique value that is still the same), and no more than
///    half of the other columns differ. Columns that an edit changes do not count, because they are compared
///    separately, nor do those that are NULL in both.
///
/// Otherwise it is not that row. If the key is only a row number, the row may have been moved: the one row of
/// the table that holds everything that was read counts as it (`RowSearch`), provided that rows may have been
/// moved since, according to `PRAGMA schema_version`.
///
/// If there is none, or several, a person is asked: once too often if someone has changed most columns of a
/// row, rather than once too seldom.
struct RowIdentity {
  enum Verdict {
    case same
    /// The row that was read, with other values in these slots.
    case changed([Slot])
    /// Another row, with other values in these slots.
    case another([Slot])
  }

  /// Slots stored in columns of their own, without computed ones and the key.
  let compared: [Slot]
  /// Slots that are unique, alone or together; none of them part of a declared key.
  private let uniques: [[Slot]]
  private let isMereNumber: Bool

  init(_ mapping: SchemaMapping, entity: EntityIndex) {
    let mapped = mapping.entities[entity]
    compared = mapped.slots.indices.filter { slot in
      !mapped.isKeyPart(slot: slot) && mapped.slots[slot].isWritable
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

  /// Whether a row holds everything that another one held when it was read.
  func isEqual(_ stored: RowReference, to original: RowReference) -> Bool {
    compared.allSatisfy { stored.isSame(as: original, slot: $0) }
  }

  /// - Parameter edited: slots that do not identify the row.
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
    // Native tables have a column for it that is not a property.
    return keySlot == nil && !allColumns.isEmpty
  }
}
