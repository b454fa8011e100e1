import Basics
import DatastoreCore

/// Records of an `Upsert` in a page, until they are written.
///
/// It is a separate type because it knows nothing of the items that the records come from. `Upsert` has the
/// items' type as a parameter that is known at run time only, and would look up its metadata for every value.
struct UpsertBatch {
  /// A relationship whose destination is still to be looked up.
  typealias Reference = (row: Int, place: UpsertedPlace, value: Value)

  /// The number of records that are written at once.
  static let size = 5_000
  /// The number of bytes of text and blobs that are written at once.
  private static let byteCount = 1 << 22

  private let entity: Entity
  private let keySlot: Slot
  /// One-to-one relationships, which cannot be set on a row without looking at other rows.
  private let exclusive: SlotSet
  /// The values that are known.
  var rows: RowBatch
  /// The references that are still to be looked up.
  private var references: [Reference] = []
  /// Whether the last record has its key.
  private(set) var hasKey = false

  init(_ entity: Entity, _ schema: Schema, key: Slot) {
    self.entity = entity
    keySlot = key
    rows = RowBatch(slotCount: entity.slotCount)
    exclusive = SlotSet(
      entity.relationshipSlots.filter { slot in
        guard let link = entity.links[slot], let inverse = link.inverseSlot else { return false }
        return link.kind == .toOne
          && schema.entities[link.destination].links[inverse]?.kind == .toOne
      })
  }

  /// Whether to write the batch before another record begins.
  var isFull: Bool { rows.count >= Self.size || rows.page.heapCount >= Self.byteCount }

  /// Begins a record.
  mutating func begin() {
    rows.append()
    hasKey = false
  }

  /// Adds a value to the current record.
  mutating func say(_ value: Value, of place: UpsertedPlace) {
    require(
      !exclusive.contains(place.slot),
      "\(entity.name).\(entity.properties[place.slot].name) is one-to-one, which upsert cannot set; import "
        + "objects instead")
    if place.slot == keySlot { hasKey = !value.isNull }
    let row = rows.count - 1
    if place.keySlot == nil || value.isNull {
      rows.set(value, row: row, slot: place.slot)
    } else {
      references.append((row, place, value))
    }
  }

  /// Discards the current record.
  mutating func removeLast() {
    let row = rows.count - 1
    references.removeAll { $0.row == row }
    rows.removeLast()
  }

  /// Makes room for other records.
  mutating func removeAll() {
    rows = RowBatch(slotCount: entity.slotCount)
  }

  /// Takes the references that are still to be looked up.
  mutating func takeReferences() -> [Reference] {
    defer { references = [] }
    return references
  }
}
