import DatastoreCore

/// The answer to a pivot: a value for each pair of groups that have rows, and for each group as a whole.
struct PivotTable: Hashable, Sendable {
  /// A group, and what it is called.
  struct Group: Hashable, Sendable {
    let value: Value
    let name: String
    /// Whether it is an object, which its name says more of than its key.
    let isObject: Bool
    /// What is computed of all its rows.
    let total: Value
  }

  /// What the rows or the columns are in the order of.
  enum Order: Hashable, Sendable {
    /// Objects by their names, other groups by their values.
    case group
    /// The cells of another row or column, by its index; the totals, where there is none of that index.
    case cell(Int, ascending: Bool)
  }

  private(set) var rows: [Group]
  private(set) var columns: [Group]
  /// What is computed of all rows.
  let total: Value
  /// By row, then by column; NULL where no row is in both groups.
  private var cells: [[Value]]
  private(set) var rowOrder = Order.group
  private(set) var columnOrder = Order.group

  /// - Parameter values: by the value of the row's group and that of the column's.
  init(rows: [Group], columns: [Group], total: Value, values: [[Value]: Value]) {
    self.rows = rows
    self.columns = columns
    self.total = total
    cells = rows.map { row in columns.map { values[[row.value, $0.value]] ?? .null } }
  }

  /// The value of a cell; behind the last row and the last column are the totals.
  func value(row: Int, column: Int) -> Value {
    switch (rows.indices.contains(row), columns.indices.contains(column)) {
    case (true, true): cells[row][column]
    case (true, false): rows[row].total
    case (false, true): columns[column].total
    case (false, false): total
    }
  }

  /// Puts the rows in the order of a column, greatest first; then least first, then of their groups again.
  mutating func sortRows(by column: Int) {
    rowOrder = next(rowOrder, column)
    let order = sorted(rows, rowOrder) { value(row: $0, column: $1) }
    (rows, cells) = (order.map { rows[$0] }, order.map { cells[$0] })
    if case .cell(let place, let ascending) = columnOrder, rows.indices.contains(place) {
      columnOrder = .cell(order.firstIndex(of: place) ?? place, ascending: ascending)
    }
  }

  /// Puts the columns in the order of a row, in the same way.
  mutating func sortColumns(by row: Int) {
    columnOrder = next(columnOrder, row)
    let order = sorted(columns, columnOrder) { value(row: $1, column: $0) }
    columns = order.map { columns[$0] }
    cells = cells.map { line in order.map { line[$0] } }
    if case .cell(let place, let ascending) = rowOrder, columns.indices.contains(place) {
      rowOrder = .cell(order.firstIndex(of: place) ?? place, ascending: ascending)
    }
  }

  private func next(_ order: Order, _ place: Int) -> Order {
    switch order {
    case .cell(place, ascending: false): .cell(place, ascending: true)
    case .cell(place, ascending: true): .group
    default: .cell(place, ascending: false)
    }
  }

  private func sorted(
    _ groups: [Group], _ order: Order, value: (_ group: Int, _ place: Int) -> Value
  ) -> [Int] {
    let byGroup = groups.indices.sorted { Group.areInOrder(groups[$0], groups[$1]) }
    guard case .cell(let place, let ascending) = order else { return byGroup }
    let wanted: Value.Ordering = ascending ? .ascending : .descending
    // Equal ones stay in the order of their groups.
    return byGroup.enumerated().sorted { left, right in
      let ordering = Value.compare(value(left.element, place), value(right.element, place))
      return ordering == .same ? left.offset < right.offset : ordering == wanted
    }.map(\.element)
  }
}

extension PivotTable.Group {
  static func areInOrder(_ left: PivotTable.Group, _ right: PivotTable.Group) -> Bool {
    Value.compare(left.order, right.order) == .ascending
  }

  private var order: Value { isObject && !value.isNull ? .text(name) : value }
}
