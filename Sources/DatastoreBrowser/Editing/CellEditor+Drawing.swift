import Basics
import DatastoreCore
import TerminalUI

extension CellEditor {
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let layout = state.layout
    let marks = Marks(buffer.glyphs)
    let place = state.place(of: subject.target) ?? layout.status
    // Drawing scrolls the field; only keys change the stored state.
    var field = field
    let cursor = field.draw(
      into: &buffer, in: place, placeholder: isNull ? marks.null : marks.emptyText)
    if place != layout.status, state.message == nil {
      let count = occurring?.count ?? 0
      let offer = count > 0 ? "; ctrl-o lists \(CountText.counted(count, "value"))" : ""
      let what = " \(subject.name), \(Self.describe(form)): \(describeChange(marks))\(offer)"
      buffer.draw(what, in: layout.status, role: .statusBar)
    }
    if let fault {
      let line = layout.footer.isEmpty ? layout.status : layout.footer
      buffer.draw(" " + fault, in: line, role: .error)
    }
    return cursor
  }

  private func describeChange(_ marks: Marks) -> String {
    if isUnchanged { return "not changed" }
    if subject.bulk != nil, field.text.isExactly(initialText) {
      let texts = form.attribute.type == .string ? " or “s/old/new/”" : ""
      return "a value, “= expression”\(texts)"
    }
    if isNull { return "becomes \(marks.null)" }
    return field.text.isEmpty ? "becomes \(marks.emptyText)" : "changed"
  }

  private static func describe(_ form: ValueForm) -> String {
    form.attribute.isOptional
      ? TypeText.describe(form.attribute) : TypeText.describe(form.attribute) + ", not optional"
  }
}

extension BrowserState {
  /// The place of an object's property on the screen; nil if it is not visible.
  func place(of target: EditTarget) -> Rectangle? {
    switch target.panel {
    case .table: tablePlace(of: target)
    case .detail: detailPlace(of: target)
    case .entities: nil
    }
  }

  private func tablePlace(of target: EditTarget) -> Rectangle? {
    guard let table, table.query.entity == target.object.entity,
      table.currentKey == target.object.key
    else { return nil }
    let body = layout.tableBody
    let placements = table.placements(available: body.columns)
    guard let placement = placements.first(where: { table.columns[$0.index].slot == target.slot })
    else { return nil }
    let row = table.scroll.cursor - table.scroll.first
    guard row >= 0, row < body.rows else { return nil }
    // Wide enough to type in, even in a narrow column, and never over the border.
    let width = min(max(placement.width, 24), body.columns)
    let left = min(placement.offset, body.columns - width)
    return Rectangle(column: body.left + left, row: body.top + row, columns: width, rows: 1)
  }

  private func detailPlace(of target: EditTarget) -> Rectangle? {
    guard detail.object == target.object else { return nil }
    let body = layout.detailBody
    let lines = DetailLines(
      detail, width: body.columns, marks: Marks(.unicode), name: { names[$0, $1] })
    guard let field = detail.items.firstIndex(of: .field(slot: target.slot)),
      let index = lines.lines(ofItem: field).first
    else { return nil }
    let row = index - detail.first
    let left = lines.nameWidth + lines.typeWidth + 4
    guard row >= 0, row < body.rows, left < body.columns else { return nil }
    return Rectangle(
      column: body.left + left, row: body.top + row, columns: body.columns - left, rows: 1)
  }
}
