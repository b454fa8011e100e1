import Basics
import DatastoreCore

/// Records of an `Upsert` on their way into a page, until they are written.
///
/// It is a type of its own because it knows nothing of the items that the records are made of: `Upsert`,
/// whose type of items is known at run time only, would look for its metadata at every value.
struct UpsertBatch {
  /// A relationship whose destination is still to be looked up.
  typealias Reference = (row: Int, place: UpsertedPlace, value: Value)

  /// Records that are written at once.
  static let size = 5_000
  /// Bytes of text and blobs that are.
  private static let byteCount = 1 << 22

  private let entity: Entity
  private let keySlot: Slot
  /// Relationships between one object and one other, which rows cannot be given without looking at others.
  private let exclusive: SlotSet
  /// The values that are known.
  var rows: RowBatch
  /// Those that are still to be looked up.
  private var references: [Reference] = []
  /// Whether the last record has said its key.
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

  /// Whether it is to be written before another record begins.
  var isFull: Bool { rows.count >= Self.size || rows.page.heapCount >= Self.byteCount }

  /// Begins a record.
  mutating func begin() {
    rows.append()
    hasKey = false
  }

  /// Says one value of the record that was begun.
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

  /// Forgets the record that was begun.
  mutating func removeLast() {
    let row = rows.count - 1
    references.removeAll { $0.row == row }
    rows.removeLast()
  }

  /// Makes room for other records.
  mutating func removeAll() {
    rows = RowBatch(slotCount: entity.slotCount)
  }

  /// The references that are still to be looked up; afterwards there are none.
  mutating func takeReferences() -> [Reference] {
    defer { references = [] }
    return references
  }
}
