import Basics
import DatastoreCore

/// What a copy has left out since it broke the rules of its own model.
struct CopyLosses {
  private var counts: [EntityIndex: [Slot: Int]] = [:]

  mutating func count(_ entity: EntityIndex, _ slot: Slot) {
    counts[entity, default: [:]][slot, default: 0] += 1
  }

  /// A sentence for each property, without its full stop.
  func sentences(_ schema: Schema) -> [String] {
    counts.sorted { $0.key < $1.key }.flatMap { index, slots in
      slots.sorted { $0.key < $1.key }.map { slot, count in
        let entity = schema.entities[index]
        let place = "\(entity.name).\(entity.properties[slot].name)"
        return entity.links[slot] == nil
          ? "\(CountText.counted(count, "value")) of \(place): the files that they are in are not there"
          : "\(CountText.counted(count, "reference")) of \(place): what they lead to is not there"
      }
    }
  }
}
