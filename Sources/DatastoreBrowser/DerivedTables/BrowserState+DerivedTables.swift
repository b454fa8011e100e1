import DatastoreCore
import TerminalUI

extension BrowserState {
  /// Opens a derived table; keys typed meanwhile are for that table.
  mutating func openDerivedTable(_ table: DerivedTable) {
    awaitAnswer(.nestedStore)
    request(.openDerivedTable(table))
  }

  mutating func readDerivedTableAgain() {
    let what = derivedTable?.sql == nil ? "Computing it again…" : "Running the statement again…"
    tell(what, .information)
    request(.terminal(.askAgain))
  }

  /// Opens a derived table whose rows come from the browser's own state; reading it again computes it from
  /// the state at that time.
  ///
  /// - Parameters:
  ///   - title: the title of the table.
  ///   - subject: the content of the table, as part of a sentence.
  ///   - entity: the name of its only entity.
  ///   - tabs: the tables beside it.
  ///   - place: the row and the column to put the cursor on.
  ///   - message: a message to show with the table.
  ///   - make: computes the rows from the state.
  mutating func openDerivedTable(
    titled title: String, _ subject: String, entity: String,
    tabs: DerivedTableState.Tabs? = nil, at place: (row: Int, column: Int)? = nil,
    saying message: Message? = nil,
    of make: @escaping @Sendable (BrowserState) -> DerivedRows.Request.Compute
  ) {
    @Sendable func table(of state: BrowserState) -> DerivedTable {
      var request = DerivedRows.Request(
        title: title, subject: subject, entity: entity, compute: make(state))
      request.tabs = tabs
      var made = DerivedTable(request)
      made.again = { table(of: $0) }
      return made
    }
    var first = table(of: self)
    first.place = place
    if let message { first.arrange = { $0.message = message } }
    openDerivedTable(first)
  }

  /// Opens a derived table computed from the rows of the table; for a long list, first from a sample of its
  /// first rows.
  ///
  /// - Parameters:
  ///   - name: the name of the table: “values of position”.
  ///   - entity: the name of its only entity.
  ///   - tabs: the tables beside it.
  mutating func openDerivedRows(
    _ name: String, entity: String, tabs: DerivedTableState.Tabs? = nil,
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
    request.tabs = tabs
    if table.list.keys.count > DerivedRows.Request.longest {
      request.sample = Array(
        table.list.keys.readKeys.prefix(DerivedRows.Request.sampled).map(\.key))
      request.rowCount = table.rowTotal ?? table.list.keys.count
    }
    var derived = DerivedTable(request)
    if !savedRowsNote.isEmpty {
      let message = Message(text: "The \(name)\(savedRowsNote).", severity: .information)
      derived.arrange = { $0.message = message }
    }
    openDerivedTable(derived)
  }

  /// Narrows the table to the rows that also meet some conditions; going back takes the former filter back.
  mutating func narrow(to conditions: [Predicate]) {
    pushPlace(endsWay: true)
    focus = .table
    let parts = [table?.query.filter].compactMap { $0 } + conditions
    setFilter(parts.count > 1 ? .and(parts) : parts.first)
  }
}
