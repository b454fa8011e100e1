import Basics
import DatastoreCore
import SwiftDatastore
import TerminalUI

/// The files that the rows on the screen can be queried from again.
struct QueryCommandState: FeatureState {
  /// The store, or the files whose rows a copy has; empty if they came from a pipe.
  var files: [String] = []
  /// The options that those files were read with.
  var reading: [String] = []

  /// The beginning of a command that queries the files; nil if there are none.
  ///
  /// - Parameter entity: the name of the queried table; nil for a command without one.
  func words(_ entity: String? = nil) -> [String]? {
    guard let file = files.first else { return nil }
    var words = ["datastore", "query", file]
    if let entity { words.append(entity) }
    for other in files.dropFirst() { words += ["--with", other] }
    return words + reading
  }
}

extension BrowserState {
  var queryCommandState: QueryCommandState {
    get { self[QueryCommandState.self] }
    _modify { yield &self[QueryCommandState.self] }
  }

  /// The `datastore query` command for the columns and rows of the table, in its order, as a line for a
  /// shell; nil without a table, or if its rows cannot be queried again.
  ///
  /// - Parameter isSQL: whether the command prints the SQL instead.
  func queryCommand(isSQL: Bool = false) -> String? {
    guard let table, let entity, var words = queryCommandState.words(entity.name) else {
      return nil
    }
    let query = queryText(table, entity)
    if let columns = query.columns { words += ["--columns", columns] }
    if let predicate = query.predicate { words += ["--where", predicate] }
    if let group = query.groupBy { words += ["--group-by", group] }
    if let order = query.order { words += ["--order-by", order] }
    if isSQL { words.append("--show-sql") }
    return Quoting.shellCommand(words)
  }

  /// The view of the table as the text of a query.
  private func queryText(_ table: TableState, _ entity: Entity) -> ValueQueryText {
    var text = ValueQueryText()
    let columns = table.writtenColumns.map(\.queryText)
    text.columns = columns.isEmpty ? nil : columns.joined(separator: ", ")
    let request = table.query.request(in: schema)
    text.predicate = request.predicate?.formatted(entity: entity, in: schema)
    // Sections are rows in order; if all sections are folded, they are groups.
    var order = request.sortDescriptors
    if let path = table.query.groupBy {
      if table.isGrouped, table.areAllSectionsFolded {
        let group = Predicate.Operand(at: path, of: entity, in: schema).description
        (text.groupBy, text.columns, text.order) = (group, "\(group), count", group)
        return text
      }
      if order.first?.leadsSections(by: path) != true {
        order.insert(SortDescriptor(Predicate.Operand(at: path, of: entity, in: schema)), at: 0)
      }
    }
    text.order = order.isEmpty ? nil : order.map(\.description).joined(separator: ", ")
    return text
  }

  /// Copies the command to the clipboard, and shows it.
  mutating func copyQueryCommand() {
    if let table, let entity, derivedTable != nil {
      return copyAnswerSQL(queryText(table, entity), of: entity, as: true)
    }
    guard let command = queryCommand() else { return }
    let unsaved = editing.marks.isEmpty ? "" : " It does not know of unsaved changes."
    tell("Copied: \(command)\(unsaved)", .success)
    request(.putOnClipboard(command))
  }

  /// Copies the SQL of the table to the clipboard.
  mutating func copySQL() {
    guard let table, let entity else { return }
    if derivedTable != nil { return copyAnswerSQL(queryText(table, entity), of: entity, as: false) }
    request(.copySQL(queryText(table, entity), of: entity.index))
  }
}

extension Effect {
  /// Makes the SQL of a query and copies it to the clipboard.
  ///
  /// - Parameters:
  ///   - answer: the SQL answer whose rows are queried; nil for rows of the store.
  ///   - files: the files for the command to read; none to copy the SQL alone.
  static func copySQL(
    _ text: ValueQueryText, of entity: EntityIndex, _ answer: AnswerSQL? = nil,
    _ files: QueryCommandState = QueryCommandState()
  ) -> Effect {
    .answer(in: .copying) { runner in
      let store = runner.view.store
      return try await BlockingWork.run { () throws -> CopiedText in
        let query = try ValueQuery(text, entity: store.schema.entities[entity], in: store.schema)
        let copy = try store.readTransaction { try $0.sql(of: query) }
        let sql = answer?.asking(copy) ?? copy
        guard let words = files.words() else {
          return CopiedText(text: sql, subject: "the SQL of this table")
        }
        return CopiedText(
          text: Quoting.shellCommand(words + ["--sql", sql]),
          subject: "the command that asks for this table")
      }
    } then: {
      $0.apply(copied: $1)
    }
  }
}

extension DisabledReason {
  static let noSQL = DisabledReason { state in
    if state.table == nil { return "There is no table here." }
    guard case .rows? = state.derivedTable?.origin else { return nil }
    return "These rows were computed, so no statement finds them; E writes them to a file."
  }

  static let noQueryCommand = DisabledReason { state in
    if let reason = noSQL.reason(state) { return reason }
    return state.queryCommandState.files.isEmpty
      ? "These rows came from a pipe or are in memory, so no command can read them again." : nil
  }
}

extension TableState {
  /// Whether only the headers of sections are shown.
  fileprivate var areAllSectionsFolded: Bool {
    !list.sections.isEmpty && lines.count == list.sections.count
  }
}

extension TableColumn {
  /// The column as `datastore query` names it: the value of its cells, under its name.
  fileprivate var queryText: String {
    let shown = sortOperand
    let title = Predicate.Operand.keyPath([name]).description
    return shown.description == title ? title : "\(shown) AS \(title)"
  }
}
