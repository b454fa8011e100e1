import DatastoreCore
import TerminalUI

/// Objects that were changed underneath: for each property mine, theirs and the value the edit began
/// from, to choose between.
struct ConflictScreen: LineListOverlay {
  enum Choice: Hashable, Sendable {
    case mine
    case theirs
  }

  /// A property in conflict, or the whole object: when its row is gone or another one, or was to be
  /// deleted.
  struct Item: Hashable, Sendable {
    let conflict: Int
    /// nil for the object.
    let property: Conflict.Property?
    var choice: Choice?
  }

  /// A line of the list.
  enum Line: Hashable, Sendable {
    case object(Int)
    case item(Int)
    /// A property of a conflict about the whole object, by their numbers: nothing to choose.
    case difference(Int, Int)
  }

  var scope: CommandScope { .conflicts }
  let conflicts: [Conflict]
  private(set) var items: [Item] = []
  private(set) var lines: [Line] = []
  var scroll: ScrollState
  /// Whether the changes are saved once all is chosen.
  let savesAfterwards: Bool

  init(_ conflicts: [Conflict], savesAfterwards: Bool) {
    self.conflicts = conflicts
    self.savesAfterwards = savesAfterwards
    for (index, conflict) in conflicts.enumerated() {
      lines.append(.object(index))
      let properties: [Conflict.Property?] =
        conflict.isAboutObject ? [nil] : conflict.properties
      for property in properties {
        lines.append(.item(items.count))
        items.append(Item(conflict: index, property: property))
      }
      if conflict.isAboutObject {
        lines += conflict.properties.indices.map { .difference(index, $0) }
      }
    }
    scroll = ScrollState(cursor: 1)
  }

  /// How many are not chosen yet.
  var undecided: Int { items.count { $0.choice == nil } }

  /// Chooses for the property under the cursor, or for all of the object, and goes on to the next
  /// that is not chosen.
  mutating func choose(_ choice: Choice, in state: BrowserState) {
    guard lines.indices.contains(scroll.cursor) else { return }
    switch lines[scroll.cursor] {
    case .object(let index):
      for item in items.indices where items[item].conflict == index { items[item].choice = choice }
    case .item(let index): items[index].choice = choice
    case .difference: break
    }
    let next = lines.indices.first { index in
      guard index > scroll.cursor, case .item(let item) = lines[index] else { return false }
      return items[item].choice == nil
    }
    if let next { moveCursor(to: next, in: state) }
  }

  mutating func chooseAll(_ choice: Choice) {
    for index in items.indices { items[index].choice = choice }
  }

  mutating func requestMissing(in state: inout BrowserState) {
    state.requestNames(of: references(in: state.schema))
  }

  /// The objects whose names are shown, by entity.
  private func references(in schema: Schema) -> [EntityIndex: Set<RowKey>] {
    var references: [EntityIndex: Set<RowKey>] = [:]
    for conflict in conflicts {
      guard let entity = schema.entity(named: conflict.entity) else { continue }
      // That of a row which is gone can be read nowhere.
      if !conflict.isDeleted { references[entity.index, default: []].insert(conflict.key) }
      for property in conflict.properties {
        guard let link = entity.slot(named: property.name).flatMap({ entity.links[$0] }) else {
          continue
        }
        for case let key? in [property.original, property.mine, property.theirs].map(\.key) {
          references[link.destination, default: []].insert(key)
        }
      }
    }
    return references
  }

  /// For each conflict, the names of the properties of which mine is kept.
  var settlements: [Settlement] {
    conflicts.enumerated().map { index, conflict in
      let mine = items.filter { $0.conflict == index && $0.choice == .mine }
      return Settlement(
        conflict: conflict, mine: Set(mine.map { $0.property?.name ?? conflict.entity }))
    }
  }

  func lineCount(in state: BrowserState) -> Int { lines.count }

  /// Inside the border, below the headers.
  func body(in state: BrowserState) -> Rectangle {
    Self.area(in: state.size).inset(horizontal: 2, vertical: 1).split(top: 1).rest
  }

  static func area(in size: Size) -> Rectangle {
    size.box(columns: 120, rows: size.rows)
  }
}

extension Conflict {
  /// Whether there is one thing to decide, not one for each property.
  var isAboutObject: Bool { isDeleted || isAnotherRow || wasToBeDeleted }
}

/// How one conflict is settled.
struct Settlement: Hashable, Sendable {
  let conflict: Conflict
  /// The names of the properties whose staged values are kept; any name for a row that is gone.
  let mine: Set<String>
}

extension ConflictScreen: StagingOverlay {
  func accept(_ state: inout BrowserState) { state.settleConflicts() }

  /// The changes stay unsaved.
  func dismiss(_ state: inout BrowserState) {
    state.closeOverlay()
    state.editing.leavesAfterSaving = false
  }

  func perform(_ action: StagingAction, _ state: inout BrowserState) { state.settleConflicts() }
  func reasonNot(to action: StagingAction, in state: BrowserState) -> String? { nil }
}

extension CommandScope {
  static let conflicts = CommandScope(
    "conflicts", title: "In the list of conflicts", traits: [.scrolls, .accepts, .closes, .saves],
    labels: ["accept": "done", "close": "cancel"])
}
