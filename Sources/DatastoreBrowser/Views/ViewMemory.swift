import DatastoreCore

/// The named views, which are kept between runs with the view of each entity and the tabs.
struct ViewMemory: FeatureState, Hashable {
  /// The views by name.
  private(set) var named: [String: KeptView] = [:]

  init() {}

  mutating func adopt(_ named: [String: KeptView]) { self.named = named }

  mutating func save(_ view: KeptView, as name: String) { named[name] = view }

  mutating func delete(_ name: String) { named[name] = nil }

  /// The names for a list, in alphabetical order regardless of case.
  var names: [String] { named.keys.sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) } }
}

extension BrowserState {
  var viewMemory: ViewMemory {
    get { self[ViewMemory.self] }
    _modify { yield &self[ViewMemory.self] }
  }

  /// All views to keep for the next run.
  var keptViews: ViewsFile.Contents {
    var contents = ViewsFile.Contents(named: viewMemory.named)
    var tables = views.values.map(\.table)
    if let table, table.isOwnView { tables.append(table) }
    for table in tables {
      if let view = KeptView(table, in: schema) { contents.views[view.entity] = view }
    }
    contents.shown = entity?.name
    contents.tab = tabs.current
    for (number, tab) in tabs.others {
      contents.tabs[number] = KeptView(tab.place.table, in: schema)
    }
    return contents
  }

  /// Applies the views of the last run; none is shown yet.
  ///
  /// - Parameter hasRowids: whether the keys of an entity are the same as in the last run.
  mutating func adopt(_ kept: ViewsFile.Contents, hasRowids: (Entity) -> Bool) {
    viewMemory.adopt(kept.named)
    func place(_ view: KeptView) -> Place? {
      view.table(in: schema, tableSettings, hasRowids: hasRowids)
        .map { Place(table: $0, detail: DetailState(), focus: .table) }
    }
    for view in kept.views.values {
      if let place = place(view) { views[place.table.query.entity] = place }
    }
    tabs = TabsState()
    tabs.current = kept.tab
    for (number, view) in kept.tabs where number != kept.tab {
      if let place = place(view) { tabs.others[number] = TabsState.Tab(place: place) }
    }
  }

  /// Saves the view of the table under a name, with its columns.
  mutating func saveView(as name: String) {
    guard let table, let entity, var view = KeptView(table, in: schema) else { return }
    view.columns = table.settings
    view.sql = derivedTable?.sql
    let isNew = viewMemory.named[name] == nil
    viewMemory.save(view.withoutCursor, as: name)
    tell(
      "The view “\(name)” of \(derivedTable == nil ? entity.name : "this statement") is \(isNew ? "saved" : "replaced"). Press gv to list "
        + "the saved views.", .success)
  }

  /// Shows a named view.
  mutating func openView(_ name: String) {
    guard let view = viewMemory.named[name] else {
      let closest = Suggestion.closest(to: name, in: viewMemory.names)
      let hint = closest.map { " Did you mean “\($0)”?" } ?? ""
      return tell("There is no view “\(name)”.\(hint)", .warning)
    }
    // Named views belong to the file, and an SQL answer is opened above it.
    if isAboveAnother { return request(.terminal(.leaveStore { $0.openView(name) })) }
    if let sql = view.sql {
      var request = DerivedTable(sql)
      request.arrange = { $0.showView(view, name) }
      return openDerivedTable(request)
    }
    showView(view, name)
  }

  /// Shows a view of a table of this store.
  private mutating func showView(_ view: KeptView, _ name: String) {
    guard let table = view.table(in: schema, tableSettings, hasRowids: { _ in false }) else {
      return tell("The view “\(name)” is of \(view.entity), which is not in this file.", .warning)
    }
    // The answer has been opened for this view.
    if view.sql == nil { pushPlace(endsWay: true) }
    show(Place(table: table, detail: DetailState(), focus: .table))
    if let columns = view.columns { arrange { settings, _ in settings = columns } }
    if table.query.filterText != view.filter || table.query.groupBy != view.groupBy
      || table.query.order.count != view.order.count
    {
      tell("The file has changed: not all of the view “\(name)” could be shown.", .warning)
    }
  }
}
