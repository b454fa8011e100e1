import DatastoreCore
import DatastoreExport
import TerminalUI

/// What is made of an answer: some of its rows, in another order, or how often each value of a column occurs.
///
/// The statement becomes a table of another one, so that SQLite does it, for as many rows as there are.
struct AnswerRefinement: Hashable, Sendable {
  struct Condition: Hashable, Sendable {
    var column: Int
    var value: Value
    var isExcluded: Bool
  }

  /// The statement that was typed, and the names of its columns.
  let statement: String
  let columns: [String]
  var conditions: [Condition] = []
  /// A text that a column shows.
  var text = ""
  /// The column whose values are counted.
  var counted: Int?
  /// The column by which rows are sorted: of a count the value or its number of rows.
  var order: (column: Int, ascending: Bool)?

  init(statement: String, columns: [String]) {
    self.statement = statement
    self.columns = columns
  }

  static func == (one: AnswerRefinement, other: AnswerRefinement) -> Bool {
    one.sql == other.sql
  }

  func hash(into hasher: inout Hasher) { hasher.combine(sql) }

  /// Whether a statement has an answer that can be the table of another one.
  static func isPossible(_ statement: String) -> Bool {
    let word = statement.prefix { !$0.isWhitespace && $0 != "(" }.uppercased()
    return ["SELECT", "WITH", "VALUES"].contains(word)
  }

  /// The statement that answers it. Columns go by numbers inside, since their names need not be unique.
  var sql: String {
    let inner = Self.withoutEnd(statement)
    let names = columns.indices.map { "c\($0)" }
    // A comment at the end of the statement ends with its line.
    var sql = "WITH datastore_answer (\(names.joined(separator: ", "))) AS (\n\(inner)\n)\n"
    if let counted, columns.indices.contains(counted) {
      sql += "SELECT c\(counted) AS \(SQLLiteral.name(columns[counted])), count(*) AS \"rows\""
    } else {
      let shown = zip(names, columns).map { "\($0) AS \(SQLLiteral.name($1))" }
      sql += "SELECT \(shown.joined(separator: ", "))"
    }
    sql += "\nFROM datastore_answer"
    let parts = conditions.map(text) + (text.isEmpty ? [] : [matches(names)])
    if !parts.isEmpty { sql += "\nWHERE \(parts.joined(separator: " AND "))" }
    if let counted { sql += "\nGROUP BY c\(counted)" }
    if let order {
      sql += "\nORDER BY \(order.column + 1)\(order.ascending ? "" : " DESC")"
    } else if counted != nil {
      sql += "\nORDER BY 2 DESC, 1"
    }
    return sql
  }

  /// A statement without its semicolon, and without what comments behind that say.
  private static func withoutEnd(_ statement: String) -> Substring {
    var inner = statement[...]
    while let end = inner.lastIndex(of: ";") {
      let lines = inner[inner.index(after: end)...].split(whereSeparator: \.isNewline)
      let areComments = lines.allSatisfy { line in
        let text = line.drop(while: \.isWhitespace)
        return text.isEmpty || text.hasPrefix("--")
      }
      guard areComments else { break }
      inner = inner[..<end]
    }
    return inner
  }

  private func text(_ condition: Condition) -> String {
    "c\(condition.column) IS \(condition.isExcluded ? "NOT " : "")\(SQLLiteral.text(condition.value))"
  }

  private func matches(_ names: [String]) -> String {
    let pattern = text.reduce(into: "") { pattern, character in
      if "%_\\".contains(character) { pattern.append("\\") }
      pattern.append(character)
    }
    let literal = SQLLiteral.text(.text("%\(pattern)%"))
    let tests = names.map { "CAST(\($0) AS TEXT) LIKE \(literal) ESCAPE '\\'" }
    return "(\(tests.joined(separator: " OR ")))"
  }

  /// In words: `sorted by name ▲, where kind = a`.
  func note(_ marks: Marks) -> String {
    var parts: [String] = []
    if let counted { parts.append("the values of \(columns[counted])") }
    if let order {
      let names = counted.map { [columns[$0], "rows"] } ?? columns
      let mark = order.ascending ? marks.ascending : marks.descending
      parts.append(
        "sorted by \(names.indices.contains(order.column) ? names[order.column] : "") \(mark)")
    }
    let format = ValueFormat(type: .undefined)
    parts += conditions.map { condition in
      let value = format.cell(condition.value).shown(marks).text
      return "\(columns[condition.column]) \(condition.isExcluded ? "not " : "")= \(value)"
    }
    if !text.isEmpty { parts.append("with “\(text)”") }
    return parts.joined(separator: ", ")
  }
}

extension SQLConsole {
  /// Begins to make something else of the answer; nil where nothing can be made of it, or nothing changes.
  mutating func refine(_ change: (inout AnswerRefinement, SQLResult) -> Void) -> SQLRequest? {
    guard let result, !isRunning else { return nil }
    var refined =
      refinement ?? AnswerRefinement(statement: result.sql, columns: result.columns.map(\.name))
    let before = refined.sql
    change(&refined, result)
    guard refined.sql != before else { return nil }
    return begin(refined)
  }

  /// Begins to read the answer as it was typed.
  mutating func showWholeAnswer() -> SQLRequest? {
    guard let refinement, !isRunning else { return nil }
    let whole = AnswerRefinement(statement: refinement.statement, columns: refinement.columns)
    return begin(whole)
  }
}

