import Basics
import DatastoreCore
import TerminalUI

extension ChangesScreen {
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    let marks = Marks(buffer.glyphs)
    buffer.fill(area)
    var title = "Changes"
    var notice: String?
    switch state.changes {
    case .none: notice = "There are no tables that could change."
    case .reading: notice = "The rows are still being read, to be compared with later."
    case .failed(let failure): notice = "What has changed is not known: \(failure.message)"
    case .kept(let baseline):
      title = "Changes since \(baseline.date.timeOfDay)"
      if found == nil { notice = "comparing…" }
      if let found, found.parts.isEmpty, found.leftOut.isEmpty { notice = "Nothing has changed." }
    }
    let body = Box(title: title, note: found?.counts ?? "", isFocused: true)
      .draw(into: &buffer, in: area).inset(horizontal: 1)
    if let notice {
      for (row, line) in notice.wrapped(to: max(1, body.columns)).prefix(body.rows).enumerated() {
        buffer.draw(
          line, at: Position(column: body.left, row: body.top + row), width: body.columns,
          role: .dim)
      }
      return nil
    }
    guard let found else { return nil }
    drawLines(into: &buffer, in: state) { index, buffer, line in
      switch lines[index] {
      case .part(let part):
        buffer.draw(
          "\(found.parts[part].entity)  \(found.parts[part].counts)", at: line.origin,
          width: line.columns, role: .sectionHeader)
      case .object(let part, let object):
        let told = found.parts[part].objects[object]
        told.object.draw(Self.what(told), into: &buffer, in: line)
      case .change(let part, let object, let change):
        found.parts[part].objects[object].object.changes[change]
          .draw(marks, into: &buffer, in: line)
      case .others(let part):
        buffer.draw(
          "and \(CountText.grouped(found.parts[part].others)) more", at: line.origin,
          width: line.columns, role: .dim)
      case .leftOut(let place):
        buffer.draw(
          found.leftOut[place], at: line.origin, width: line.columns, role: .warning)
      }
    }
    return nil
  }

  private static func what(_ told: FoundChanges.Object) -> String {
    let kind: String? =
      switch told.object.mark.kind {
      case .inserted: "new"
      case .updated: nil
      case .deleted: "deleted"
      }
    let origin: String? =
      switch told.origin {
      case .here: "saved here"
      case .both: "partly saved here"
      case .elsewhere: nil
      }
    let words = [kind, origin].compactMap { $0 }
    return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
  }
}
