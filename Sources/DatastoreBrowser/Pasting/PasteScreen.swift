import Basics
import DatastoreCore
import TerminalUI

/// The rows that were pasted, as the objects that they will be, before anything is staged.
struct PasteScreen: LineListOverlay {
  var scope: CommandScope { .paste }
  var scroll = ScrollState()
  let table: PastedTable
  /// Whether the first row names the columns.
  private(set) var hasHeader: Bool
  private(set) var plan: PastePlan
  /// Whether names of related objects are being looked up.
  private(set) var isLookingUp: Bool

  init(_ table: PastedTable, hasHeader: Bool, plan: PastePlan) {
    self.table = table
    self.hasHeader = hasHeader
    self.plan = plan
    isLookingUp = !plan.names.isEmpty
  }

  /// Applies the related objects that were found, if they are of this plan.
  mutating func apply(_ plan: PastePlan) {
    guard plan.entity == self.plan.entity, plan.rows == self.plan.rows else { return }
    self.plan = plan
    isLookingUp = false
  }

  func lineCount(in state: BrowserState) -> Int { plan.rows.count }
  func box(in state: BrowserState) -> Rectangle? { area(in: state.size) }

  func body(in state: BrowserState) -> Rectangle {
    let inside = area(in: state.size).inset(horizontal: 2, vertical: 1)
    return inside.split(top: 1).rest.split(bottom: foot(in: state).isEmpty ? 0 : 2).rest
  }

  private func area(in size: Size) -> Rectangle {
    size.box(columns: 110, rows: min(plan.rows.count, 20) + (plan.faults.isEmpty ? 3 : 5))
  }

  /// What is wrong with the row under the cursor, else with the first one.
  private func foot(in state: BrowserState) -> String {
    guard let fault = plan.faults.first(where: { $0.row == scroll.cursor }) ?? plan.faults.first
    else { return "" }
    return "Row \(fault.row + 1): \(fault.reason)"
  }

  mutating func pick(in state: inout BrowserState) { state.stagePaste() }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: state.size)
    let entity = state.schema.entities[plan.entity]
    buffer.fill(area)
    let made = plan.objects.count
    var notes = [hasHeader ? "first row names the columns" : "columns from the cursor on"]
    if made < plan.rows.count { notes.append("\(plan.rows.count - made) left out") }
    Box(
      title: "Paste \(CountText.counted(made, "new object")) of \(entity.name)",
      note: isLookingUp ? "looking up names…" : notes.joined(separator: ", "), isFocused: true
    ).draw(into: &buffer, in: area)
    let body = body(in: state)
    let widths = widths(of: entity, in: body.columns)
    let header = Rectangle(column: body.left, row: body.top - 1, columns: body.columns, rows: 1)
    draw(names(of: entity), widths, role: { _ in .columnHeader }, into: &buffer, in: header)
    let numeric = numericColumns(of: entity)
    drawLines(into: &buffer, in: state) { row, buffer, line in
      let faults = Set(plan.faults.filter { $0.row == row }.map(\.column))
      let isLeftOut = !faults.isEmpty
      draw(
        plan.rows[row], widths, numeric: numeric,
        role: { faults.contains($0) ? .error : isLeftOut ? .dim : .text }, into: &buffer, in: line)
    }
    let foot = foot(in: state)
    if !foot.isEmpty {
      for (offset, line) in foot.wrapped(to: body.columns).prefix(2).enumerated() {
        buffer.draw(
          line, at: Position(column: body.left, row: body.bottom + offset), width: body.columns,
          role: .error)
      }
    }
    return nil
  }

  private func names(of entity: Entity) -> [String] {
    plan.slots.map { $0.map { entity.properties[$0].name } ?? "" }
  }

  private func numericColumns(of entity: Entity) -> Set<Int> {
    Set(
      plan.slots.indices.filter { column in
        plan.slots[column].flatMap { entity.properties[$0].attribute }?.type.isNumeric ?? false
      })
  }

  private func widths(of entity: Entity, in available: Int) -> [Int] {
    let count = max(plan.slots.count, plan.rows.map(\.count).max() ?? 0)
    let names = names(of: entity)
    let numeric = numericColumns(of: entity)
    let demands = (0..<count).map { column in
      let shown = plan.rows.prefix(200).map { column < $0.count ? $0[column] : "" }
      let widest =
        (shown + [column < names.count ? names[column] : ""])
        .map { $0.displayWidth(upTo: 30) }.max() ?? 0
      let content = max(1, widest)
      return ColumnLayout.Demand(
        content: content, minimum: numeric.contains(column) ? content : min(content, 6))
    }
    return ColumnLayout.widths(demands, available: available, spacing: 2)
  }

  /// - Parameter numeric: the columns that numbers are meant for.
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

extension CommandScope {
  static let paste = CommandScope(
    "paste", title: "Before pasted rows become objects",
    traits: [.scrolls, .accepts, .closes], labels: ["accept": "paste"])
}
