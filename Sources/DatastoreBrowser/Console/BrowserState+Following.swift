import DatastoreCore
import TerminalUI

/// Whether the browser has to follow a change of the file's tables, such as a `CREATE TABLE` in the console.
enum SchemaFollowing: Hashable, Sendable {
  /// The entities are those of the file.
  case none
  /// They are to be read as soon as nothing is staged and nothing runs that knows the old ones.
  case awaited
  /// The file is being opened anew.
  case opening
}

/// Following the tables of the file. A datastore's schema never changes while it is open, so the file is
/// opened once more behind the screen, and the browser goes on with that.
extension BrowserState {
  /// Whether nothing would be lost by it: no change is staged or being saved, and no editor is open.
  var canFollowTables: Bool {
    editing.marks.isEmpty && !editing.isSaving && editing.awaited == nil && !importing.isRunning
      && importing.awaitsReopening == nil && !isFinished
      && overlays.allSatisfy { $0 is SQLConsole || $0 is MessageLogState || $0 is HelpState }
  }

  /// Takes over that a statement has changed the tables.
  mutating func takeChangeOfTables() {
    following = .awaited
    guard !editing.marks.isEmpty else { return }
    open(
      Question(
        title: "The tables have changed",
        message: "There are unsaved changes: \(editing.marks.description). They are kept, and the "
          + "list of entities stays as it was until they are saved or reverted; then it follows.",
        answers: [
          Question.Answer("s", "save and follow") { state in
            if let reason = Obstacle.cannotSave.reason(state) {
              state.message = Message(text: reason, role: .warning)
              return []
            }
            return state.save()
          },
          Question.Answer("esc", "later") { _ in [] },
        ], role: .warning))
  }

  /// Takes over that another process has changed the tables. Nothing is asked: the keys that are typed just
  /// now are meant for something else.
  mutating func takeChangeOfTablesElsewhere() {
    following = .awaited
    message = Message(
      text: editing.marks.isEmpty
        ? "Another process has changed the tables of the file."
        : "Another process has changed the tables of the file; the list of entities follows when the "
          + "changes are saved or reverted.", role: .warning)
  }

  /// Has the file opened anew, once that may be.
  mutating func followTables() -> [Effect] {
    guard following == .awaited, canFollowTables else { return [] }
    following = .opening
    return [.openAnew]
  }

  /// Takes over that the file could not be opened anew.
  mutating func giveUpFollowing(_ reason: String) {
    following = .none
    message = Message(
      text: "The tables have changed, but the file could not be opened anew: \(reason)",
      role: .error)
  }

  /// The browser over the file as it is now: what the user has set stays, what knows entities and rows begins
  /// anew.
  func following(_ schema: Schema, quickCounts: [Set<Int>]) -> BrowserState {
    var settings = tableSettings
    settings.quickCounts = quickCounts
    var next = BrowserState(
      schema: schema, storeName: storeName, size: size, keymap: keymap, tableSettings: settings)
    if !schema.entities.isEmpty { next.focus = focus }
    next.panes = panes
    next.overlays = overlays
    next.filters = filters
    next.messageLog = messageLog
    next.message = message
    next.macro = macro
    next.lastSummary = lastSummary
    next.theme = theme
    // Answers to what was asked of the file before are told apart by their numbers.
    next.lastFetch = lastFetch
    next.editing.isReadOnly = editing.isReadOnly
    next.editing.isCoreData = editing.isCoreData
    next.keptConsole = keptConsole
    next.exporting = exporting
    next.clipboardHint = clipboardHint
    next.importing = importing
    return next
  }

  /// What the table shows, as far as another schema has what it needs.
  func firstView(in schema: Schema) -> BrowserOptions {
    guard let table, let name = entity?.name, let entity = schema.entity(named: name) else {
      return BrowserOptions()
    }
    var first = BrowserOptions(entity: name)
    first.groupBy = table.query.groupBy.flatMap { schema.leads($0, from: entity) ? $0 : nil }
    first.order = table.query.order.filter { key in
      key.operand.keyPaths.allSatisfy { schema.leads($0, from: entity) }
    }
    if table.query.filter != nil {
      first.predicate = try? Predicate.parse(table.query.filterText, entity: entity, in: schema)
    }
    return first
  }
}

extension BrowserState {
  /// Puts the table's cursor on the row and the column that another one was on, if it shows the same entity.
  ///
  /// - Parameter hasRowids: whether the keys of an entity are the file's, and so the same as before.
  mutating func keepPlace(of before: TableState?, _ hasRowids: (Entity) -> Bool) {
    guard let before, let entity, before.title == entity.name else { return }
    let name = before.currentColumn?.name
    if let column = table?.columns.firstIndex(where: { $0.name == name }) { table?.column = column }
    if hasRowids(entity), let key = before.currentKey { table?.want(key) }
  }
}

extension Schema {
  /// Whether there is a property at the end of a path; the empty one is the object's own key.
  fileprivate func leads(_ path: [String], from start: Entity) -> Bool {
    var entity = start
    for (index, name) in path.enumerated() {
      guard let slot = entity.slot(named: name) else { return false }
      if index == path.count - 1 { return true }
      guard let link = entity.links[slot] else { return false }
      entity = entities[link.destination]
    }
    return path.isEmpty
  }
}
