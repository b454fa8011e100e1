import DatastoreCore
import TerminalUI

/// The list of entities with their numbers of objects.
struct EntityListState: Sendable {
  /// The number of an entity's objects, as far as it is known.
  enum Count: Hashable, Sendable {
    case unknown
    /// An estimate, until the objects are counted.
    case estimated(Int)
    case known(Int)
    case failed(String)
  }

  /// The names of the entities; those that inherit are indented.
  let names: ByEntity<String>
  /// Whether each entity is read-only, such as a view.
  let isReadOnly: ByEntity<Bool>
  /// The kinds of the tables.
  var kinds: ByEntity<EntityInformation.Kind>
  private(set) var counts: ByEntity<Count>
  /// The running counts, and whether each must be repeated afterwards.
  private var counting: [EntityIndex: Bool] = [:]
  /// The entities in the lines of the list: all that are not hidden.
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

  /// The entity under the cursor, or nil.
  var cursor: EntityIndex? { shown.indices.contains(scroll.cursor) ? shown[scroll.cursor] : nil }

  /// Whether the list leaves an entity out.
  func isHidden(_ entity: EntityIndex) -> Bool { !shown.contains(entity) }

  /// Hides these entities and no others; all of them cannot be hidden.
  mutating func hide(_ hidden: Set<EntityIndex>) {
    let rest = names.indices.filter { !hidden.contains($0) }
    shown = rest.isEmpty ? Array(names.indices) : rest
  }

  /// Puts the cursor on an entity, in a list of this height; for a hidden entity, near it.
  mutating func move(to entity: EntityIndex, height: Int) {
    let line = shown.firstIndex { $0 >= entity } ?? shown.count - 1
    scroll.move(to: line, count: shown.count, height: height)
  }

  /// Returns whether to count an entity now, and marks it as being counted.
  mutating func beginCounting(_ entity: EntityIndex) -> Bool {
    guard counting[entity] == nil else {
      counting[entity] = true
      return false
    }
    counting[entity] = false
    return true
  }

  /// Applies the store's estimates.
  mutating func apply(estimates: [EntityIndex: Int]) {
    for (entity, number) in estimates where counts.indices.contains(entity) {
      switch counts[entity] {
      case .unknown, .estimated: counts[entity] = .estimated(number)
      case .known, .failed: continue
      }
    }
  }

  /// Applies a count; returns whether it must be repeated.
  mutating func apply(_ count: Result<Int, EffectFailure>, of entity: EntityIndex) -> Bool {
    switch count {
    case .success(let number): counts[entity] = .known(number)
    case .failure(let failure): counts[entity] = .failed(failure.message)
    }
    return counting.removeValue(forKey: entity) ?? false
  }

  /// The preferred width of the list, borders included.
  var wantedWidth: Int {
    let widest = shown.map { entity in
      names[entity].displayWidth(upTo: 40) + (kindWord(of: entity)?.displayWidth() ?? -1) + 1
    }
    return (widest.max() ?? 0) + 1 + 9 + 2
  }

  /// The word after the name of an entity whose table is of a kind that only servers have.
  func kindWord(of entity: EntityIndex) -> String? {
    switch kinds[entity] {
    case .table, .view, .virtual: nil
    case .materializedView: "materialized"
    case .foreignTable: "foreign"
    case .partitionedTable: "partitioned"
    }
  }
}
