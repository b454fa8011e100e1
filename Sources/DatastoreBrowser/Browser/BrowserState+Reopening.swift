import DatastoreCore
import TerminalUI

/// Continuing with the file after its tables have changed.
extension BrowserState {
  /// Returns the state for the file as it is now: the user's settings stay, and everything about entities and
  /// rows starts again.
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
    // The number tells the answers of earlier requests from those of the new file.
    next.lastFetch = lastFetch
    next.clipboardHint = clipboardHint
    next.features = features
    next.changes = changes.afterReopening
    next.keepFittingSchemaEdits()
    next.following = .none
    next.editing = EditingState()
    next.editing.pendingAnswer = editing.pendingAnswer
    next.editing.typedAhead = editing.typedAhead
    next.editing.access = editing.access
    next.editing.isInServer = editing.isInServer
    next.queryCommandState = queryCommandState
    next.adoptMeaning(of: annotations)
    return next
  }

  /// The view of the table, as far as the other schema supports it.
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
  /// Puts the table's cursor on the row and column of the former table's cursor, if both show the same
  /// entity.
  ///
  /// - Parameter hasRowids: whether the keys of an entity are the file's own, and so the same as before.
  mutating func keepPlace(of before: TableState?, _ hasRowids: (Entity) -> Bool) {
    guard let before, let entity, before.title == entity.name else { return }
    let name = before.currentColumn?.name
    if let column = table?.columns.firstIndex(where: { $0.name == name }) { table?.column = column }
    if hasRowids(entity), let key = before.currentKey { table?.want(key) }
  }
}
