import DatastoreCore
import TerminalUI

/// The table: a list of keys in sections, the rows read around the visible ones, and the cursor.
struct TableState: Sendable {
  /// The state of reading the list.
  enum Phase: Hashable, Sendable {
    case reading
    case ready
    /// The user stopped the reading; the rows read so far are shown.
    case stopped
    case failed(String)
  }

  /// The object or section under the cursor, whatever its line.
  enum Anchor: Hashable, Sendable {
    case row(RowKey)
    case section(Value)
  }

  var query: TableQuery
  /// The columns, and the expressions of derived ones.
  private(set) var definitions: ColumnDefinitions
  /// The number of lines in the details of a row, unless a text is long: the same for all rows, so that the
  /// panels do not move with the cursor.
  let detailLines: Int
  var units: [Slot: String] = [:]
  /// The user's settings for the columns.
  var settings: ColumnSettings {
    didSet {
      if settings.derived != oldValue.derived { define() }
      if settings != oldValue { arrange() }
    }
  }
  private let schema: Schema
  private let labels: Labels
  /// The shown columns and their order.
  private(set) var arrangement: ColumnArrangement
  let columnDefaults: ColumnDefaults
  /// Whether this is the entity's own view, which is restored after another entity was shown, and not one
  /// that a relationship led to.
  var isOwnView = true
  /// The title of this place in the breadcrumb.
  var title: String
  /// The number of the fetch whose results apply.
  var fetch = 0
  var phase = Phase.reading
  private(set) var list = KeyList()
  private(set) var isComplete = false
  /// The sections and rows that the list will have, while it is being read.
  private(set) var expected: ExpectedSections?
  private(set) var lines = TableLines()
  private(set) var folds = SectionFolds()
  var scroll = ScrollState()
  private(set) var anchor: Anchor?
  /// The group key of the current list, which may still be from an older query.
  private(set) var groupPath: [String]?
  /// Whether no rows of the current fetch have been read yet.
  private(set) var isAwaitingFirstRows = true
  /// Whether the cursor must go to its anchor, however long the list takes.
  private(set) var isAnchorWanted = false
  /// The section to move the cursor to as soon as it has been read.
  var wantedSection: Int?
  /// The column under the cursor: its index in `columns`.
  var column = 0
  /// The leftmost of the scrolling columns: its place among the shown columns.
  var firstColumn = 0
  /// The counts in the columns of to-many relationships.
  var counts = RelationCounts()
  /// The sparklines of section headers.
  var sparks = SectionSparks()
  /// The totals of columns, over all rows and over those of each section.
  var totals = ColumnTotals()
  /// The last search.
  var search: TableSearch?
  /// The rows read so far.
  var rows: [RowKey: RowSnapshot] = [:]
  /// The cells that others have changed since the cursor was on their row, by column index.
  var changedByOthers: [RowKey: Set<Int>] = [:]
  /// Rows whose values may have changed.
  var stale: Set<RowKey> = []
  /// Rows that were requested and have not been read yet.
  var requested: Set<RowKey> = []
  /// The places of a long list whose keys were requested.
  var requestedPlaces: Range<Int>?
  /// The widest content seen in each column.
  var contentWidths: [Int]
  /// The width of each column's widest number: numbers get room before texts.
  var widestNumbers: [Int]
  /// For each column, the widest parts of numbers before the decimal point and from it on. The numbers of a
  /// column are aligned at the decimal point.
  var numberWidths: [(whole: Int, fraction: Int)]

  init(
    query: TableQuery, title: String, schema: Schema, settings: TableSettings = TableSettings()
  ) {
    let entity = schema.entities[query.entity]
    self.query = query
    self.title = title
    self.schema = schema
    let own = settings.columns[entity.name] ?? ColumnSettings()
    self.settings = own
    let labels = settings.labels ?? Labels(schema)
    self.labels = labels
    definitions = ColumnDefinitions(entity, in: schema, derived: own.derived, labels)
    let columns = definitions.columns
    detailLines = columns.reduce(0) { $0 + ($1.slot == nil ? 0 : $1.detailLines) }
    columnDefaults = settings.defaults(of: entity)
    arrangement = ColumnArrangement(columns, own, columnDefaults)
    contentWidths = columns.map { _ in 0 }
    widestNumbers = contentWidths
    numberWidths = columns.map { _ in (0, 0) }
    column = arrangement.shown.first ?? 0
  }

  var columns: [TableColumn] { definitions.columns }

  /// Resolves the derived columns again and drops the rows read for the former columns.
  private mutating func define() {
    let name = currentColumn?.name
    definitions = ColumnDefinitions(
      schema.entities[query.entity], in: schema, derived: settings.derived, labels)
    column = columns.firstIndex { $0.name == name } ?? min(column, columns.count - 1)
    (rows, changedByOthers) = ([:], [:])
    requested = []
    search = nil
    contentWidths = columns.map { _ in 0 }
    widestNumbers = contentWidths
    numberWidths = columns.map { _ in (0, 0) }
  }

