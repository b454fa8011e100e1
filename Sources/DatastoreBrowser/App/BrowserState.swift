import DatastoreCore
import TerminalUI

/// Everything the browser shows, as a value.
///
/// `update` takes an event and returns what has to be done; `draw` shows the state. Neither reads a
/// store, so nothing that a key does waits for one.
struct BrowserState: Sendable {
  /// What was shown before a relationship was followed; Backspace comes back to it exactly.
  struct Place: Sendable {
    var table: TableState
    var detail: DetailState
    var focus: Focus
  }

  /// A sentence in the status line, until the next key.
  struct Message: Hashable, Sendable {
    var text: String
    var role: StyleRole
  }

  let schema: Schema
  /// The name of the file.
  let storeName: String
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
  var future: [Place] = []
  /// What is decided about the columns of each entity.
  var tableSettings: TableSettings
  var names = NameCache()
  /// Filters that were used or saved before.
  var filters = FilterMemory()
  var message: Message? {
    didSet { if let message { messageLog.note(message) } }
  }
  var messageLog = MessageLog()
  /// Which key does what.
  let keymap: Keymap
  var macro = MacroState()
  /// The number of the last summary.
  var lastSummary = 0
  /// The border between two columns that the mouse has taken hold of.
  var drag: ColumnDrag?
  /// The look of the screen.
  var theme = Theme.fallback
  /// The number of the last fetch.
  var lastFetch = 0
  var editing = EditingState()
  /// The SQL console as it was left.
  var keptConsole: SQLConsole?
  /// Whether entities and tables have to follow a change of the file's tables.
  var following = SchemaFollowing.none
  /// What another process has changed, as far as it is told.
  var externalChange: ExternalChange?
  /// How rows were written last.
  var exporting = ExportMemory()
  /// What the user has to know about the terminal's clipboard, if anything.
  var clipboardHint: String?
  var importing = ImportState()
  /// Whether the browser is to end.
  var isFinished = false

  init(
    schema: Schema, storeName: String, size: Size, keymap: Keymap = .standard,
    tableSettings: TableSettings = TableSettings()
  ) {
    self.keymap = keymap
    self.tableSettings = tableSettings
    self.schema = schema
    self.storeName = storeName
    self.size = size
    entities = EntityListState(schema)
    if schema.entities.isEmpty { focus = .entities }
  }

  /// What takes the keys.
  var scope: CommandScope { overlays.last?.scope ?? CommandScope(focus) }

  /// The rows of the table's body.
  var tableHeight: Int { max(1, tableLayout.tableBody.rows) }

  /// Changes the table, if there is one; the closure is told the rows of its body.
  mutating func changeTable(_ change: (inout TableState, _ height: Int) -> Void) {
    guard var table else { return }
    change(&table, tableHeight)
    self.table = table
  }

  /// The entity that the table shows.
  var entity: Entity? { table.map { schema.entities[$0.query.entity] } }
}

extension BrowserState {
  /// What has to be done first: count everything and read one table.
  mutating func begin(_ options: BrowserOptions) -> [Effect] {
    var effects: [Effect] = []
    for entity in schema.entities.indices where entities.beginCounting(entity) {
      effects.append(.count(entity: entity))
    }
    let wanted = options.entity.flatMap { schema.entity(named: $0) }
    guard let entity = wanted ?? schema.entities.first else { return effects }
    if let name = options.entity, wanted == nil {
      message = Message(
        text: "There is no table “\(name)” in this file; \(entity.name) is shown instead.",
        role: .error)
    }
    var query = TableQuery(entity: entity.index)
    if wanted != nil || options.entity == nil {
      query.groupBy = options.groupBy
      query.filter = options.predicate
      query.filterText = options.predicate?.formatted(entity: entity, in: schema) ?? ""
      query.order = options.order
    }
    // The table comes before the counts, which may take long.
    let opening = openTable(query, title: entity.name)
    let importing = options.importing.map { beginImport(of: $0) } ?? []
    return opening + effects + [.filter(.readMemory)] + demands() + [.findRecovery] + importing
  }

  /// Takes an event; returns what has to be done about it.
  mutating func update(_ event: BrowserEvent) -> [Effect] {
    let effects = handle(event)
    // An answer to the detail pane comes with nearly every key and leaves the table as it is.
    let demands = event.isOfDetail ? detailDemands() : demands()
    return effects + demands + handleInOverlay { $0.demands(in: $1) } + followTables()
  }

  private mutating func handle(_ event: BrowserEvent) -> [Effect] {
    if case .input(let input) = event { return handle(input) }
    return takeResult(event)
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
    let keys = table.takeMissingKeys(height: height)
    if !keys.isEmpty {
      effects.append(.loadRows(fetch: table.fetch, entity: table.query.entity, keys: keys))
    }
    for (slot, keys) in table.takeMissingCounts(height: height) {
      effects.append(
        .loadCounts(fetch: table.fetch, entity: table.query.entity, slot: slot, keys: keys))
    }
    if let request = table.takeMissingSparks(height: height) {
      effects.append(.computeSparks(request))
    }
    let object =
      showsDetail
      ? table.currentKey.map { ObjectReference(entity: table.query.entity, key: $0) } : nil
    if object != detail.object {
      detail.show(object)
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
    var references: [Int: Set<Int64>] = [:]
    for field in detail.snapshot?.fields ?? [] {
      if let destination = field.destination, case .reference(let key) = field.content?.kind {
        references[destination, default: []].insert(key)
      }
    }
    settleDetail()
    return effects + nameDemands(references)
  }

  private mutating func nameDemands(_ references: [Int: Set<Int64>]) -> [Effect] {
    references.sorted { $0.key < $1.key }.compactMap { entity, keys in
      let missing = names.takeMissing(entity: entity, keys: keys)
      return missing.isEmpty ? nil : .loadNames(entity: entity, keys: missing)
    }
  }

  /// Keeps the cursor of the detail pane on a thing that is there, and that on the screen.
  mutating func settleDetail() {
    let body = layout.detailBody
    let count = detail.items.count
    guard count > 0 else { return }
    detail.cursor = min(max(0, detail.cursor), count - 1)
    let lines = DetailLines(
      detail, width: body.columns, marks: Marks(.unicode), name: { names[$0, $1] })
    detail.first = lines.firstVisible(
      item: detail.cursor, height: body.rows, previous: detail.first)
  }

  /// The entity whose objects make the sections, when a relationship does.
  func groupDestination(of table: TableState) -> Int? {
    guard case .object(let entity) = groupFormat(of: table) else { return nil }
    return entity
  }

  /// How the values that make the sections are shown.
  func groupFormat(of table: TableState) -> GroupFormat? {
    guard let path = table.groupPath else { return nil }
    var entity = schema.entities[table.query.entity]
    for (index, name) in path.enumerated() {
      guard let slot = entity.slot(named: name) else { return nil }
      if let attribute = entity.properties[slot].attribute {
        return .attribute(ValueFormat(attribute))
      }
      guard let link = entity.links[slot] else { return nil }
      if index == path.count - 1 { return .object(entity: link.destination) }
      entity = schema.entities[link.destination]
    }
    return nil
  }
}
