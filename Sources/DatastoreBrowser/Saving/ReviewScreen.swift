import DatastoreCore
import TerminalUI

/// All unsaved changes, grouped by object; each can be reverted alone.
struct ReviewScreen: LineListOverlay {
  /// A line of the list.
  enum Line: Hashable, Sendable {
    case object(Int)
    /// A change of an object, by the indices of both.
    case change(Int, Int)
  }

  static let scope = CommandScope(
    "review", title: "In the list of unsaved changes",
    traits: [.scrolls, .accepts, .closes, .saves],
    labels: ["accept": "go there"], openedBy: "review")
  private(set) var objects: [ReviewedObject]?
  private(set) var lines: [Line] = []
  var scroll = ScrollState()
  /// Whether the staged changes have changed since they were read.
  private var isStale = true

  /// Marks the changes to be read again.
  mutating func stagingChanged() { isStale = true }

  mutating func requestMissing(in state: inout BrowserState) {
    guard isStale else { return }
    isStale = false
    state.request(.review)
  }

  mutating func apply(_ objects: [ReviewedObject], in state: BrowserState) {
    self.objects = objects
    lines = objects.indices.flatMap { index in
      [.object(index)] + objects[index].changes.indices.map { .change(index, $0) }
    }
    resize(in: state)
  }

  /// The object under the cursor, and the property if the cursor is on one.
  var current: (object: ReviewedObject, slot: Slot?)? {
    guard let objects, lines.indices.contains(scroll.cursor) else { return nil }
    switch lines[scroll.cursor] {
    case .object(let index): return (objects[index], nil)
    case .change(let index, let change):
      return (objects[index], objects[index].changes[change].slot)
    }
  }

  func lineCount(in state: BrowserState) -> Int { lines.count }

  func body(in state: BrowserState) -> Rectangle {
    Self.area(in: state.size).inset(horizontal: 2, vertical: 1)
  }

  func box(in state: BrowserState) -> Rectangle? { Self.area(in: state.size) }

  /// Closes the screen and goes to the object under the cursor.
  func pick(in state: inout BrowserState) {
    guard let (object, slot) = current else { return }
    state.closeOverlay()
    state.goTo(object.object, slot: slot)
  }

  static func area(in size: Size) -> Rectangle {
    size.box(columns: 110, rows: size.rows)
  }
}

/// An object with unsaved changes, in words.
struct ReviewedObject: Hashable, Sendable {
  let object: ObjectReference
  /// The mark of the object, and what happened to it meanwhile.
  let mark: StagingMarks.Mark
  let entity: String
  let name: String
  let changes: [Change]

  /// `Employee Ann`.
  var title: String { "\(entity) \(name)" }

  struct Change: Hashable, Sendable {
    let slot: Slot
    let property: String
    let old: CellContent
    let new: CellContent
    /// The value that someone else has set in place of `old`, if any.
    var theirs: CellContent?
  }
}

extension ReviewScreen: StagingOverlay {
  func perform(_ action: StagingAction, _ state: inout BrowserState) {
    state.closeOverlay()
    state.save()
  }

  func reasonNot(to action: StagingAction, in state: BrowserState) -> String? {
    DisabledReason.cannotSave.reason(state)
  }
}
