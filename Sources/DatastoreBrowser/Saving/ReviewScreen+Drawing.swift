import Basics
import DatastoreCore
import TerminalUI

extension ReviewScreen {
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let marks = Marks(buffer.glyphs)
    let count = objects.map { CountText.counted($0.count, "object") } ?? "reading…"
    let body = Box(title: "Unsaved changes", note: count)
      .cover(&buffer, in: Self.area(in: buffer.size)).inset(horizontal: 1)
    guard let objects else { return nil }
    if objects.isEmpty {
      buffer.draw("There are none.", in: body, role: .dim)
      return nil
    }
    drawLines(into: &buffer, in: state) { index, buffer, line in
      switch lines[index] {
      case .object(let object):
        objects[object].draw(Self.what(objects[object].mark), into: &buffer, in: line)
      case .change(let object, let change):
        objects[object].changes[change].draw(marks, into: &buffer, in: line)
      }
    }
    return nil
  }

  /// What happened to an object since its changes were staged, or happens to it when they are saved.
  private static func what(_ mark: StagingMarks.Mark) -> String {
    switch mark.kind {
    case .inserted: " (new)"
    case .updated: mark.isRowGone ? " (deleted by someone else, or a different row now)" : ""
    case .deleted: " (to be deleted)"
    }
  }
}
