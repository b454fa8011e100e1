import DatastoreCore
import TerminalUI

/// Every unsaved change, grouped by object, each to be taken back alone.
struct ReviewScreen: Overlay {
  /// A line of the list.
  enum Line: Hashable, Sendable {
    case object(Int)
    /// A change of an object, by the indices of both.
    case change(Int, Int)
  }

  var scope: CommandScope { .review }
  private(set) var objects: [ReviewedObject]?
  private(set) var lines: [Line] = []
  private(set) var scroll = ScrollState()
  /// Whether the changes are others now than those that are shown.
  private var isStale = true

  /// Has the changes read again.
  mutating func invalidate() { isStale = true }

  mutating func demands(in state: BrowserState) -> [Effect] {
    guard isStale else { return [] }
    isStale = false
    return [.review]
  }

  mutating func take(_ objects: [ReviewedObject], height: Int) {
    self.objects = objects
    lines = objects.indices.flatMap { index in
      [.object(index)] + objects[index].changes.indices.map { .change(index, $0) }
    }
    scroll.settle(count: lines.count, height: height)
  }

  /// What the cursor is on: an object, and the property if it is on one.
  var current: (object: ReviewedObject, slot: Int?)? {
    guard let objects, lines.indices.contains(scroll.cursor) else { return nil }
    switch lines[scroll.cursor] {
    case .object(let index): return (objects[index], nil)
    case .change(let index, let change):
      return (objects[index], objects[index].changes[change].slot)
    }
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) -> [Effect] {
    let height = Self.height(in: state.size)
    scroll.move(by: movement.rows(height: height), count: lines.count, height: height)
    return []
  }

  mutating func wheel(
    _ rows: Int, at position: Position, in state: inout BrowserState
  ) -> [Effect] {
    scroll.scroll(by: rows, count: lines.count, height: Self.height(in: state.size))
    return []
  }

  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  ) -> [Effect] {
    let area = Self.area(in: state.size)
    let row = position.row - area.top - 1
    guard area.contains(position) else {
      state.closeOverlay()
      return []
    }
    let height = Self.height(in: state.size)
    guard row >= 0, row < height, scroll.first + row < lines.count else { return [] }
    scroll.move(to: scroll.first + row, count: lines.count, height: height)
    return []
  }

  mutating func resize(in state: BrowserState) {
    scroll.settle(count: lines.count, height: Self.height(in: state.size))
  }

  static func area(in size: Size) -> Rectangle {
    Rectangle(size).centred(Size(columns: min(size.columns - 4, 110), rows: size.rows - 4))
  }

  static func height(in size: Size) -> Int { max(1, area(in: size).rows - 2) }
}

/// An object with unsaved changes, in words.
struct ReviewedObject: Hashable, Sendable {
  let object: ObjectReference
  let kind: StagedObject.Kind
  /// `Employee Ann`.
  let title: String
  let changes: [Change]

  struct Change: Hashable, Sendable {
    let slot: Int
    let property: String
    let old: CellContent
    let new: CellContent
  }
}
