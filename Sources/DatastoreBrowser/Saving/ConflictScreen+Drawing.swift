import DatastoreCore
import TerminalUI

extension ConflictScreen {
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let marks = Marks(buffer.glyphs)
    let note = undecided == 0 ? "all chosen" : "\(undecided) not chosen"
    let body = Box(title: "Changed underneath", note: note)
      .cover(&buffer, in: Self.area(in: buffer.size)).inset(horizontal: 1)
    let columns = Columns(body.columns)
    let header = body.split(top: 1).top
    for (index, title) in ["property", "mine", "theirs", "original"].enumerated() {
      buffer.draw(
        title, at: Position(column: header.left + columns.starts[index], row: header.top),
        width: columns.widths[index], role: .columnHeader)
    }
    drawLines(into: &buffer, in: state) { index, buffer, line in
      switch lines[index] {
      case .object(let conflict):
        buffer.draw(title(of: conflicts[conflict], in: state), in: line, role: .heading)
      case .item(let item):
        draw(items[item], columns, marks, state, into: &buffer, in: line)
      case .difference(let conflict, let property):
        draw(
          conflicts[conflict].properties[property], of: conflicts[conflict], columns, marks, state,
          into: &buffer, in: line)
      }
    }
    return nil
  }

  private struct Columns {
    let starts: [Int]
    let widths: [Int]

    init(_ width: Int) {
      let name = min(18, width / 4)
      let value = max(6, (width - name - 6) / 3)
      starts = [2, name + 3, name + 4 + value, name + 5 + 2 * value]
      widths = [name, value, value, max(0, width - name - 5 - 2 * value)]
    }

    /// Draws a cell in a column, after a mark.
    func draw(
      _ cell: CellContent, behind mark: String = "", _ role: StyleRole, in column: Int,
      into buffer: inout ScreenBuffer, _ line: Rectangle
    ) {
      let start = Position(column: line.left + starts[column], row: line.top)
      let used = min(mark.count, widths[column])
      buffer.draw(mark, at: start, width: used, role: role)
      buffer.draw(
        cell.text, at: Position(column: start.column + used, row: start.row),
        width: widths[column] - used, role: role, truncation: cell.truncation)
    }
  }

  private func title(of conflict: Conflict, in state: BrowserState) -> String {
    let index = state.schema.entity(named: conflict.entity)?.index
    let name = index.flatMap { state.names[$0, conflict.key] }?.shown.text
    let title = "\(conflict.entity) \(name ?? DisplayName.placeholder(key: conflict.key))"
    if conflict.isDeleted, conflict.wasToBeDeleted {
      return title + " was deleted or moved by someone else"
    }
    if conflict.isDeleted, conflict.mayBeElsewhere {
      return title + " was deleted, or changed and moved, by someone else"
    }
    if conflict.isDeleted { return title + " was deleted by someone else" }
    if conflict.isAnotherRow { return title + " is a different row now" }
    return conflict.wasToBeDeleted ? title + " was changed by someone else" : title
  }

  /// The actions on the object, mine and theirs.
  private static func answers(to conflict: Conflict) -> (mine: String, theirs: String) {
    if conflict.isDeleted, conflict.wasToBeDeleted {
      return ("cancel the deletion", "cancel the deletion")
    }
    if conflict.isDeleted {
      return (
        "create it again", conflict.mayBeElsewhere ? "discard the change" : "leave it deleted"
      )
    }
    if conflict.wasToBeDeleted { return ("delete it anyway", "keep it") }
    return ("change it anyway", "leave it as it is")
  }

  /// Draws the stored values of a property: the current one, and the one when the object was read.
  private func draw(
    _ property: Conflict.Property, of conflict: Conflict, _ columns: Columns, _ marks: Marks,
    _ state: BrowserState, into buffer: inout ScreenBuffer, in line: Rectangle
  ) {
    let entity = state.schema.entity(named: conflict.entity)
    func draw(_ cell: CellContent, behind mark: String = "", in column: Int) {
      columns.draw(cell, behind: mark, .dim, in: column, into: &buffer, line)
    }
    draw(CellContent(property.name, role: .text), in: 0)
    draw(describe(property.theirs, of: property, entity, marks, state), behind: "    ", in: 2)
    draw(describe(property.original, of: property, entity, marks, state), in: 3)
  }

  private func draw(
    _ item: Item, _ columns: Columns, _ marks: Marks, _ state: BrowserState,
    into buffer: inout ScreenBuffer, in line: Rectangle
  ) {
    func draw(
      _ cell: CellContent, behind mark: String = "", _ role: StyleRole, in column: Int
    ) {
      columns.draw(cell, behind: mark, role, in: column, into: &buffer, line)
    }
    func word(_ text: String) -> CellContent { CellContent(text, role: .text) }
    func mark(_ choice: Choice) -> String {
      // The sign shows the choice without colour.
      item.choice == choice ? "(*) " : item.choice == nil ? "(?) " : "( ) "
    }
    func role(_ choice: Choice) -> StyleRole { item.choice == choice ? .changed : .text }
    guard let property = item.property else {
      let answers = Self.answers(to: conflicts[item.conflict])
      draw(word("the object"), .text, in: 0)
      draw(word(answers.mine), behind: mark(.mine), role(.mine), in: 1)
      draw(word(answers.theirs), behind: mark(.theirs), role(.theirs), in: 2)
      return
    }
    let entity = state.schema.entity(named: conflicts[item.conflict].entity)
    func cell(_ value: Value) -> CellContent { describe(value, of: property, entity, marks, state) }
    draw(word(property.name), .text, in: 0)
    draw(cell(property.mine), behind: mark(.mine), role(.mine), in: 1)
    draw(cell(property.theirs), behind: mark(.theirs), role(.theirs), in: 2)
    draw(cell(property.original), .dim, in: 3)
  }

  private func describe(
    _ value: Value, of property: Conflict.Property, _ entity: Entity?, _ marks: Marks,
    _ state: BrowserState
  ) -> CellContent {
    guard let entity, let slot = entity.slot(named: property.name) else {
      return CellContent("\(value)", role: .text)
    }
    if let link = entity.links[slot], let key = value.key {
      let name = state.names[link.destination, key]?.shown.text
      return CellContent(name ?? DisplayName.placeholder(key: key), role: .text)
    }
    let format = entity.properties[slot].attribute.map { ValueFormat($0) }
    var cell = (format ?? ValueFormat(type: .undefined)).cell(value)
    (cell.text, cell.role) = cell.shown(marks)
    return cell
  }
}
