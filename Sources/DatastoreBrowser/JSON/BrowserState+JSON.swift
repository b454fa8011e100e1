import Basics
import DatastoreCore
import TerminalUI

/// JSON in a column: its objects as columns, its arrays as a table.
extension BrowserState {
  /// The most members that become columns at once.
  static let mostMembers = 100

  /// Shows the members of the objects in the column under the cursor as columns, or removes these.
  mutating func expandObject() {
    guard let table, let column = table.currentColumn else { return }
    let members = Set(table.columns.filter { $0.isMember(of: column) }.map(\.name))
    guard !members.isEmpty else { return request(.findMembers(of: column, in: table.query)) }
    arrange { settings, _ in
      settings.derived.removeAll { members.contains($0.name) }
      settings.order.removeAll { members.contains($0) }
    }
    reportColumnFaults()
  }

  /// Adds columns for the members that were found, after the column of their objects.
  mutating func expand(_ column: TableColumn, _ members: [String]) {
    guard let table, let entity, table.columns.contains(column) else { return }
    let taken = Set(table.columns.map(\.name))
    var added: [DerivedColumn] = []
    for member in members.prefix(Self.mostMembers) {
      let text = column.member(.text(member)).formatted(entity: entity, in: schema)
      if !taken.contains(text) { added.append(DerivedColumn(name: text, expression: text)) }
    }
    arrange { settings, table in
      settings.derived += added
      var order = table.arrangement.all.map { table.columns[$0].name }
      let place = (order.firstIndex(of: column.name) ?? order.count - 1) + 1
      order.insert(contentsOf: added.map(\.name), at: place)
      settings.order = order
    }
    let count = CountText.grouped(members.count)
    tell(
      members.count > Self.mostMembers
        ? "\(column.name) has \(count) members; the first \(Self.mostMembers) are columns now."
        : "The members of \(column.name) are columns now; g. removes them.", .information)
  }

  /// Opens a table of the elements of the arrays in the column under the cursor.
  mutating func openArray() {
    guard let table, let column = table.currentColumn else { return }
    let selected = editing.selection.count(in: table.query, rows: table.list.keys.count)
    let rows: [ObjectReference]
    if selected == 0 {
      rows = table.currentKey.map { [table.reference(to: $0)] } ?? []
    } else if case .objects(let objects)? = bulkTarget {
      rows = objects
    } else {
      let most = CountText.grouped(BulkTarget.mostStaged)
      return tell(
        "The elements of at most \(most) rows are shown at once. Select fewer, or filter.", .warning
      )
    }
    guard !rows.isEmpty else { return }
    openDerivedTable(
      titled: "Elements of \(column.name) in \(table.title)", "the elements of \(column.name)",
      entity: "elements"
    ) { _ in
      { runner, _, _ in try await runner.elements(of: column, in: rows) }
    }
  }
}

extension TableColumn {
  /// The operand for a member of the JSON in the column.
  func member(_ step: Value) -> Predicate.Operand {
    guard case .function(.json, let place) = value else {
      return .function(.json, [value, .value(step)])
    }
    return .function(.json, place + [.value(step)])
  }

  /// Whether the column shows a part of the JSON in another column.
  fileprivate func isMember(of column: TableColumn) -> Bool {
    guard self != column, case .function(.json, let place)? = operand else { return false }
    guard case .function(.json, let outer) = column.value else {
      return place.first == column.value
    }
    return place.starts(with: outer)
  }
}
