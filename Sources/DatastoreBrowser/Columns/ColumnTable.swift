import DatastoreCore
import TerminalUI

extension BrowserState {
  /// Opens a table of all columns of the table, including hidden ones; Enter shows or hides the selected
  /// ones.
  mutating func openColumns() {
    guard let table, let entity else { return }
    openDerivedTable(
      titled: "Columns of \(entity.name)", "the columns", entity: "columns",
      at: (table.arrangement.all.firstIndex(of: table.column) ?? 0, 0)
    ) { state in
      let all = state.table?.arrangement.all ?? []
      let rows = all.map { state.row(ofColumn: $0, entity) }
      return { _, _, _ in
        DerivedRows(
          columns: [
            .text("column"), DerivedRows.Column(name: "shown", declaredType: "BOOLEAN"),
            .text("type"), .number("width"), .text("notes"),
          ], rows: rows, enter: .showColumns
        ) { rows, _ in
          { $0.toggleShown(rows.map { all[$0] }) }
        }
      }
    }
  }

  private func row(ofColumn index: Int, _ entity: Entity) -> [Value] {
    guard let table else { return [] }
    let column = table.columns[index]
    let place = table.arrangement.position(of: index)
    var notes: [String] = []
    if let place, place < table.arrangement.frozen { notes.append("frozen") }
    if let mark = table.sortMark(of: column, Marks(.ascii)) { notes.append("sorted \(mark)") }
    if let format = table.settings.numbers[column.name] {
      notes.append("written as \(format.pattern)")
    }
    return [
      .text(column.name), .integer(place == nil ? 0 : 1), .text(column.typeText(of: entity)),
      table.settings.widths[column.name].map { .integer(Int64($0)) } ?? .null,
      notes.isEmpty ? .null : .text(notes.joined(separator: ", ")),
    ]
  }

  /// Shows the hidden columns among some, and hides the others; the cursor goes to the first column that
  /// appears.
  private mutating func toggleShown(_ columns: [Int]) {
    let hidden = columns.filter { table?.arrangement.position(of: $0) == nil }
    let others = columns.filter { !hidden.contains($0) }
    for column in hidden { setShown(true, column: column) }
    for column in others { setShown(false, column: column) }
    focus = .table
    if let first = hidden.first { table?.column = first }
    guard message == nil else { return }
    func names(_ columns: [Int], _ what: String) -> String? {
      guard let table, !columns.isEmpty else { return nil }
      return "\(columns.map { table.columns[$0].name }.joined(separator: ", ")) \(what)."
    }
    tell(
      [
        names(hidden, hidden.count == 1 ? "is shown" : "are shown"),
        names(others, others.count == 1 ? "is hidden" : "are hidden"),
      ].compactMap { $0 }.joined(separator: " "), .information)
  }
}

extension TableColumn {
  fileprivate func typeText(of entity: Entity) -> String {
    guard let slot else { return "= \(expression ?? "")" }
    return switch entity.properties[slot] {
    case .attribute(let attribute): TypeText.describe(attribute)
    case .relationship(let relationship):
      relationship.kind.isToMany ? "\(relationship.destination) (count)" : relationship.destination
    }
  }
}

extension DerivedTableState.Action {
  static let showColumns = Self("show or hide", "enter shows or hides")
}
