import DatastoreCore
import TerminalUI

extension ConflictScreen {
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    let marks = Marks(buffer.glyphs)
    buffer.fill(area)
    let note = undecided == 0 ? "all chosen" : "\(undecided) not chosen"
    let body = Box(title: "Changed underneath", note: note, isFocused: true)
      .draw(into: &buffer, in: area).inset(horizontal: 1)
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
        buffer.draw(
          title(of: conflicts[conflict], in: state), at: line.origin, width: line.columns,
          role: .heading)
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

  /// What is done to the object, mine and theirs.
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

  /// What the store holds now, and held when the object was read.
  private func draw(
    _ property: Conflict.Property, of conflict: Conflict, _ columns: Columns, _ marks: Marks,
    _ state: BrowserState, into buffer: inout ScreenBuffer, in line: Rectangle
  ) {
    let entity = state.schema.entity(named: conflict.entity)
    func draw(_ text: String, in column: Int) {
      buffer.draw(
        text, at: Position(column: line.left + columns.starts[column], row: line.top),
        width: columns.widths[column], role: .dim)
    }
    draw(property.name, in: 0)
    draw("    " + describe(property.theirs, of: property, entity, marks, state), in: 2)
    draw(describe(property.original, of: property, entity, marks, state), in: 3)
  }

  private func draw(
    _ item: Item, _ columns: Columns, _ marks: Marks, _ state: BrowserState,
    into buffer: inout ScreenBuffer, in line: Rectangle
  ) {
    func draw(_ text: String, _ role: StyleRole, in column: Int) {
      buffer.draw(
        text, at: Position(column: line.left + columns.starts[column], row: line.top),
        width: columns.widths[column], role: role)
    }
    func mark(_ choice: Choice) -> String {
      // The sign tells the choice without colour.
      item.choice == choice ? "(*) " : item.choice == nil ? "(?) " : "( ) "
    }
    func role(_ choice: Choice) -> StyleRole { item.choice == choice ? .changed : .text }
    guard let property = item.property else {
      let answers = Self.answers(to: conflicts[item.conflict])
      draw("the object", .text, in: 0)
      draw(mark(.mine) + answers.mine, role(.mine), in: 1)
      draw(mark(.theirs) + answers.theirs, role(.theirs), in: 2)
      return
    }
    let entity = state.schema.entity(named: conflicts[item.conflict].entity)
    func text(_ value: Value) -> String { describe(value, of: property, entity, marks, state) }
    draw(property.name, .text, in: 0)
    draw(mark(.mine) + text(property.mine), role(.mine), in: 1)
    draw(mark(.theirs) + text(property.theirs), role(.theirs), in: 2)
    draw(text(property.original), .dim, in: 3)
  }

  private func describe(
    _ value: Value, of property: Conflict.Property, _ entity: Entity?, _ marks: Marks,
    _ state: BrowserState
  ) -> String {
    guard let entity, let slot = entity.slot(named: property.name) else { return "\(value)" }
    if let link = entity.links[slot], let key = value.key {
      return state.names[link.destination, key]?.shown.text
        ?? DisplayName.placeholder(key: key)
    }
    let format = entity.properties[slot].attribute.map { ValueFormat($0) }
    return (format ?? ValueFormat(type: .undefined)).cell(value).shown(marks).text
  }
}
