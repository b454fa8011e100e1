import DatastoreCore
import TerminalUI

/// The list of entities with the number of their objects.
struct EntityListState: Sendable {
  /// How many objects an entity has, as far as that is known.
  enum Count: Hashable, Sendable {
    case unknown
    /// About so many, which is all that is known until they are counted.
    case estimated(Int)
    case known(Int)
    case failed(String)
  }

  /// Those that inherit are indented.
  let names: ByEntity<String>
  /// Views and other entities that cannot be changed.
  let isReadOnly: ByEntity<Bool>
  /// What the store calls their tables.
  var kinds: ByEntity<EntityInformation.Kind>
  private(set) var counts: ByEntity<Count>
  /// Counts that are being read, and whether they have to be read again after that.
  private var counting: [EntityIndex: Bool] = [:]
  /// The entities of the lines of the list: all that are not hidden.
  private(set) var shown: [EntityIndex]
  var scroll = ScrollState()

  init(_ schema: Schema) {
    names = ByEntity(
      schema.entities.map { entity in
        String(repeating: "  ", count: entity.ancestors.count) + entity.name
      })
    isReadOnly = ByEntity(schema.entities.map(\.isReadOnly))
    kinds = ByEntity(repeating: .table, count: names.count)
    counts = ByEntity(repeating: .unknown, count: names.count)
    shown = Array(names.indices)
  }

  /// The entity under the cursor; nil when there is none.
  var cursor: EntityIndex? { shown.indices.contains(scroll.cursor) ? shown[scroll.cursor] : nil }

  /// Whether the list leaves an entity out.
  func isHidden(_ entity: EntityIndex) -> Bool { !shown.contains(entity) }

  /// Leaves entities out of the list, and no others; all of them cannot be.
  mutating func hide(_ hidden: Set<EntityIndex>) {
    let rest = names.indices.filter { !hidden.contains($0) }
    shown = rest.isEmpty ? Array(names.indices) : rest
  }

  /// Puts the cursor on an entity, in a list of so many lines. One that is hidden leaves it near.
  mutating func move(to entity: EntityIndex, height: Int) {
    let line = shown.firstIndex { $0 >= entity } ?? shown.count - 1
    scroll.move(to: line, count: shown.count, height: height)
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

  /// Applies what the store knows without counting.
  mutating func apply(estimates: [EntityIndex: Int]) {
    for (entity, number) in estimates where counts.indices.contains(entity) {
      switch counts[entity] {
      case .unknown, .estimated: counts[entity] = .estimated(number)
      case .known, .failed: continue
      }
    }
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
    let widest = shown.map { entity in
      names[entity].displayWidth(upTo: 40) + (kindWord(of: entity)?.displayWidth() ?? -1) + 1
    }
    return (widest.max() ?? 0) + 1 + 9 + 2
  }

  /// What follows the name of an entity whose table is of a kind that only servers have.
  func kindWord(of entity: EntityIndex) -> String? {
    switch kinds[entity] {
    case .table, .view, .virtual: nil
    case .materializedView: "materialized"
    case .foreignTable: "foreign"
    case .partitionedTable: "partitioned"
    }
  }
}
