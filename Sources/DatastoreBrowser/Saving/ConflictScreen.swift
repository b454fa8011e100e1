import DatastoreCore
import TerminalUI

/// Objects in conflict: for each property, the staged value, the one that someone else has written, and the
/// original to choose from.
struct ConflictScreen: LineListOverlay {
  enum Choice: Hashable, Sendable {
    case mine
    case theirs
  }

  /// A property in conflict, or the whole object if its row is gone, is another row, or was to be deleted.
  struct Item: Hashable, Sendable {
    let conflict: Int
    /// nil for the whole object.
    let property: Conflict.Property?
    var choice: Choice?
  }

  /// A line of the list.
  enum Line: Hashable, Sendable {
    case object(Int)
    case item(Int)
    /// A property in a conflict about the whole object, by the indices of both: nothing to choose.
    case difference(Int, Int)
  }

  static let scope = CommandScope(
    "conflicts", title: "In the list of conflicts", traits: [.scrolls, .accepts, .closes, .saves],
    labels: ["accept": "done", "close": "cancel"])
  let conflicts: [Conflict]
  private(set) var items: [Item] = []
  private(set) var lines: [Line] = []
  var scroll: ScrollState
  /// Whether to save the changes after all choices are made.
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

  /// The number of open choices.
  var undecided: Int { items.count { $0.choice == nil } }

  /// Chooses for the property under the cursor, or for the whole object, and moves to the next open choice.
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
      // The name of a deleted row cannot be read.
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

  /// For each conflict, the names of the properties that keep their staged value.
  var settlements: [Settlement] {
    conflicts.enumerated().map { index, conflict in
      let mine = items.filter { $0.conflict == index && $0.choice == .mine }
      return Settlement(
        conflict: conflict, mine: Set(mine.map { $0.property?.name ?? conflict.entity }))
    }
  }

  func lineCount(in state: BrowserState) -> Int { lines.count }

  /// The area inside the border, below the headers.
  func body(in state: BrowserState) -> Rectangle {
    Self.area(in: state.size).inset(horizontal: 2, vertical: 1).split(top: 1).rest
  }

  static func area(in size: Size) -> Rectangle {
    size.box(columns: 120, rows: size.rows)
  }
}

extension Conflict {
  /// Whether the choice is about the whole object, not about each property.
  var isAboutObject: Bool { isDeleted || isAnotherRow || wasToBeDeleted }
}

struct Settlement: Hashable, Sendable {
  let conflict: Conflict
  /// The names of the properties that keep their staged values; any name for a row that is gone.
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
