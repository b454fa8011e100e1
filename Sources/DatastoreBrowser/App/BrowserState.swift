import DatastoreCore
import TerminalUI

/// Everything the browser shows, as a value.
///
/// `update` applies an event, and hands over what was requested meanwhile; `draw` shows the state. Neither
/// reads a store, so nothing that a key does waits for one.
struct BrowserState: Sendable {
  /// What was shown before a relationship was followed or another entity was chosen; Backspace comes back to
  /// it exactly.
  struct Place: Sendable {
    var table: TableState
    var detail: DetailState
    var focus: Focus
    /// Whether another entity was chosen there: what came next does not belong to the same way.
    var endsWay = false
  }

  let schema: Schema
  /// The name of the file.
  var storeName: String
  var size: Size
  var focus = Focus.table
  /// Which panels are shown, and how large.
  var panes = Panes()
  /// What lies over the panels; the last one is topmost.
  var overlays: [any Overlay] = []
  /// The lowest place in the stack that was closed while the topmost overlay handled something.
  var lowestClosed = Int.max
  var entities: EntityListState
  /// Nil when the store has no entities.
  var table: TableState?
  var detail = DetailState()
  /// Places to go back to, the last one first to return to.
  var history: [Place] = []
  /// Places that one has gone back from, the last one first to return to.
  var forwardHistory: [Place] = []
  /// By entity: its own view as it was left, with its sort order, filter, groups, cursor and folds.
  var views: [EntityIndex: Place] = [:]
  /// What is decided about the columns of each entity.
  var tableSettings: TableSettings
  var names = NameCache()
  /// What objects are called.
  var labels: Labels { didSet { tableSettings.labels = labels } }
  /// What their numbers are measured in.
  var units: Units
  var message: Message? {
    didSet { if let message { messageLog.record(message) } }
  }
  var messageLog = MessageLog()
  /// Which key does what.
  let keymap: Keymap
  /// The border between two columns that the mouse has taken hold of.
  var drag: ColumnDrag?
  /// The look of the screen.
  var theme = Theme.fallback
  /// The look that was chosen in the list of themes, now or the last time.
  var chosenTheme: Theme?
  /// The number of the last fetch.
  var lastFetch = 0
  /// What another process has changed, as far as it is reported.
  var externalChange: ExternalChange?
  /// What the user has to know about the terminal's clipboard, if anything.
  var clipboardHint: String?
  /// Whether the store is shown above another one, to which leaving it comes back.
  var isAboveAnother = false
  /// What `update` will hand over, in this order; only `request` and `takeRequests` use it.
  var requests: [Effect] = []
  /// Whether the browser is to end.
  var isFinished = false
  /// What features keep.
  var features = FeatureStates()

  init(
    schema: Schema, storeName: String, size: Size, keymap: Keymap,
    tableSettings: TableSettings = TableSettings()
  ) {
    self.keymap = keymap
    labels = tableSettings.labels ?? Labels(schema)
    units = Units(schema, nil)
    self.tableSettings = tableSettings
    self.tableSettings.labels = labels
    self.schema = schema
    self.storeName = storeName
    self.size = size
    entities = EntityListState(schema)
    if schema.entities.isEmpty { focus = .entities }
  }

  /// What a feature keeps.
  subscript<State: FeatureState>(_ type: State.Type) -> State {
    get { features[type] }
    _modify { yield &features[type] }
  }

  /// What takes the keys.
  var scope: CommandScope {
    if let overlay = overlays.last { return overlay.scope }
    guard focus == .table, let derivedTable else { return CommandScope(focus) }
    return derivedTable.scope
  }

  /// The rows of the table's body.
  var tableHeight: Int { max(1, tableLayout.tableBody.rows) }

  /// Changes the table, if there is one; the closure gets the rows of its body.
  mutating func changeTable(_ change: (inout TableState, _ height: Int) -> Void) {
    guard var table else { return }
    change(&table, tableHeight)
    self.table = table
  }

  /// The entity that the table shows.
  var entity: Entity? { table.map { schema.entities[$0.query.entity] } }
}
