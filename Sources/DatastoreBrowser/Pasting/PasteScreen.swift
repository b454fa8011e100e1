import Basics
import DatastoreCore
import TerminalUI

/// The preview of a paste: the new objects or the changed values, before anything is staged.
struct PasteScreen: LineListOverlay {
  /// What the order of the fields follows, as it is shown.
  enum Order: String, Sendable {
    case header = "first row names the columns"
    case table = "columns from the cursor on"
    case file = "columns as in the file"
  }

  static let scope = CommandScope(
    "paste", title: "Before pasted rows become objects",
    traits: [.scrolls, .accepts, .closes], labels: ["accept": "paste"])
  var scroll = ScrollState()
  let table: PastedTable
  private let order: Order
  /// Whether the first row names the columns.
  var hasHeader: Bool { order == .header }
  private(set) var plan: PastePlan
  /// Whether rows of the table, or related objects, are being read.
  private(set) var isLookingUp: Bool
  /// Whether the fields are pasted into existing rows.
  var isIntoRows: Bool { plan.targets != nil }

  init(_ table: PastedTable, _ order: Order, plan: PastePlan) {
    self.table = table
    self.order = order
    self.plan = plan
    isLookingUp = !plan.names.isEmpty
  }

  /// Applies the related objects that were found, if they belong to this plan.
  mutating func apply(_ plan: PastePlan) {
    guard plan.entity == self.plan.entity, plan.rows == self.plan.rows else { return }
    self.plan = plan
    isLookingUp = false
  }

  /// Starts to wait for the target rows.
  mutating func awaitTargets() { isLookingUp = true }
  mutating func stopLookingUp() { isLookingUp = false }

  func lineCount(in state: BrowserState) -> Int { plan.rows.count }
  func box(in state: BrowserState) -> Rectangle? { area(in: state.size) }

  func body(in state: BrowserState) -> Rectangle {
    let inside = area(in: state.size).inset(horizontal: 2, vertical: 1)
    return inside.split(top: 1).rest.split(bottom: hasFoot ? 2 : 0).rest
  }

  private var hasFoot: Bool { isIntoRows || !plan.faults.isEmpty }

  private func area(in size: Size) -> Rectangle {
    size.box(columns: 110, rows: min(plan.rows.count, 20) + (hasFoot ? 5 : 3))
  }

  /// The fault or the changes of the row under the cursor, or else the first fault; and the other rows with
  /// faults.
  private func foot(in state: BrowserState) -> (text: String, role: StyleRole) {
    let changes = changes(of: scroll.cursor, in: state)
    guard
      let fault = plan.faults.first(where: { $0.row == scroll.cursor })
        ?? (changes == nil ? plan.faults.first : nil)
    else { return (changes ?? "", .text) }
    let others = Set(plan.faults.map(\.row)).subtracting([fault.row]).sorted()
    var text = "Row \(fault.row + 1): \(fault.reason)"
    if !others.isEmpty {
      let shown = others.prefix(8).map { CountText.grouped($0 + 1) }.joined(separator: ", ")
      text += (text.ends(with: ".") ? "" : ".") + " More faulty rows: \(shown)"
      text += others.count > 8 ? ", …" : ""
    }
    return (text, .error)
  }

  /// The changes of a target row; nil if it keeps all its values.
  private func changes(of row: Int, in state: BrowserState) -> String? {
    guard let targets = plan.targets, targets.indices.contains(row), let values = plan.values[row],
      !values.isEmpty
    else { return nil }
    let entity = state.schema.entities[plan.entity]
    let parts = plan.slots.enumerated().compactMap { column, slot -> String? in
      guard let slot, values[slot] != nil else { return nil }
      let new = column < plan.rows[row].count ? plan.rows[row][column] : ""
      return entity.properties[slot].name + " " + shown(targets[row].shown[slot] ?? "") + " "
        + Marks(.ascii).leadsTo + " " + shown(new)
    }
    return "\(targets[row].name): " + parts.joined(separator: ", ")
  }

  private func shown(_ text: String) -> String { text.isEmpty ? "nothing" : text }

