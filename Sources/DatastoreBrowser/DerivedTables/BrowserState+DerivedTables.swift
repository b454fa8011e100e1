import DatastoreCore
import TerminalUI

/// Opening derived tables.
extension BrowserState {
  /// Opens a derived table; what is typed meanwhile is meant for that.
  mutating func openDerivedTable(_ table: DerivedTable) {
    awaitAnswer(.nestedStore)
    request(.openDerivedTable(table))
  }

  /// Reads the derived table that is shown again.
  mutating func readDerivedTableAgain() {
    let what = derivedTable?.sql == nil ? "Computing it again…" : "Running the statement again…"
    message = Message(text: what, severity: .information)
    request(.terminal(.askAgain))
  }

  /// Opens a derived table of what the browser itself knows, which is asked again for with what it knows
  /// then.
  ///
  /// - Parameters:
  ///   - title: what the table is called.
  ///   - subject: what it is, as part of a sentence.
  ///   - entity: what its only entity is called.
  ///   - place: the row and the column that the cursor is to be on.
  ///   - message: what is said when it is shown.
  ///   - make: computes its rows, of what is known.
  mutating func openDerivedTable(
    titled title: String, _ subject: String, entity: String,
    at place: (row: Int, column: Int)? = nil, saying message: Message? = nil,
    of make: @escaping @Sendable (BrowserState) -> DerivedRows.Request.Compute
  ) {
    @Sendable func table(of state: BrowserState) -> DerivedTable {
      var made = DerivedTable(
        DerivedRows.Request(
          title: title, subject: subject, entity: entity, compute: make(state)))
      made.again = { table(of: $0) }
      return made
    }
    var first = table(of: self)
    first.place = place
    if let message { first.arrange = { $0.message = message } }
    openDerivedTable(first)
  }

  /// Asks for rows that are computed of those that the table shows, of a long list first of its first ones.
  ///
  /// - Parameters:
  ///   - name: what the table is called: “values of position”.
  ///   - entity: what its only entity is called.
  mutating func openDerivedRows(
    _ name: String, entity: String,
    _ compute:
      @escaping @MainActor @Sendable (EffectRunner, _ rows: FetchRequest, ReadProgress?)
      async throws
      -> DerivedRows
  ) {
    guard let table else { return }
    let query = table.query
    let filter = table.query.filter == nil ? "" : ", where \(table.query.filterText)"
    var request = DerivedRows.Request(
      title: "\(name) in \(table.title)\(filter)", subject: name, entity: entity
    ) { runner, sample, progress in
      var rows = query.request(in: runner.schema)
      rows.sortDescriptors = []
      if let sample { rows.predicate = .hasKey(in: sample) }
      return try await compute(runner, rows, progress)
    }
    if table.list.keys.count > DerivedRows.Request.longest {
      request.sample = Array(
        table.list.keys.readKeys.prefix(DerivedRows.Request.sampled).map(\.key))
      request.rowCount = table.rowTotal ?? table.list.keys.count
    }
    openDerivedTable(DerivedTable(request))
  }

  /// Shows the rows of the table that conditions hold for, too.
  mutating func narrow(to conditions: [Predicate]) {
    focus = .table
    let parts = [table?.query.filter].compactMap { $0 } + conditions
    setFilter(parts.count > 1 ? .and(parts) : parts.first)
  }
}
