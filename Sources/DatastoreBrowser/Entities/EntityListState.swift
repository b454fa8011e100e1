import DatastoreCore
import TerminalUI

/// The list of entities with the number of their objects.
struct EntityListState: Sendable {
  /// How many objects an entity has, as far as that is known.
  enum Count: Hashable, Sendable {
    case unknown
    case known(Int)
    case failed(String)
  }

  /// Those that inherit are indented.
  let names: ByEntity<String>
  /// Views and other entities that cannot be changed.
  let isReadOnly: ByEntity<Bool>
  private(set) var counts: ByEntity<Count>
  /// Counts that are being read, and whether they have to be read again after that.
  private var counting: [EntityIndex: Bool] = [:]
  var scroll = ScrollState()

  init(_ schema: Schema) {
    names = ByEntity(
      schema.entities.map { entity in
        String(repeating: "  ", count: entity.ancestors.count) + entity.name
      })
    isReadOnly = ByEntity(schema.entities.map(\.isReadOnly))
    counts = ByEntity(repeating: .unknown, count: names.count)
  }

  /// The entity under the cursor; there may be none.
  var cursor: EntityIndex { EntityIndex(scroll.cursor) }

  /// Puts the cursor on an entity, in a list of so many lines.
  mutating func move(to entity: EntityIndex, height: Int) {
    scroll.move(to: entity.rawValue, count: names.count, height: height)
  }

  /// Whether an entity has to be counted now; it counts as being counted then.
  mutating func beginCounting(_ entity: EntityIndex) -> Bool {
    guard counting[entity] == nil else {
      counting[entity] = true
      return false
    }
    counting[entity] = false
    return true
  }

  /// Applies a count; returns whether it has to be read again.
  mutating func apply(_ count: Result<Int, EffectFailure>, of entity: EntityIndex) -> Bool {
    switch count {
    case .success(let number): counts[entity] = .known(number)
    case .failure(let failure): counts[entity] = .failed(failure.message)
    }
    return counting.removeValue(forKey: entity) ?? false
  }

  /// The cells that the list would like, borders included.
  var wantedWidth: Int {
    let widest = names.map { $0.displayWidth(upTo: 40) }.max() ?? 0
    return widest + 1 + 9 + 2
  }
}
