import DatastoreCore
import TerminalUI

/// Going on with the file after its tables have changed.
extension BrowserState {
  /// The browser over the file as it is now: what the user has set stays, what knows entities and rows begins
  /// again.
  func following(
    _ schema: Schema, quickCounts: ByEntity<Set<Slot>>, labels: Labels
  ) -> BrowserState {
    var settings = tableSettings
    settings.quickCounts = quickCounts
    settings.labels = labels
    var next = BrowserState(
      schema: schema, storeName: storeName, size: size, keymap: keymap, tableSettings: settings)
    if !schema.entities.isEmpty { next.focus = focus }
    next.panes = panes
    next.overlays = overlays
    next.messageLog = messageLog
    next.message = message
    next.theme = theme
    next.chosenTheme = chosenTheme
    // Answers to what was asked of the file before are distinguished by their numbers.
    next.lastFetch = lastFetch
    next.clipboardHint = clipboardHint
    next.features = features
    next.changes = changes.afterReopening
    next.keepFittingSchemaEdits()
    next.following = .none
    next.editing = EditingState()
    next.editing.access = editing.access
    next.editing.isInServer = editing.isInServer
    next.queryCommandState = queryCommandState
    next.adoptMeaning(of: annotations)
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
      key.operand.keyPaths.allSatisfy { schema.sorts(by: $0, entity) }
    }
    if table.query.filter != nil {
      let naming = ColumnDefinitions(entity, in: schema, derived: table.settings.derived).naming
      first.predicate = try? Predicate.parse(
        table.query.filterText, entity: naming.entities[entity.index], in: naming)
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