  private mutating func arrange() {
    let place = arrangement.position(of: column) ?? 0
    arrangement = ColumnArrangement(columns, settings, columnDefaults)
    // If the column under the cursor was hidden, the cursor goes to the one in its place.
    if arrangement.position(of: column) == nil, !arrangement.shown.isEmpty {
      column = arrangement.shown[min(place, arrangement.shown.count - 1)]
    }
  }

  /// Whether the table has section headers.
  var isGrouped: Bool { groupPath != nil }

  /// The column under the cursor; nil for entities without columns.
  var currentColumn: TableColumn? {
    columns.indices.contains(column) ? columns[column] : nil
  }

  /// The line under the cursor.
  var currentLine: TableLines.Line? { lines[scroll.cursor] }

  /// The key of the row under the cursor, or of the row that the cursor will go to.
  var currentKey: RowKey? {
    if isAnchorWanted, case .row(let key) = anchor { return key }
    guard case .row(let index) = currentLine else { return nil }
    return list.keys.readKey(at: index)
  }

  /// A reference to a row of the table, as it is shown.
  func reference(to key: RowKey) -> ObjectReference {
    ObjectReference(entity: query.entity, key: key, seen: rows[key]?.seen)
  }
}

extension TableState {
  /// Shows a list that was read. The cursor stays on its object if the list has it; the first list in another
  /// order or with another filter begins at the top if it does not.
  mutating func apply(_ list: KeyList, isComplete: Bool, height: Int) {
    self.isComplete = isComplete
    if isComplete {
      phase = .ready
      expected = nil
    }
    let isFirst = isAwaitingFirstRows
    isAwaitingFirstRows = false
    show(list, height: height, isFirst: isFirst && !isAnchorWanted)
    guard isComplete else { return }
    if wantedKey == nil { isAnchorWanted = false }
    if let wantedSection {
      moveCursor(toSection: min(wantedSection, list.sections.count - 1), height: height)
    }
    wantedSection = nil
  }

  /// Shows the list after a change.
  ///
  /// - Parameter keys: the rows whose values may have changed; nil for all.
  mutating func apply(changed list: KeyList, keys: Set<RowKey>?, height: Int) {
    if let keys {
      // Only few of many keys are shown.
      for key in rows.keys where keys.contains(key) { stale.insert(key) }
      requested.subtract(keys)
    } else {
      stale = Set(rows.keys)
      requested = []
    }
    sparks.invalidate()
    totals.invalidate()
    show(list, height: height, isFirst: false)
  }

  /// Applies keys that were read of a long list; a changed list arrives by another call.
  mutating func apply(readKeys list: KeyList) {
    requestedPlaces = nil
    guard isComplete, list.sections == self.list.sections else { return }
    self.list = list
    // The cursor is on a row whose key was unknown until now.
    if anchor == nil { moveAnchor() }
  }

  /// The object that the cursor is on or is to go to, if it is not among the keys read of a long list.
  var wantedKey: RowKey? {
    guard isComplete, isAnchorWanted, !list.keys.isRead, case .row(let key) = anchor else {
      return nil
    }
    return key
  }

  /// Applies a long list in which an object was searched for: the cursor goes there, unless it has moved
  /// meanwhile.
  mutating func apply(searched list: KeyList, height: Int) {
    guard wantedKey != nil else { return }
    apply(readKeys: list)
    findAnchor(height: height)
    if isAnchorWanted { moveAnchor() }
  }

  /// Applies the sections that the list will have.
  mutating func apply(counted sections: [KeyList.Section]) {
    if !isComplete { expected = ExpectedSections(sections) }
  }

  /// Starts to wait for the list of another fetch, and keeps showing the current one.
  ///
  /// - Parameter isKeepingPlace: whether the cursor must find its object again, however long that takes; if
  ///   not, it goes to the top unless the object is among the first rows.
  mutating func beginFetch(_ number: Int, isKeepingPlace: Bool) {
    fetch = number
    phase = .reading
    isComplete = false
    expected = nil
    isAwaitingFirstRows = true
    requested = []
    sparks.invalidate()
    totals.invalidate()
    stale = Set(rows.keys)
    isAnchorWanted = isKeepingPlace && anchor != nil
    wantedSection = nil
  }

  /// Releases a long list that is not shown now; the cursor finds its object again when the list is read.
  mutating func releaseLargeList() {
    guard list.keys.count > 100_000 else { return }
    list = KeyList()
    lines = TableLines()
    rows = [:]
    isComplete = false
  }

  /// Puts the cursor on an object as soon as the list has it.
  mutating func want(_ key: RowKey) {
    anchor = .row(key)
    isAnchorWanted = true
  }

