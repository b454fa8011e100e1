import DatastoreCore
import TerminalUI

extension FilterState {
  /// The number of lines of the form on a screen of this size.
  static func formHeight(in size: Size) -> Int { max(4, size.rows * 2 / 3 - 5) }

  /// The area of the form: above the footer, as high as its lines need.
  func formArea(in size: Size) -> Rectangle {
    // Two lines below show the condition as text, or a fault.
    let wanted = min(max(form.lines.count, 4), Self.formHeight(in: size)) + 4
    return Rectangle.aboveFooter(size).split(bottom: wanted).bottom
  }

  /// The area of the lines.
  func formBody(in size: Size) -> Rectangle {
    formArea(in: size).inset(horizontal: 2, vertical: 1).split(bottom: 2).rest
  }

  /// - Parameter names: returns the names of objects by entity and key.
  func drawForm(
    into buffer: inout ScreenBuffer, size: Size, names: (EntityIndex, RowKey) -> NameCache.Entry?
  ) -> Position? {
    let area = formArea(in: size)
    Box(title: "\(entity.name) where", note: matches.text).cover(&buffer, in: area)
    let body = formBody(in: size)
    drawText(
      into: &buffer,
      in: Rectangle(column: body.left, row: body.bottom, columns: body.columns, rows: 2))
    var cursor: Position?
    let visible = form.visible(height: body.rows)
    for (row, index) in visible.enumerated() {
      let line = body.row(row)
      if let place = form.draw(line: index, into: &buffer, in: line, names: names) {
        cursor = place
      }
    }
    Scrollbar(count: form.lines.count, visible: visible).draw(
      into: &buffer, beside: body, column: area.right - 1)
    if let cursor, let editor = form.editor {
      editor.menu.draw(
        into: &buffer,
        at: Position(
          column: max(body.left, cursor.column - editor.field.beforeCursor.displayWidth(upTo: 40)),
          row: cursor.row), on: Rectangle.aboveFooter(size))
    }
    return cursor
  }

  /// Draws the condition as text, or the fault.
  private func drawText(into buffer: inout ScreenBuffer, in area: Rectangle) {
    let warning = form.notice ?? (notice == nil ? predicate?.advice.first : nil)
    let sentence = warning ?? notice ?? text
    let role: StyleRole = warning != nil ? .warning : notice != nil ? .success : .dim
    buffer.draw(wrapped: sentence, in: area, role: role)
  }
}

extension FilterForm {
  /// The visible lines, including the cursor's.
  func visible(height: Int) -> Range<Int> {
    let first = ScrollState.firstVisible(
      cursor: cursor, count: lines.count, height: height, previous: cursor - height / 2)
    return first..<min(lines.count, first + max(0, height))
  }

  /// A field with its text on the screen.
  private struct Piece {
    var text: String
    var role: StyleRole
    var field: Field?
  }

  private func pieces(
    of line: Line, marks: Marks, names: (EntityIndex, RowKey) -> NameCache.Entry?
  ) -> [Piece] {
    switch line.kind {
    case .group(let kind): return [Piece(text: kind.heading, role: .key, field: .kind)]
    case .other(let predicate):
      return [
        Piece(
          text: predicate.formatted(entity: entity, in: schema), role: .dim, field: .text)
      ]
    case .apply: return [Piece(text: "[ Show these rows ]", role: .heading, field: .apply)]
    case .row(let row): return pieces(of: row, marks: marks, names: names)
    }
  }

