import DatastoreCore
import TerminalUI

/// Everything the browser shows, as a value.
///
/// `update` applies an event and returns the effects requested meanwhile; `draw` shows the state. Neither
/// reads a store, so no key waits for one.
struct BrowserState: Sendable {
  /// The table and its surroundings before the user followed a relationship or chose another entity.
  /// Backspace returns to it exactly.
  struct Place: Sendable {
    var table: TableState
    var detail: DetailState
    var focus: Focus
    /// Whether the user left this place by choosing another entity, so that the next place belongs to another
    /// way.
    var endsWay = false
  }

  let schema: Schema
  /// The name of the file.
  var storeName: String
  var size: Size
  var focus = Focus.table
  /// The visible panels and their sizes.
  var panes = Panes()
  /// The overlays over the panels; the last one is topmost.
  var overlays: [any Overlay] = []
  /// The lowest place in the stack that was closed while the topmost overlay handled something.
  var lowestClosed = Int.max
  var entities: EntityListState
  /// Nil when the store has no entities.
  var table: TableState?
  var detail = DetailState()
  /// The places to go back to; the last one comes first.
  var history: [Place] = []
  /// The places to go forward to; the last one comes first.
  var forwardHistory: [Place] = []
  /// The own view of each entity as the user left it, with its sort order, filter, groups, cursor and folds.
  var views: [EntityIndex: Place] = [:]
  /// The column settings of each entity.
  var tableSettings: TableSettings
  var names = NameCache()
  /// The labels of objects.
  var labels: Labels { didSet { tableSettings.labels = labels } }
  /// The units of numbers.
  var units: Units
  var message: Message? {
    didSet { if let message { messageLog.record(message) } }
  }
  var messageLog = MessageLog()
  /// The keys of the commands.
  let keymap: Keymap
  /// The column border that the mouse is dragging.
  var drag: ColumnDrag?
  /// The current theme.
  var theme = Theme.fallback
  /// The theme chosen in the list of themes, now or in an earlier run.
  var chosenTheme: Theme?
  /// The number of the last fetch.
  var lastFetch = 0
  /// The reported change by another process.
  var externalChange: ExternalChange?
  /// A sentence about the settings that the terminal's clipboard requires, if any.
  var clipboardHint: String?
  /// Whether the store is shown above another one, to which leaving it returns.
  var isAboveAnother = false
  /// The effects that `update` will return, in this order; only `request` and `takeRequests` use it.
  var requests: [Effect] = []
  /// Whether the browser is about to end.
  var isFinished = false
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

  subscript<State: FeatureState>(_ type: State.Type) -> State {
    get { features[type] }
    _modify { yield &features[type] }
  }

  /// The scope that receives the keys.
  var scope: CommandScope {
    if let overlay = overlays.last { return overlay.scope }
    guard focus == .table, let derivedTable else { return CommandScope(focus) }
    return derivedTable.scope
  }

  /// The number of rows of the table's body.
  var tableHeight: Int { max(1, tableLayout.tableBody.rows) }

  /// Changes the table, if there is one; the closure gets the number of rows of its body.
  mutating func changeTable(_ change: (inout TableState, _ height: Int) -> Void) {
    guard var table else { return }
    change(&table, tableHeight)
    self.table = table
  }

  /// The entity of the table.
  var entity: Entity? { table.map { schema.entities[$0.query.entity] } }
}
