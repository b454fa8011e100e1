import DatastoreCore

/// A table derived from the store below: the answer to an SQL statement, or rows computed from other rows. It
/// is shown above that store, and every command of a table works on it.
struct DerivedTable: Sendable {
  /// The source of the rows.
  enum Source: Sendable {
    /// The answer to an SQL statement.
    case sql(String)
    /// Rows computed from the rows of the table below.
    case rows(DerivedRows.Request)
  }

  let source: Source
  /// The cell to put the cursor on: a row, from 0, and the index of a column.
  var place: (row: Int, column: Int)?
  /// Arranges the table when it is shown.
  var arrange: @Sendable (inout BrowserState) -> Void = { _ in }
  /// Makes the table again from the current state below, if its rows come from that state and not from the
  /// store.
  var again: (@Sendable (BrowserState) -> DerivedTable)?

  init(_ sql: String) {
    source = .sql(sql)
  }

  init(_ request: DerivedRows.Request) {
    source = .rows(request)
  }

  /// The content of the table, as part of a sentence: “a copy of an SQL answer”.
  var subject: String {
    switch source {
    case .sql: "an SQL answer"
    case .rows(let request): request.subject
    }
  }

  /// The same table, to be read again without a place for the cursor.
  func askedAgain(in below: BrowserState) -> DerivedTable {
    if let again = again?(below) { return again }
    switch source {
    case .sql(let sql): return DerivedTable(sql)
    case .rows(let request):
      var table = DerivedTable(request)
      table.arrange = arrange
      return table
    }
  }
}

/// Rows computed from the rows of a table, and where each of them leads.
struct DerivedRows: Sendable {
  /// A column of computed rows.
  struct Column: Hashable, Sendable {
    var name: String
    /// The declared type; nil if the values determine it.
    var declaredType: String?
    /// The storage format of dates in the column.
    var dates: DateConvention?
    /// The unit of its numbers.
    var unit: String?
    var picture: ColumnPicture?
    /// The format of its numbers.
    var numbers: NumberFormat?
    /// The aggregate of its values for the footer.
    var total: Predicate.Aggregate?
  }

  /// Computes the rows after the present ones and passes them to `put`, which returns false once no more rows
  /// are needed.
  typealias Rest =
    @Sendable (_ put: @escaping @Sendable ([[Value]]) async -> Bool) async throws -> Void

  var columns: [Column]
  /// The rows, each with a value for each column.
  var rows: [[Value]]
  var enter = DerivedTableState.Action.showRows
  /// Where the rows lead; nil if they lead nowhere.
  var lead: DerivedTableState.Lead?
  /// The action of deleting rows, and where it leads.
  var removal: (action: DerivedTableState.Action, lead: DerivedTableState.Lead)?
  /// Computes the remaining rows; nil if there are none.
  var rest: Rest?
}

extension DerivedRows {
  /// A request for computed rows.
  struct Request: Sendable {
    /// Computes the rows, from a sample of the first rows if the list is long; the last argument receives the
    /// progress of the store.
    typealias Compute =
      @MainActor @Sendable (EffectRunner, _ sample: [RowKey]?, ReadProgress?) async throws ->
      DerivedRows

    /// The title of the table: “values of position in Employee”.
    let title: String
    /// The content of the table, as part of a sentence: “values of position”.
    let subject: String
    /// The name of its only entity.
    let entity: String
    /// The first rows of a long list: the table is computed from them while all rows are read.
    var sample: [RowKey] = []
    /// The number of all rows.
    var rowCount = 0
    /// The tables beside this one.
    var tabs: DerivedTableState.Tabs?
    let compute: Compute
    /// The progress, estimated from the cost of the sample.
    let progress = DerivedTableProgress()

    /// Lists longer than `longest` are first sampled by `sampled` rows.
    static let (longest, sampled) = (20_000, 2_000)
  }

  /// The rows as a page of stored values.
  static func page(_ rows: [[Value]], columns: Int) -> RowPage {
    let page = RowPage(columnCount: columns, rowCapacity: max(1, rows.count))
    for (place, row) in rows.enumerated() {
      page.appendRow(key: RowKey(Int64(place + 1)))
      for (column, value) in row.enumerated() { page.setValue(value, row: place, column: column) }
    }
    page.seal()
    return page
  }
}
