import Basics
import DatastoreCore
import TerminalUI

/// The state of the shown derived table; empty when the browser shows a file.
struct DerivedTableState: FeatureState {
  enum Phase: Hashable, Sendable {
    case reading
    /// The table has the first rows of a long list, while all rows are being read.
    case partial(of: Int, percent: Int)
    case whole
    case stopped
    case failed(String)
  }

  enum Origin: Hashable, Sendable {
    /// The answer to an SQL statement, with the time of day of the query.
    ///
    /// - isOfAnswer: whether the query was on the rows of a derived table, which are gone the next time.
    case sql(String, time: String, isOfAnswer: Bool)
    /// Computed rows.
    case rows(title: String)
  }

  /// A change of the table below that shows the rows behind some computed rows.
  typealias Change = @Sendable (inout BrowserState) -> Void
  /// The change that some rows and a column, both counted from 0, lead to; nil if they lead nowhere.
  typealias Lead = @Sendable (_ rows: [Int], _ column: Int) -> Change?

  /// The action of a key on rows that lead somewhere.
  struct Action: Hashable, Sendable {
    /// The label in the footer.
    let label: String
    /// The text in the line above the status: “enter shows the rows behind”.
    let sentence: String

    init(_ label: String, _ sentence: String) {
      self.label = label
      self.sentence = sentence
    }

    static let showRows = Self("go behind", "enter shows the rows behind")
    static let goToObject = Self("go there", "enter goes to the object")
  }

  /// The tables beside this one, of which each takes the place of the others, such as the summaries of a
  /// column.
  struct Tabs: Sendable {
    struct Tab: Sendable {
      let title: String
      /// Opens the table from the state below.
      let open: Change

      init(_ title: String, open: @escaping Change) {
        self.title = title
        self.open = open
      }
    }

    /// All tables with this one.
    let all: [Tab]
    let current: Int

    /// The titles, with the current one in brackets.
    var text: String {
      all.indices.map { $0 == current ? "[\(all[$0].title)]" : all[$0].title }
        .joined(separator: " ")
    }
  }

  struct Shown: Sendable {
    let origin: Origin
    /// The number of rows read so far.
    var rows: Int
    var phase: Phase
    /// Nil if the rows lead nowhere.
    var lead: Lead?
    var enter = Action.showRows
    /// The action of deleting rows, and the change that it leads to; nil if rows cannot be deleted.
    var removal: (action: Action, lead: Lead)?
    /// The names of the columns that the rows were computed with; later columns are computed from these.
    var columns: [String] = []
    var tabs: Tabs?
  }

  var shown: Shown?
}

extension DerivedTableState.Shown {
  /// The kind of table and, for an answer, its time. The statement comes last, since it may not fit.
  var title: String {
    switch origin {
    case .sql(let sql, let time, _):
      "SQL at \(time): " + sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    case .rows(let title): title
    }
  }

  /// The SQL statement that the table answers; nil for computed rows.
  var sql: String? {
    if case .sql(let sql, _, _) = origin { sql } else { nil }
  }

  /// How far the table has been read if it is incomplete, or else the actions of its keys.
  var note: String? {
    switch phase {
    case .whole:
      lead == nil
        ? nil : [enter, removal?.action].compactMap { $0?.sentence }.joined(separator: ", ")
    case .reading: "\(CountText.counted(rows, "row")) read so far, esc stops"
    case .partial(let count, let percent):
      "of the first \(CountText.grouped(count)) rows, all are being read… \(percent) %"
    case .stopped: "not all of it: reading was stopped"
    case .failed: "not all of it: reading has failed"
    }
  }

  /// The scope of a table, with labels for the keys of a derived table.
  var scope: CommandScope {
    CommandScope(
      CommandScope.table.name, title: CommandScope.table.title, traits: CommandScope.table.traits,
      labels: [
        "stop": phase == .reading ? "stop" : "leave",
        "open-row": lead == nil ? "details" : enter.label,
        "delete": removal?.action.label ?? "delete",
      ])
  }
}

extension BrowserState {
  /// The derived table whose rows are shown.
  var derivedTable: DerivedTableState.Shown? {
    get { self[DerivedTableState.self].shown }
    _modify { yield &self[DerivedTableState.self].shown }
  }

  /// Goes to the rows behind the selected rows of the derived table, or behind the row under the cursor.
  /// Returns whether its rows lead anywhere.
  ///
  /// - Parameter isRemoving: whether the rows are being deleted.
  mutating func followDerivedRows(isRemoving: Bool = false) -> Bool {
    guard let derivedTable,
      let lead = isRemoving ? derivedTable.removal?.lead : derivedTable.lead, let table,
      let key = table.currentKey, let name = table.currentColumn?.name
    else { return false }
    let selection = editing.selection
    let isAny = selection.count(in: table.query, rows: 1) > 0
    let keys = isAny ? table.list.keys.filter { selection.contains($0, in: table.query) } : [key]
    // Row numbers follow the order of the rows.
    let rows = keys.map { Int($0.rawValue) - 1 }
    if let change = lead(rows, derivedTable.columns.firstIndex(of: name) ?? 0) {
      request(.terminal(.leaveStore(change)))
    } else {
      tell("This row has no rows behind it.", .information)
    }
    return true
  }
}
