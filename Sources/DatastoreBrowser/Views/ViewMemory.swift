import DatastoreCore

/// The views that outlive the program: that of each entity, the tabs, and those with names.
struct ViewMemory: FeatureState, Hashable {
  /// By name.
  private(set) var named: [String: KeptView] = [:]

  init() {}

  mutating func adopt(_ named: [String: KeptView]) { self.named = named }

  mutating func save(_ view: KeptView, as name: String) { named[name] = view }

  mutating func delete(_ name: String) { named[name] = nil }

  /// The names for a list, in the order of people.
  var names: [String] { named.keys.sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) } }
}

extension BrowserState {
  var viewMemory: ViewMemory {
    get { self[ViewMemory.self] }
    _modify { yield &self[ViewMemory.self] }
  }

  /// Everything that is kept of the views for the next time.
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

  /// Takes in what was kept the last time; nothing is shown yet.
  ///
  /// - Parameter hasRowids: whether the keys of an entity are those of the last time.
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

  /// Saves what the table shows under a name, with its columns.
  mutating func saveView(as name: String) {
    guard let table, let entity, var view = KeptView(table, in: schema) else { return }
    view.columns = table.settings
    view.sql = derivedTable?.sql
    let isNew = viewMemory.named[name] == nil
    viewMemory.save(view.withoutCursor, as: name)
    message = Message(
      text:
        "The view “\(name)” of \(derivedTable == nil ? entity.name : "this statement") is \(isNew ? "saved" : "replaced"). Press gv to list "
        + "the saved views.", severity: .success)
  }

  /// Shows a view that has a name.
  mutating func openView(_ name: String) {
    guard let view = viewMemory.named[name] else {
      let closest = Suggestion.closest(to: name, in: viewMemory.names)
      let hint = closest.map { " Did you mean “\($0)”?" } ?? ""
      message = Message(text: "There is no view “\(name)”.\(hint)", severity: .warning)
      return
    }
    // Views are of the file, and answers are opened above it.
    if isAboveAnother { return request(.terminal(.leaveStore { $0.openView(name) })) }
    if let sql = view.sql {
      var request = DerivedTable(sql)
      request.arrange = { $0.showView(view, name) }
      return openDerivedTable(request)
    }
    showView(view, name)
  }

  /// Shows what a view says of a table that is here.
  private mutating func showView(_ view: KeptView, _ name: String) {
    guard let table = view.table(in: schema, tableSettings, hasRowids: { _ in false }) else {
      message = Message(
        text: "The view “\(name)” is of \(view.entity), which is not in this file.",
        severity: .warning)
      return
    }
    // An answer is opened for the view.
    if view.sql == nil { pushPlace(endsWay: true) }
    show(Place(table: table, detail: DetailState(), focus: .table))
    if let columns = view.columns { arrange { settings, _ in settings = columns } }
    if table.query.filterText != view.filter || table.query.groupBy != view.groupBy
      || table.query.order.count != view.order.count
    {
      message = Message(
        text: "The file has changed: not all of the view “\(name)” could be shown.",
        severity: .warning)
    }
  }
}
