import Basics
import DatastoreCore
import DatastoreExport
import TerminalUI

/// The screen that asks for the format and the path of an export: a list of formats and a line for the path.
struct ExportScreen: FieldOverlay, PathCompleting {
  static let scope = CommandScope(
    "export", title: "In the export form", traits: .picks.union([.completes]),
    labels: ["accept": "write", "down": "format"])
  let rows: ObjectRows
  /// The rows in words.
  let subject: String
  private(set) var format: ExportFormat
  var field: TextField
  /// Whether dates are written as the stored numbers.
  private(set) var hasStoredDates: Bool
  /// A fault, or the possible completions of the path.
  private(set) var note: String?
  private(set) var isFault = false

  /// - Parameter name: the suggested name of the file, without its extension.
  init(_ rows: ObjectRows, subject: String, name: String, memory: ExportMemory) {
    self.rows = rows
    self.subject = subject
    format = memory.format
    hasStoredDates = memory.hasStoredDates
    field = TextField(
      text: "\(memory.folder)\(Self.fileName(name)).\(memory.format.fileExtension)",
      isAllSelected: true)
  }

  /// The name without characters that are troublesome for file systems and shells.
  static func fileName(_ name: String) -> String {
    let kept = name.unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-_. ".unicodeScalars.contains(scalar)
        ? Character(scalar) : "_"
    }
    let text = String(kept.prefix(80)).trimmingPrefix { $0 == "." || $0 == " " || $0 == "-" }
    return text.isEmpty ? "export" : String(text)
  }

  var typedPath: String? { field.text }

  func accept(_ state: inout BrowserState) { state.acceptExport() }

  mutating func textChanged(in state: inout BrowserState) { pathHasChanged() }

  /// Moves through the formats.
  mutating func move(_ movement: Movement, in state: inout BrowserState) {
    let formats = ExportFormat.listed
    guard let index = formats.firstIndex(of: format) else { return }
    choose(formats[min(max(0, index + movement.rows(height: 2).signum()), formats.count - 1)])
  }

  mutating func click(at position: Position, clicks: Int, in state: inout BrowserState) {
    guard Self.area(in: state.size).contains(position) else {
      state.closeOverlay()
      return
    }
    let row = position.row - Self.list(in: state.size).top
    if ExportFormat.listed.indices.contains(row) { choose(ExportFormat.listed[row]) }
  }

  /// Chooses a format; the path gets its extension if it has that of another format.
  mutating func choose(_ chosen: ExportFormat) {
    format = chosen
    let path = field.text
    guard ExportFormat(fileName: path) != nil, ExportFormat(fileName: path) != chosen,
      let point = path.lastPlace(of: ".")
    else { return }
    field.setText("\(path[..<point]).\(chosen.fileExtension)")
  }

  /// Switches between dates and their stored numbers.
  mutating func toggleStoredDates() { hasStoredDates.toggle() }

  /// Chooses the format of a typed extension.
  private mutating func pathHasChanged() {
    note = nil
    if let named = ExportFormat(fileName: field.text) { format = named }
  }

  /// Applies the completion of the path, unless the path has changed since the request.
  mutating func apply(_ completion: PathCompletion, of path: String) {
    guard path == field.text else { return }
    field.setText(completion.path)
    pathHasChanged()
    isFault = false
    note = completion.names.count > 1 ? completion.names.joined(separator: "  ") : nil
  }

  mutating func fail(_ reason: String) {
    note = reason
    isFault = true
  }
}

extension ExportScreen {
  static func area(in size: Size) -> Rectangle {
    size.box(columns: 76, rows: ExportFormat.listed.count + 9)
  }

  private static func inside(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1)
  }

  static func list(in size: Size) -> Rectangle {
    inside(in: size).split(top: 2).rest.split(top: ExportFormat.listed.count).top
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    Box(title: "Export", note: "enter writes, esc cancels")
      .cover(&buffer, in: Self.area(in: buffer.size))
    let inside = Self.inside(in: buffer.size)
    buffer.draw(wrapped: subject, in: inside.split(top: 2).top, role: .dim)
    let list = Self.list(in: buffer.size)
    for (row, listed) in ExportFormat.listed.enumerated() {
      let line = list.row(row)
      buffer.draw(listed == format ? "> " : "  ", at: line.origin, width: 2, role: .key)
      buffer.draw(
        listed.title, at: Position(column: line.left + 2, row: line.top), width: 12, role: .text)
      buffer.draw(listed.note, in: line.split(left: 14).rest, role: .dim)
      if listed == format { buffer.highlight(line, as: .selection) }
    }
    if rows.hasDates, format != .sql {
      let how = hasStoredDates ? "as the numbers that are stored" : "as dates, in UTC"
      buffer.draw(
        "Dates are written \(how).", at: Position(column: list.left, row: list.bottom),
        width: list.columns, role: .dim)
    }
    let top = list.bottom + 1
    let used = buffer.draw("File: ", at: Position(column: inside.left, row: top), role: .key)
    // Drawing scrolls the field sideways; only keys change the stored state.
    var field = field
    let cursor = field.draw(
      into: &buffer, at: Position(column: inside.left + used, row: top),
      width: max(0, inside.columns - used), placeholder: "a path; tab completes it")
    let below = Rectangle(column: inside.left, row: top + 1, columns: inside.columns, rows: 3)
    buffer.draw(wrapped: note ?? "", in: below, role: isFault ? .error : .dim)
    return cursor
  }
}
