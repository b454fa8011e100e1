import DatastoreCore
import TerminalUI

/// The start of the browser, and the steps after every event.
extension BrowserState {
  /// Begins to read one table and to count all entities; returns the requested effects.
  mutating func begin(_ options: BrowserOptions) -> [Effect] {
    let wanted = options.entity.flatMap { schema.entity(named: $0) }
    let first = wanted ?? entities.shown.first.map { schema.entities[$0] }
    // The table comes before the counts, which may take long.
    if let first { openFirst(first, isWanted: wanted != nil, options) }
    if editing.isInServer { request(.estimateCounts) }
    countEntities()
    if first != nil {
      request(.readFilterMemory)
      requestMissing()
      if !editing.isCopyIncomplete { request(.findRecovery) }
      if let source = options.importing { beginImport(of: source, options.guessedTypes) }
    }
    return takeRequests()
  }

  /// Shows a table from the top as the options say, or else as the user left it.
  private mutating func openFirst(_ entity: Entity, isWanted: Bool, _ options: BrowserOptions) {
    if let name = options.entity, !isWanted {
      tell("There is no table “\(name)” in this file; \(entity.name) is shown instead.", .error)
    }
    var query = TableQuery(entity: entity.index)
    if isWanted || options.entity == nil {
      query.groupBy = options.groupBy
      query.filter = options.predicate
      query.filterText = options.predicate?.formatted(entity: entity, in: schema) ?? ""
      query.order = options.order
    }
    if !options.asksForRows, let left = views[entity.index] {
      openAsLeft(left)
    } else {
      openTable(query, title: entity.name)
    }
  }

  /// Shows a view as the user left it, with a message if it does not show all rows.
  private mutating func openAsLeft(_ place: Place) {
    show(place)
    focus = .table
    reportColumnFaults()
    if place.table.query.filter != nil {
      tell(
        "This is the view as you left it, with its filter. Press x to show all rows.", .information)
    }
  }

  /// Applies an event; returns the effects that it requested and those for missing data.
  mutating func update(_ event: some BrowserEvent) -> [Effect] {
    let wasIncomplete = editing.isCopyIncomplete
    event.apply(to: &self)
    // Changes are staged again on the rows of a copy when all of them are there.
    if wasIncomplete, !editing.isCopyIncomplete { request(.findRecovery) }
    if event.isOfDetail {
      requestMissingDetails()
    } else {
      requestMissing()
    }
    handleInOverlay { $0.requestMissing(in: &$1) }
    keepBaseline()
    followTables()
    return takeRequests()
  }

  /// Requests the data that the screen lacks: rows around the visible ones, names of related objects, the
  /// object of the detail pane and its members.
  private mutating func requestMissing() {
    guard var table else { return }
    defer { self.table = table }
    let height = tableHeight
    table.scroll.settle(count: table.lines.count, height: height)
    table.settleUnderHeader(height: height)
    table.measureVisibleWidths(height: height)
    table.settleColumns(available: tableLayout.tableBody.columns)
    if let places = table.takeUnreadPlaces(height: height) {
      request(.readKeys(fetch: table.fetch, places))
    }
    let keys = table.takeMissingKeys(height: height)
    if !keys.isEmpty {
      request(
        .loadRows(
          fetch: table.fetch, entity: table.query.entity, keys: keys, columns: table.columns))
    }
    for (slot, keys) in table.takeMissingCounts(height: height) {
      request(
        .loadCounts(fetch: table.fetch, entity: table.query.entity, slot: slot, keys: keys))
    }
    if let totals = table.takeMissingTotals() { request(.computeTotals(totals)) }
    if let sparks = table.takeMissingSparks(height: height) { request(.computeSparks(sparks)) }
    let object =
      showsDetail
      ? table.currentKey.map { ObjectReference(entity: table.query.entity, key: $0) } : nil
    if object != detail.object {
      detail.show(object)
      detail.units = object.map { units[$0.entity] } ?? [:]
      request(.watch(object))
    }
    detail.numbers = table.settings.numbers
    requestNames(
      of: table.visibleReferences(height: height, groupDestination: groupDestination(of: table)))
    requestMissingDetails()
  }

  /// Requests the missing data of the detail pane: members of its object, and names of the objects it refers
  /// to.
  private mutating func requestMissingDetails() {
    if let object = detail.object {
      for slot in detail.takeMissingMembers() { request(.loadMembers(object, slot: slot)) }
    }
    var references: [EntityIndex: Set<RowKey>] = [:]
    for field in detail.snapshot?.fields ?? [] {
      if let destination = field.destination, case .reference(let key) = field.content?.kind {
        references[destination, default: []].insert(key)
      }
    }
    settleDetail()
    requestNames(of: references)
  }
}
