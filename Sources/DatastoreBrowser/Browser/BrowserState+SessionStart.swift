import DatastoreCore
import Foundation

/// The place where a session begins. Elsewhere, its steps would act on other rows.
private struct SessionStart: Codable {
  /// The view of each entity and of each tab, without the named ones.
  var views: ViewsFile.Contents
  /// The column settings by the name of the entity.
  var columns: [String: ColumnSettings]
  var panes: Panes

  /// The view of the first table.
  var shown: KeptView? { views.shown.flatMap { views.views[$0] } }
}

extension BrowserState {
  /// Records the place where the session begins as its first step.
  mutating func recordStart() {
    var views = keptViews
    views.named = [:]
    guard views.shown != nil else { return }
    let start = SessionStart(
      views: views, columns: tableSettings.columns.filter { !$0.value.isDefault }, panes: panes)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A place that cannot be written is refused by the replay.
    let text = (try? encoder.encode(start)).map { String(decoding: $0, as: UTF8.self) }
    session.record(.begin(text ?? ""))
  }

  /// Goes to the place where a session begins, or says why that is not possible. The views, tabs and panels
  /// become those of the session.
  mutating func beginSession(at text: String) {
    // A session begins with the file itself.
    if isAboveAnother {
      return request(.terminal(.leaveStore { $0.beginSession(at: text) }))
    }
    guard overlays.isEmpty else {
      return tell("A session can only begin in the table. Close what is open first.", .warning)
    }
    guard let start = try? JSONDecoder().decode(SessionStart.self, from: Data(text.utf8)),
      let shown = start.shown
    else { return tell("The place where the session begins cannot be read.", .error) }
    var settings = tableSettings
    settings.columns.merge(start.columns) { present, _ in present }
    for name in start.views.views.keys { settings.columns[name] = start.columns[name] }
    let views = [shown] + Array(start.views.views.values) + Array(start.views.tabs.values)
    if let view = views.first(where: { !$0.isWhole(in: schema, settings) }) {
      let filter = view.filter.isEmpty ? "" : " where \(view.filter)"
      return tell(
        "The session begins with a view of \(view.entity)\(filter), which cannot be shown "
          + "as it was: the tables or columns of this file are others.", .error)
    }
    (history, forwardHistory) = ([], [])
    tableSettings = settings
    panes = start.panes
    editing.selection = RowSelection()
    self.views = [:]
    var contents = start.views
    contents.named = viewMemory.named
    // The keys of other rows were not kept.
    adopt(contents) { _ in true }
    if let entity = schema.entity(named: shown.entity), let place = self.views[entity.index] {
      show(place)
    }
  }
}

extension BrowserState {
  /// Called when the table with which a session begins was read.
  ///
  /// - Parameter text: the place, as the step describes it.
  mutating func sessionBegan(_ text: String) {
    guard let start = try? JSONDecoder().decode(SessionStart.self, from: Data(text.utf8)),
      let shown = start.shown, let row = shown.row, table?.currentKey != RowKey(row)
    else { return }
    tell(
      "The session begins on row \(row) of \(shown.entity), which is not there any more.", .error)
  }
}

extension KeptView {
  /// Whether a schema has everything that the view shows.
  fileprivate func isWhole(in schema: Schema, _ settings: TableSettings) -> Bool {
    var found = self.table(in: schema, settings, hasRowids: { _ in true })
      .flatMap { KeptView($0, in: schema) }
    // Nothing is folded or ordered without sections.
    found?.folds = folds
    if groupBy == nil { found?.sectionOrder = sectionOrder }
    return found == self
  }
}