  /// Replaces the list and keeps the cursor on its object, and that object in its row of the screen; the
  /// first list in another order begins at the top if it does not have the object.
  private mutating func show(_ list: KeyList, height: Int, isFirst: Bool) {
    groupPath = query.groupBy
    requestedPlaces = nil
    self.list = isComplete ? inSectionOrder(list) : list
    let list = self.list
    lines = TableLines(list, hasHeaders: isGrouped, folds: folds)
    let above = scroll.cursor - scroll.first
    if let line = line(of: anchor) {
      isAnchorWanted = false
      scroll = ScrollState(
        cursor: line, first: isFirst ? firstShowingHeader(of: line, height) : max(0, line - above))
    } else if isFirst {
      // The cursor goes to the first row, not to the header of its section, so that the details show an
      // object and keys for rows work.
      let hasRowBelow = if isGrouped, case .row = lines[1] { true } else { false }
      scroll = ScrollState(cursor: hasRowBelow ? 1 : 0, first: 0)
    } else if isComplete, !list.keys.isRead, case .row = anchor {
      // The object is among the keys that were not read, or gone.
      isAnchorWanted = true
    }
    scroll.settle(count: lines.count, height: height)
    let wanted = wantedSection
    if !isAnchorWanted { moveAnchor() }
    wantedSection = wanted
  }

  /// The line of an anchor. O(rows).
  private func line(of anchor: Anchor?) -> Int? {
    switch anchor {
    case .row(let key): list.keys.firstIndex(of: key).map { lines.line(ofRow: $0) }
    case .section(let value):
      list.sections.firstIndex { $0.value == value }.flatMap { lines.line(ofSection: $0) }
    case nil: nil
    }
  }

  /// Puts the cursor on its anchor, if the list has it.
  mutating func findAnchor(height: Int) {
    show(list, height: height, isFirst: false)
  }

  /// Sets the anchor to the object or section under the cursor, and forgets where the cursor was to go.
  mutating func moveAnchor() {
    isAnchorWanted = false
    wantedSection = nil
    switch currentLine {
    case .row(let index): anchor = list.keys.readKey(at: index).map { .row($0) }
    case .header(let section): anchor = .section(list.sections[section].value)
    case nil: anchor = nil
    }
  }

  /// Folds or unfolds the section of the cursor, and puts the cursor on its header.
  mutating func toggleSection(height: Int) {
    let section = lines.section(ofLine: scroll.cursor)
    guard isGrouped, list.sections.indices.contains(section) else { return }
    folds.toggle(list.sections[section].value)
    fold(at: section, height: height)
  }

  /// Folds all sections, or unfolds all if all are folded.
  mutating func toggleAllSections(height: Int) {
    guard isGrouped else { return }
    let section = lines.section(ofLine: scroll.cursor)
    let areAllHidden = list.sections.indices.allSatisfy { lines.isCollapsed($0) }
    folds = SectionFolds(areAllFolded: !areAllHidden)
    fold(at: section, height: height)
  }

  /// Restores the folds of a view.
  mutating func adopt(_ folds: SectionFolds) { self.folds = folds }

  /// Puts the cursor on a row, anywhere in the list; unfolds its section.
  mutating func moveCursor(toRow index: Int, height: Int) {
    guard list.keys.indices.contains(index) else { return }
    if isGrouped {
      let section = list.section(at: index)
      if lines.isCollapsed(section) {
        folds.toggle(list.sections[section].value)
        lines = TableLines(list, hasHeaders: true, folds: folds)
      }
    }
    scroll.move(to: lines.line(ofRow: index), count: lines.count, height: height)
    moveAnchor()
  }

  /// Puts the cursor on the header of a section.
  mutating func moveCursor(toSection section: Int, height: Int) {
    guard isGrouped, let line = lines.line(ofSection: section) else { return }
    // The header comes to the top, to show as much of the section as possible.
    scroll = ScrollState(cursor: line, first: line)
    scroll.settle(count: lines.count, height: height)
    moveAnchor()
  }

  /// Makes the lines again after sections were folded, and puts the cursor on the header of one.
  private mutating func fold(at section: Int, height: Int) {
    lines = TableLines(list, hasHeaders: isGrouped, folds: folds)
    scroll.move(to: lines.line(ofSection: section) ?? 0, count: lines.count, height: height)
    moveAnchor()
  }

  /// Applies rows that were read. Rows that are only read ahead do not change the widths of columns.
  mutating func apply(rows read: [RowSnapshot], height: Int) {
    let areSeen = isAnyVisible(read, height: height)
    for row in read {
      rows[row.key] = row
      requested.remove(row.key)
      if areSeen { measureWidths(of: row) }
    }
  }

  /// Whether one of some rows is on the screen.
  func isAnyVisible(_ rows: [RowSnapshot], height: Int) -> Bool {
    let visible = Set(keys(of: scroll.visible(count: lines.count, height: height)))
    return rows.contains { visible.contains($0.key) }
  }
}