  mutating func pick(in state: inout BrowserState) { state.stagePaste() }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let entity = state.schema.entities[plan.entity]
    let made = plan.taken.count
    var notes = [order.rawValue]
    if made < plan.rows.count {
      notes.append("\(CountText.counted(plan.rows.count - made, "row")) left out")
    }
    let skipped = plan.columnsLeftOut
    if skipped > 0 { notes.append("\(CountText.counted(skipped, "column")) left out") }
    let title =
      isIntoRows
      ? "Paste \(CountText.counted(plan.changeCount, "value")) into rows of \(entity.name)"
      : "Paste \(CountText.counted(made, "new object")) of \(entity.name)"
    Box(
      title: title, note: isLookingUp ? "looking up…" : notes.joined(separator: ", ")
    ).cover(&buffer, in: area(in: state.size))
    let body = body(in: state)
    let names =
      (isIntoRows ? [""] : []) + plan.slots.map { $0.map { entity.properties[$0].name } ?? "" }
    let numeric = numericColumns(of: entity)
    let widths = widths(names, numeric, in: body.columns)
    let header = Rectangle(column: body.left, row: body.top - 1, columns: body.columns, rows: 1)
    draw(names, widths, role: { _ in .columnHeader }, into: &buffer, in: header)
    drawLines(into: &buffer, in: state) { row, buffer, line in
      draw(
        fields(of: row), widths, numeric: numeric, role: { role(of: $0, in: row) }, into: &buffer,
        in: line)
    }
    let foot = foot(in: state)
    guard !foot.text.isEmpty else { return nil }
    let below = Rectangle(column: body.left, row: body.bottom, columns: body.columns, rows: 2)
    buffer.draw(wrapped: foot.text, in: below, role: foot.role)
    return nil
  }

  /// The fields of a row, after the name of its target.
  private func fields(of row: Int) -> [String] {
    guard let targets = plan.targets else { return plan.rows[row] }
    return [row < targets.count ? targets[row].name : ""] + plan.rows[row]
  }

  private func role(of place: Int, in row: Int) -> StyleRole {
    let column = isIntoRows ? place - 1 : place
    if plan.faults.contains(where: { $0.row == row && $0.column == column }) { return .error }
    guard let values = plan.values[row] else { return .dim }
    guard isIntoRows else { return .text }
    if column < 0 { return .text }
    let isChanged =
      plan.slots.indices.contains(column) && plan.slots[column].map { values[$0] != nil } ?? false
    return isChanged ? .changed : .dim
  }

  private func numericColumns(of entity: Entity) -> Set<Int> {
    Set(
      plan.slots.indices.filter { column in
        plan.slots[column].flatMap { entity.properties[$0].attribute }?.type.isNumeric ?? false
      }.map { $0 + (isIntoRows ? 1 : 0) })
  }

  private func widths(_ names: [String], _ numeric: Set<Int>, in available: Int) -> [Int] {
    let rows = plan.rows.indices.prefix(200).map(fields)
    let count = max(names.count, rows.map(\.count).max() ?? 0)
    let demands = (0..<count).map { column in
      let shown = rows.map { column < $0.count ? $0[column] : "" }
      let widest =
        (shown + [column < names.count ? names[column] : ""])
        .map { $0.displayWidth(upTo: 30) }.max() ?? 0
      let content = max(1, widest)
      return ColumnLayout.Demand(
        content: content, minimum: numeric.contains(column) ? content : min(content, 6))
    }
    return ColumnLayout.widths(demands, available: available, spacing: 2)
  }

  /// - Parameter numeric: the columns of numbers.
  private func draw(
    _ fields: [String], _ widths: [Int], numeric: Set<Int> = [], role: (Int) -> StyleRole,
    into buffer: inout ScreenBuffer, in line: Rectangle
  ) {
    var left = line.left
    for (column, width) in widths.enumerated() where left < line.right {
      let room = min(width, line.right - left)
      if column < fields.count {
        buffer.draw(
          fields[column], at: Position(column: left, row: line.top), width: room,
          role: role(column), truncation: numeric.contains(column) ? .number : .tail)
      }
      left += width + 2
    }
  }
}