  private func pieces(
    of row: PredicateForm.Row, marks: Marks, names: (EntityIndex, RowKey) -> NameCache.Entry?
  ) -> [Piece] {
    let comparison = row.comparison
    var pieces: [Piece] = row.isNegated ? [Piece(text: "NOT", role: .key)] : []
    if let word = comparison.quantifier.word {
      pieces.append(Piece(text: word, role: .key, field: .quantifier))
    } else if fields(of: Line(place: [], kind: .row(row))).contains(.quantifier) {
      pieces.append(Piece(text: "ANY", role: .key, field: .quantifier))
    }
    pieces.append(Piece(text: comparison.left.text, role: .text, field: .property))
    pieces.append(
      Piece(
        text: comparison.comparator.word + comparison.options.text, role: .key, field: .comparator))
    let (type, _) = type(of: row)
    let destination = destination(of: row)
    let cases = caseNames(of: row)
    for (index, value) in row.values.enumerated() {
      var piece =
        row.lacksValue && (comparison.comparator != .between || value.isNull)
        ? Piece(text: "a value", role: .placeholder, field: .value(index))
        : cases.name(of: value).map { Piece(text: $0, role: .string, field: .value(index)) }
          ?? piece(value, type, destination, marks, names, field: .value(index))
      if index < row.values.count - 1 { piece.text += "," }
      pieces.append(piece)
    }
    if comparison.comparator == .in {
      pieces.append(Piece(text: "+", role: .placeholder, field: .addValue))
    }
    return pieces
  }

  private func piece(
    _ value: Value, _ type: OperandType, _ destination: Entity?, _ marks: Marks,
    _ names: (EntityIndex, RowKey) -> NameCache.Entry?, field: Field
  ) -> Piece {
    if let destination, let key = value.key {
      let (name, role) =
        names(destination.index, key)?.shown
        ?? (DisplayName.placeholder(key: key), .relationship)
      return Piece(text: "\(marks.leadsTo) \(name)", role: role, field: field)
    }
    let role: StyleRole =
      switch value {
      case .null: .null
      case .integer, .real: type.dates != nil ? .date : .number
      case .text: .string
      case .blob: .blob
      }
    return Piece(text: PredicateForm.literal(value, as: type), role: role, field: field)
  }

  /// Draws a line; returns the position of the terminal's cursor if a value is typed there.
  func draw(
    line index: Int, into buffer: inout ScreenBuffer, in area: Rectangle,
    names: (EntityIndex, RowKey) -> NameCache.Entry?
  ) -> Position? {
    let line = lines[index]
    let isCurrent = index == cursor
    buffer.draw(isCurrent ? ">" : " ", at: area.origin, width: 1, role: .key)
    var column = area.left + 2 + line.place.count * 2
    var cursor: Position?
    for piece in pieces(of: line, marks: Marks(buffer.glyphs), names: names) {
      let room = area.right - column
      guard room > 0 else { break }
      let place = Position(column: column, row: area.top)
      let isField = isCurrent && piece.field == currentField
      if isField, var field = editor?.field {
        let width = min(room, max(12, field.text.displayWidth() + 1))
        cursor = field.draw(into: &buffer, at: place, width: width, placeholder: "type a value")
        column += width + 1
        continue
      }
      let text = piece.text.isEmpty ? " " : piece.text
      let used = buffer.draw(
        text, at: place, width: min(room, text.displayWidth(upTo: room)), role: piece.role)
      if isField {
        buffer.highlight(
          Rectangle(column: column, row: area.top, columns: used, rows: 1), as: .selection)
      }
      column += used + 1
    }
    return cursor
  }

  /// Puts the cursor on the field at a position.
  mutating func click(at position: Position, in body: Rectangle) {
    guard body.contains(position), finishEditing() else { return }
    let visible = visible(height: body.rows)
    let line = visible.lowerBound + position.row - body.top
    guard lines.indices.contains(line) else { return }
    // The fields as they are drawn, except for long names of objects.
    var column = body.left + 2 + lines[line].place.count * 2
    var found = 0
    for piece in pieces(of: lines[line], marks: Marks(.unicode), names: { _, _ in nil }) {
      if let field = piece.field, position.column >= column {
        found = fields(of: lines[line]).firstIndex(of: field) ?? found
      }
      column += piece.text.displayWidth() + 1
    }
    go(toLine: line, field: found)
  }
}