extension BrowserState {
  /// Makes something else of the answer of the console.
  mutating func refineAnswer(
    _ change: (inout AnswerRefinement, SQLResult) -> Void
  ) -> [Effect] {
    var request: SQLRequest?
    changeOverlay(as: SQLConsole.self) { request = $0.refine(change) }
    return request.map { [.runSQL($0)] } ?? []
  }

  mutating func sortAnswer() -> [Effect] {
    refineAnswer { refinement, result in
      let present = refinement.order.flatMap { $0.column == result.column ? $0.ascending : nil }
      switch present {
      case nil: refinement.order = (result.column, true)
      case true: refinement.order = (result.column, false)
      case false: refinement.order = nil
      }
    }
  }

  mutating func filterAnswer(isExcluded: Bool) -> [Effect] {
    refineAnswer { refinement, result in
      guard let value = result.value(row: result.scroll.cursor, column: result.column) else {
        return
      }
      if let counted = refinement.counted {
        // A line of a count leads to its rows.
        guard let value = result.value(row: result.scroll.cursor, column: 0) else { return }
        (refinement.counted, refinement.order) = (nil, nil)
        refinement.conditions.append(.init(column: counted, value: value, isExcluded: isExcluded))
        return
      }
      refinement.conditions.append(
        .init(column: result.column, value: value, isExcluded: isExcluded))
    }
  }

  mutating func countAnswer() -> [Effect] {
    refineAnswer { refinement, result in
      guard refinement.counted == nil else { return }
      (refinement.counted, refinement.order) = (result.column, nil)
    }
  }

  mutating func showWholeAnswer() -> [Effect] {
    var request: SQLRequest?
    changeOverlay(as: SQLConsole.self) { request = $0.showWholeAnswer() }
    return request.map { [.runSQL($0)] } ?? []
  }

  /// Shows only the rows of the answer that show what was typed.
  mutating func acceptAnswerSearch() -> [Effect] {
    guard let prompt = overlay(as: AnswerSearchPrompt.self) else { return [] }
    closeOverlay()
    return refineAnswer { refinement, _ in refinement.text = prompt.field.text }
  }
}

/// The line for a text that rows of an answer show.
struct AnswerSearchPrompt: Overlay {
  var scope: CommandScope { .answerSearch }
  private(set) var field = TextField()

  mutating func press(_ key: Key, in state: inout BrowserState) -> [Effect] {
    _ = field.handle(key)
    return []
  }

  mutating func paste(_ text: String, in state: inout BrowserState) -> [Effect] {
    field.insert(text)
    return []
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    field.drawLine(
      into: &buffer, in: state.layout.status, asking: "Rows with: ",
      placeholder: "a part of what a column shows")
  }
}

extension DisabledReason {
  /// The answer cannot be the table of another statement.
  static let noAnswerToRefine = DisabledReason { state in
    guard let console = state.overlay(as: SQLConsole.self), let result = console.result else {
      return "There is no answer here."
    }
    if console.isRunning { return "The answer is still being read; wait until it is, or stop it." }
    let statement = console.refinement?.statement ?? result.sql
    return AnswerRefinement.isPossible(statement)
      ? nil
      : "Only the answers of SELECT, WITH and VALUES can be sorted, searched and narrowed down."
  }
}

extension CommandScope {
  static let answerSearch = CommandScope(
    "answer-search", title: "In the line for a text in an SQL answer")
}

extension CommandTable {
  /// What can be made of an answer: it is a table, but its rows are no objects.
  static let answerCommands: [Command] =
    [
      answer(
        "sort-answer", "s", label: "sort",
        help: "Sort the answer by this column: ascending, descending, not at all."
      ) { $0.sortAnswer() },
      answer(
        "filter-answer", "f", label: "only this",
        help: "Show only the rows of the answer that have this value; of a count, its rows."
      ) { $0.filterAnswer(isExcluded: false) },
      answer(
        "exclude-answer", "F", label: "without this",
        help: "Show only the rows of the answer that do not have this value."
      ) { $0.filterAnswer(isExcluded: true) },
      answer(
        "count-answer", "t", label: "frequencies",
        help: "Count how often each value of this column of the answer occurs."
      ) { $0.countAnswer() },
      answer(
        "search-answer", "/", label: "search",
        help: "Show only the rows of the answer in which a column shows a text."
      ) { state in
        state.open(AnswerSearchPrompt())
        return []
      },
      answer(
        "whole-answer", "x", label: "all rows",
        help:
          "Show the answer as it was. Its rows are no objects: they cannot be edited, followed or "
          + "put into sections."
      ) { $0.showWholeAnswer() },
      Command(
        "accept-answer-search", keys: ["enter"], label: "search",
        help: "Show the rows with this text.",
        in: [.answerSearch], hintRank: 1
      ) { $0.acceptAnswerSearch() },
      closing(
        "cancel-answer-search", "Show the rows as before.", in: [.answerSearch], label: "cancel",
        hintRank: 2),
    ]

  private static func answer(
    _ name: String, _ key: KeySequence, label: String, help: String,
    _ perform: @escaping @Sendable (inout BrowserState) -> [Effect]
  ) -> Command {
    Command(
      name, keys: [key], label: label, help: help, in: [.consoleResult], unless: .noAnswerToRefine,
      perform: perform)
  }
}
