import DatastoreCore
import TerminalUI

/// What has changed since the file was opened, by others and by saves, following what is written.
struct ChangesScreen: LineListOverlay {
  /// A line of the list, by indices.
  enum Line: Hashable, Sendable {
    case part(Int)
    case object(Int, Int)
    case change(Int, Int, Int)
    case others(Int)
    case leftOut(Int)
  }

  var scope: CommandScope { .changes }
  var scroll = ScrollState()
  private(set) var found: FoundChanges?
  private(set) var lines: [Line] = []
  /// The number of the last save that is told; nil when it is to be looked for what has changed.
  private var lastSave: Int?

  mutating func storeChanged() { lastSave = nil }

  mutating func requestMissing(in state: inout BrowserState) {
    guard case .kept(let baseline) = state.changes else { return }
    let saves = state.timeline.entries
    guard lastSave != saves.last?.number ?? 0 else { return }
    lastSave = saves.last?.number ?? 0
    state.request(.findChanges(since: baseline, saves: saves.flatMap(\.objects)))
  }

  /// Shows what was found, with the cursor on the object that it was on.
  mutating func apply(_ found: FoundChanges, in state: BrowserState) {
    let present = current?.object.object
    self.found = found
    lines = found.parts.enumerated().flatMap { index, part -> [Line] in
      let objects = part.objects.enumerated().flatMap { place, object -> [Line] in
        [.object(index, place)]
          + object.object.changes.indices.map { .change(index, place, $0) }
      }
      return [.part(index)] + objects + (part.others > 0 ? [.others(index)] : [])
    }
    lines += found.leftOut.indices.map { .leftOut($0) }
    let place = lines.firstIndex { line in
      guard case .object(let part, let object) = line else { return false }
      return found.parts[part].objects[object].object.object == present
    }
    if let place, present != nil { moveCursor(to: place, in: state) }
    resize(in: state)
  }

  /// What the cursor is on: an object, and the property if it is on one.
  var current: (object: ReviewedObject, slot: Slot?)? {
    guard let found, lines.indices.contains(scroll.cursor) else { return nil }
    switch lines[scroll.cursor] {
    case .part, .others, .leftOut: return nil
    case .object(let part, let object): return (found.parts[part].objects[object].object, nil)
    case .change(let part, let object, let change):
      let object = found.parts[part].objects[object].object
      return (object, object.changes[change].slot)
    }
  }

  func lineCount(in state: BrowserState) -> Int { lines.count }

  func body(in state: BrowserState) -> Rectangle {
    Self.area(in: state.size).inset(horizontal: 2, vertical: 1)
  }

  func box(in state: BrowserState) -> Rectangle? { Self.area(in: state.size) }

  static func area(in size: Size) -> Rectangle { size.box(columns: 110, rows: size.rows) }

  /// Closes the list and goes to the object under the cursor.
  func pick(in state: inout BrowserState) {
    guard let (object, slot) = current else { return }
    guard object.mark.kind != .deleted else {
      state.message = BrowserState.Message(
        text: "\(object.title) is not there any more.", severity: .information)
      return
    }
    state.closeOverlay()
    state.goTo(object.object, slot: slot)
  }
}

extension CommandScope {
  static let changes = CommandScope(
    "changes", title: "In the list of what has changed", 
    traits: [.scrolls, .accepts, .closes], labels: ["accept": "go there"], openedBy: "changes")
}
