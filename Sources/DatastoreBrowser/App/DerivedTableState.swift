import Basics
import DatastoreCore
import TerminalUI

/// What is known of the derived table whose rows are shown; nothing where a file is.
struct DerivedTableState: FeatureState {
  enum Phase: Hashable, Sendable {
    case reading
    /// It is of the first rows of a long list only, while all are read.
    case partial(of: Int, percent: Int)
    case whole
    case stopped
    case failed(String)
  }

  enum Origin: Hashable, Sendable {
    /// The answer to a statement, with the time of day at which it was asked.
    ///
    /// - isOfAnswer: whether what was asked is itself the rows of a derived table, which are gone the next
    ///   time.
    case sql(String, time: String, isOfAnswer: Bool)
    /// Rows that were computed.
    case rows(title: String)
  }

  /// Does something in the table below: shows the rows that some were computed of.
  typealias Change = @Sendable (inout BrowserState) -> Void
  /// What some of the rows and a column lead to, both from 0; nil where that is nothing.
  typealias Lead = @Sendable (_ rows: [Int], _ column: Int) -> Change?

  /// What a key does in a row, where the rows of a derived table lead somewhere.
  struct Action: Hashable, Sendable {
    /// For the footer.
    let label: String
    /// For the line above the status: “enter shows the rows behind”.
    let sentence: String

    init(_ label: String, _ sentence: String) {
      self.label = label
      self.sentence = sentence
    }

    static let showRows = Self("go behind", "enter shows the rows behind")
    static let goToObject = Self("go there", "enter goes to the object")
  }

  struct Shown: Sendable {
    let origin: Origin
    /// How many rows have been read.
    var rows: Int
    var phase: Phase
    /// Nil where the rows lead nowhere.
    var lead: Lead?
    var enter = Action.showRows
    /// What taking rows away leads to; nil where none can be.
    var removal: (action: Action, lead: Lead)?
    /// The names of its columns; others are computed of these.
    var columns: [String] = []
  }

  var shown: Shown?
}

extension DerivedTableState.Shown {
  /// What it is, and of an answer how old, before the statement, of which there may be more than there is
  /// room for.
  var title: String {
    switch origin {
    case .sql(let sql, let time, _):
      "SQL at \(time): " + sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    case .rows(let title): title
    }
  }

  /// The statement, where it is the answer to one.
  var sql: String? {
    if case .sql(let sql, _, _) = origin { sql } else { nil }
  }

  /// How far it has been read, where that is not to its end, and what can be done in it.
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
}

extension DerivedTableState.Shown {
  /// The table's, with what its keys do here.
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

  /// Goes to the rows behind the selected rows of the derived table, or the one under the cursor. Returns
  /// whether its rows lead anywhere.
  ///
  /// - Parameter isRemoving: whether it is taking them away that leads there.
  mutating func followDerivedRows(isRemoving: Bool = false) -> Bool {
    guard let derivedTable,
      let lead = isRemoving ? derivedTable.removal?.lead : derivedTable.lead, let table,
      let key = table.currentKey, let name = table.currentColumn?.name
    else { return false }
    let selection = editing.selection
    let isAny = selection.count(in: table.query, rows: 1) > 0
    let keys = isAny ? table.list.keys.filter { selection.contains($0, in: table.query) } : [key]
    // Rows are numbered as they come.
    let rows = keys.map { Int($0.rawValue) - 1 }
    if let change = lead(rows, derivedTable.columns.firstIndex(of: name) ?? 0) {
      request(.terminal(.leaveStore(change)))
    } else {
      message = Message(text: "This row has no rows behind it.", severity: .information)
    }
    return true
  }
}
