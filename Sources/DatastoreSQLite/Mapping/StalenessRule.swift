import DatastoreCore
import DatastoreSQL

/// Decides which saved rows of one entity may hold other values than were written.
struct StalenessRule: Sendable {
  /// Every row, whatever was written: the file computes columns, or triggers may have run.
  private let isAlways: Bool
  /// Attributes and the affinity of their columns, if that may convert a value.
  private let converting: [(slot: Slot, affinity: Affinity)]
  /// The attribute that shows the row's key.
  private let keySlot: Slot?

  init(_ mapping: EntityMapping, hasTriggers: Bool) {
    isAlways = hasTriggers || mapping.slots.contains(where: \.isComputed)
    converting = mapping.slots.placed.compactMap { slot, place in
      guard case .attribute(let column) = place, column.affinity != .blob, slot != mapping.keySlot
      else { return nil }
      return (slot, column.affinity)
    }
    keySlot = mapping.keySlot
  }

  /// Whether an inserted row has to be read again.
  func isStale(_ page: RowPage, _ row: Int) -> Bool {
    if isAlways { return true }
    if let keySlot, page.tag(row: row, slot: keySlot) == .null { return true }
    for (slot, affinity) in converting where affinity.converts(page, row, slot) { return true }
    return false
  }

  /// Whether an updated row has to be read again.
  func isStale(_ update: RowUpdate) -> Bool {
    if isAlways { return true }
    for (slot, affinity) in converting
    where update.slots.contains(slot) && affinity.converts(update.page, update.row, slot) {
      return true
    }
    return false
  }
}

extension Affinity {
  /// Whether a column of this affinity may store something other than the cell. May return true
  /// unnecessarily, but never misses a conversion.
  @inline(__always)
  fileprivate func converts(_ page: RowPage, _ row: Int, _ slot: Slot) -> Bool {
    switch (page.tag(row: row, slot: slot), self) {
    case (.null, _), (.blob, _), (_, .blob): false
    case (.integer, .integer), (.integer, .numeric), (.text, .text): false
    // SQLite has no NaN: it stores NULL.
    case (.real, .real): page.real(row: row, slot: slot).isNaN
    default: true
    }
  }
}
