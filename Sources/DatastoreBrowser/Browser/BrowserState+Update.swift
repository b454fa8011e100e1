import DatastoreCore
import TerminalUI

/// What happens when the browser begins, and after every event.
extension BrowserState {
  /// What has to be done first: count everything and read one table.
  mutating func begin(_ options: BrowserOptions) -> [Effect] {
    var effects: [Effect] = editing.isInServer ? [.estimateCounts] : []
    for entity in entities.names.indices where entities.beginCounting(entity) {
      effects.append(.count(entity: entity))
    }
    let wanted = options.entity.flatMap { schema.entity(named: $0) }
    guard let entity = wanted ?? entities.shown.first.map({ schema.entities[$0] }) else {
      return effects
    }
    if let name = options.entity, wanted == nil {
      message = Message(
        text: "There is no table “\(name)” in this file; \(entity.name) is shown instead.",
        severity: .error)
    }
    var query = TableQuery(entity: entity.index)
    if wanted != nil || options.entity == nil {
      query.groupBy = options.groupBy
      query.filter = options.predicate
      query.filterText = options.predicate?.formatted(entity: entity, in: schema) ?? ""
      query.order = options.order
    }
    // The table comes before the counts, which may take long.
    let opening = options.asksForRows ? nil : views[entity.index].map { openAsLeft($0) }
    let reading = opening ?? openTable(query, title: entity.name)
    let importing = options.importing.map { beginImport(of: $0) } ?? []
    return reading + effects + [.readFilterMemory] + demands() + [.findRecovery] + importing
  }

  /// Shows a view as it was left the last time, and says so where it does not have all rows.
  private mutating func openAsLeft(_ place: Place) -> [Effect] {
    let effects = show(place)
    focus = .table
    reportColumnFaults()
    if place.table.query.filter != nil {
      message = Message(
        text: "This is the view as you left it, with its filter. Press x to show all rows.",
        severity: .information)
    }
    return effects
  }

  /// Applies an event; returns what has to be done about it.
  mutating func update(_ event: some BrowserEvent) -> [Effect] {
    let effects = event.apply(to: &self)
    let demands = event.isOfDetail ? detailDemands() : demands()
    return effects + demands + handleInOverlay { $0.demands(in: $1) } + keepBaseline()
      + followTables()
  }

  /// What the screen lacks as it is now: rows around the visible ones, names of related objects,
  /// the object of the detail pane and its members.
  private mutating func demands() -> [Effect] {
    guard var table else { return [] }
    defer { self.table = table }
    var effects: [Effect] = []
    let height = tableHeight
    table.scroll.settle(count: table.lines.count, height: height)
    table.settleUnderHeader(height: height)
    table.noteVisibleWidths(height: height)
    table.settleColumns(available: tableLayout.tableBody.columns)
    if let places = table.takeUnreadPlaces(height: height) {
      effects.append(.readKeys(fetch: table.fetch, places))
    }
    let keys = table.takeMissingKeys(height: height)
    if !keys.isEmpty {
      effects.append(
        .loadRows(
          fetch: table.fetch, entity: table.query.entity, keys: keys, columns: table.columns))
    }
    for (slot, keys) in table.takeMissingCounts(height: height) {
      effects.append(
        .loadCounts(fetch: table.fetch, entity: table.query.entity, slot: slot, keys: keys))
    }
    if let request = table.takeMissingTotals() { effects.append(.computeTotals(request)) }
    if let request = table.takeMissingSparks(height: height) {
      effects.append(.computeSparks(request))
    }
    let object =
      showsDetail
      ? table.currentKey.map { ObjectReference(entity: table.query.entity, key: $0) } : nil
    if object != detail.object {
      detail.show(object)
      detail.units = object.map { units[$0.entity] } ?? [:]
      effects.append(.watch(object))
    }
    effects += nameDemands(
      table.visibleReferences(height: height, groupDestination: groupDestination(of: table)))
    if let conflicts = overlay(as: ConflictScreen.self) {
      effects += nameDemands(conflicts.references(in: schema))
    }
    return effects + detailDemands()
  }

  /// What the detail pane lacks: members of its object, and names of the objects it refers to.
  private mutating func detailDemands() -> [Effect] {
    var effects: [Effect] = []
    if let object = detail.object {
      effects += detail.takeMissingMembers().map { .loadMembers(object, slot: $0) }
    }
    var references: [EntityIndex: Set<RowKey>] = [:]
    for field in detail.snapshot?.fields ?? [] {
      if let destination = field.destination, case .reference(let key) = field.content?.kind {
        references[destination, default: []].insert(key)
      }
    }
    settleDetail()
    return effects + nameDemands(references)
  }

  private mutating func nameDemands(_ references: [EntityIndex: Set<RowKey>]) -> [Effect] {
    references.sorted { $0.key < $1.key }.compactMap { entity, keys in
      let missing = names.takeMissing(entity: entity, keys: keys)
      return missing.isEmpty ? nil : .loadNames(entity: entity, keys: missing)
    }
  }
}
