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
  let names: [String]
  /// Views and other entities that cannot be changed.
  let isReadOnly: [Bool]
  private(set) var counts: [Count]
  /// Counts that are being read, and whether they have to be read again after that.
  private var counting: [Int: Bool] = [:]
  var scroll = ScrollState()

  init(_ schema: Schema) {
    names = schema.entities.map { entity in
      String(repeating: "  ", count: entity.ancestors.count) + entity.name
    }
    isReadOnly = schema.entities.map(\.isReadOnly)
    counts = names.map { _ in .unknown }
  }

  /// Whether an entity has to be counted now; it counts as being counted then.
  mutating func beginCounting(_ entity: Int) -> Bool {
    guard counting[entity] == nil else {
      counting[entity] = true
      return false
    }
    counting[entity] = false
    return true
  }

  /// Applies a count; returns whether it has to be read again.
  mutating func apply(_ count: Result<Int, EffectFailure>, of entity: Int) -> Bool {
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
