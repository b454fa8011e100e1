import DatastoreCore

/// A table that is derived from the store below: the answer to a statement, or what is computed of rows. It
/// is shown above them, and every command of a table works on it.
struct DerivedTable: Sendable {
  /// Where its rows come from.
  enum Source: Sendable {
    /// The answer to a statement.
    case sql(String)
    /// What is computed of rows of the table below.
    case rows(DerivedRows.Request)
  }

  let source: Source
  /// The cell that the cursor is to be on: a row, from 0, and the place of a column.
  var place: (row: Int, column: Int)?
  /// Sets what the table shows.
  var arrange: @Sendable (inout BrowserState) -> Void = { _ in }
  /// Makes it again of what is known below now, where it is of that and not of what the store has.
  var again: (@Sendable (BrowserState) -> DerivedTable)?

  init(_ sql: String) {
    source = .sql(sql)
  }

  init(_ request: DerivedRows.Request) {
    source = .rows(request)
  }

  /// What it is, as part of a sentence: “a copy of an SQL answer”.
  var subject: String {
    switch source {
    case .sql: "an SQL answer"
    case .rows(let request): request.subject
    }
  }

  /// The same without where the cursor was.
  func askedAgain(in below: BrowserState) -> DerivedTable {
    if let again = again?(below) { return again }
    return switch source {
    case .sql(let sql): DerivedTable(sql)
    case .rows(let request): DerivedTable(request)
    }
  }
}

/// Rows that are computed of those of a table, and where each of them leads.
struct DerivedRows: Sendable {
  /// One of their columns.
  struct Column: Hashable, Sendable {
    var name: String
    /// What it would be declared as; nil where its values say it.
    var declaredType: String?
    /// How dates are stored in it.
    var dates: DateConvention?
    /// What its numbers are measured in.
    var unit: String?
    /// What is drawn of its values.
    var picture: ColumnPicture?
    /// How its numbers are written.
    var numbers: NumberFormat?
    /// What is computed of its values for the footer.
    var total: Predicate.Aggregate?
  }

  /// Computes rows that come behind those that are there, and hands them on; they are not wanted any more
  /// where that is false.
  typealias Rest =
    @Sendable (_ put: @escaping @Sendable ([[Value]]) async -> Bool) async throws -> Void

  var columns: [Column]
  /// A value for each column.
  var rows: [[Value]]
  var enter = DerivedTableState.Action.showRows
  /// Where the rows lead; nil where that is nowhere.
  var lead: DerivedTableState.Lead?
  /// What taking rows away leads to.
  var removal: (action: DerivedTableState.Action, lead: DerivedTableState.Lead)?
  /// The rows that are still to come; nil where these are all.
  var rest: Rest?
}

extension DerivedRows {
  /// Asks for rows.
  struct Request: Sendable {
    /// Computes them, where it is so of the first rows of a long list only; the last argument hears how far
    /// the store has come.
    typealias Compute =
      @MainActor @Sendable (EffectRunner, _ sample: [RowKey]?, ReadProgress?) async throws ->
      DerivedRows

    /// What the table is called: “values of position in Employee”.
    let title: String
    /// What it is, as part of a sentence: “values of position”.
    let subject: String
    /// What its only entity is called.
    let entity: String
    /// The first rows of a long list: what is true of them is shown while all are read.
    var sample: [RowKey] = []
    /// How many rows there are in all.
    var rowCount = 0
    let compute: Compute
    /// What the sample has cost.
    let progress = DerivedTableProgress()

    /// Of lists that are longer so many rows come first.
    static let (longest, sampled) = (20_000, 2_000)

    init(
      title: String, subject: String, entity: String, compute: @escaping Compute
    ) {
      self.title = title
      self.subject = subject
      self.entity = entity
      self.compute = compute
    }
  }

  /// All of them as they are stored.
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
