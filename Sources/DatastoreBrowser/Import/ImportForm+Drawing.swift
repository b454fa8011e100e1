import Basics
import DatastoreCore
import DatastoreImport
import TerminalUI

extension ImportForm {
  /// The area of the form: all but the status line and the line of keys.
  static func area(in size: Size) -> Rectangle {
    Rectangle.aboveStatus(size)
  }

  /// The area of the lines; two rows below them are for reasons and faults.
  static func body(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1).split(bottom: 3).rest
  }

  /// The number of records whose values are shown beside the columns.
  private static let shownRecords = 3

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let size = preview?.totalBytes.map { CountText.bytes($0) } ?? ""
    Box(title: "Import \(path)", note: size).cover(&buffer, in: Self.area(in: buffer.size))
    let body = Self.body(in: buffer.size)
    let lines = lines
    var cursor: Position?
    drawLines(into: &buffer, in: state) { index, buffer, line in
      if lines[index] == .tableName, var field = naming {
        buffer.draw("Table", at: line.origin, width: 12, role: .key)
        cursor = field.draw(
          into: &buffer, in: line.split(left: 13).rest, placeholder: "the name of the new table")
      } else {
        draw(lines[index], into: &buffer, in: line, state.schema)
      }
    }
    drawNote(into: &buffer, at: body, state)
    return cursor
  }

  private func draw(
    _ line: Line, into buffer: inout ScreenBuffer, in place: Rectangle, _ schema: Schema
  ) {
    let (name, value) = text(of: line, in: schema)
    switch line {
    case .column(let index): draw(column: index, into: &buffer, in: place, schema)
    case .start:
      buffer.draw(value, in: place, role: disabledReason == nil ? .heading : .dim)
    default:
      let tracks = place.sideBySide([.fixed(12), .share()], spacing: 1)
      buffer.draw(name, in: tracks[0], role: .key)
      let isWaiting = preview == nil && failure == nil
      buffer.draw(value.isEmpty && isWaiting ? "…" : value, in: tracks[1], role: .text)
      let used = value.displayWidth() + 2
      if let reason = reason(of: line), tracks[1].columns > used + 8 {
        buffer.draw(reason, in: tracks[1].split(left: used).rest, role: .dim)
      }
    }
  }

  /// Draws a column of the file: its name, the property that it fills, its type, and its first values.
  private func draw(
    column index: Int, into buffer: inout ScreenBuffer, in place: Rectangle, _ schema: Schema
  ) {
    guard let preview, mappings.indices.contains(index) else { return }
    let marks = Marks(buffer.glyphs)
    let column = preview.columns[index]
    let mapping = mappings[index]
    let tracks = place.sideBySide(
      [.share(minimum: 12, maximum: 24), .share(minimum: 14, maximum: 26), .fixed(9)]
        + Array(repeating: .share(minimum: 8), count: Self.shownRecords), spacing: 1)
    buffer.draw(
      column.name, in: tracks[0],
      role: mapping.property == nil ? .dim : column.name == key ? .heading : .text)
    buffer.draw(
      mapping.property.map { "\(marks.leadsTo) \($0)" } ?? "left out", in: tracks[1],
      role: mapping.property == nil ? .dim : .relationship)
    buffer.draw(typeName(of: index, schema), in: tracks[2], role: .dim)
    let isNumeric = (mapping.type ?? column.type)?.isNumeric ?? false
    for (track, record) in zip(tracks[3...], preview.records) {
      let value = record[index]
      buffer.draw(
        value ?? marks.null, in: track, role: value == nil ? .null : .text,
        truncation: isNumeric ? .number : .tail)
    }
  }

  /// The type of the property that a column fills, or else the type of its values.
  private func typeName(of index: Int, _ schema: Schema) -> String {
    guard let preview else { return "" }
    let found = preview.columns[index].type ?? .string
    guard let entity = entity(in: schema) else {
      return (mappings[index].type ?? found).title
    }
    guard let slot = mappings[index].property.flatMap({ entity.slot(named: $0) }) else {
      return found.title
    }
    return entity.properties[slot].attribute.map { TypeText.describe($0) }
      ?? entity.properties[slot].relationship?.destination ?? ""
  }

  private func drawNote(
    into buffer: inout ScreenBuffer, at body: Rectangle, _ state: BrowserState
  ) {
    var (text, role) = (
      "Rows are written in batches and seen at once. If it is cancelled, what has been written "
        + "stays. Invalid records are left out and listed.", StyleRole.dim
    )
    if let notes = preview?.notes, !notes.isEmpty {
      (text, role) = (notes.joined(separator: "; ") + ".", .warning)
    }
    if let warning = warning(in: state.schema) { (text, role) = (warning, .warning) }
    if preview != nil || failure != nil, let disabledReason {
      (text, role) = (disabledReason, .error)
    }
    if naming != nil {
      (text, role) =
        namingFault.map { ($0, .error) }
        ?? ("Type the name of the new table; enter accepts it, esc cancels.", .dim)
    }
    let below = Rectangle(column: body.left, row: body.bottom + 1, columns: body.columns, rows: 2)
    buffer.draw(wrapped: text, in: below, role: role)
  }
}
