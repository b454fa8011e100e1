import DatastoreCore
import TerminalUI

/// The table: a list of keys in sections, the rows that have been read around the visible ones, and
/// where the cursor is.
struct TableState: Sendable {
  /// How far the list has been read.
  enum Phase: Hashable, Sendable {
    case reading
    case ready
    /// The user ended the reading; what had come is shown.
    case stopped
    case failed(String)
  }

  /// What the cursor is on, whatever its line.
  enum Anchor: Hashable, Sendable {
    case row(RowKey)
    case section(Value)
  }

  var query: TableQuery
  /// Its columns, and the expressions behind the names of derived ones.
  private(set) var definitions: ColumnDefinitions
  /// The lines that the details of its rows have, unless a text is long: the same for all of them, so that
  /// panels stay where they are while the cursor moves.
  let detailLines: Int
  /// What the numbers of columns are measured in.
  var units: [Slot: String] = [:]
  /// What the user has decided about the columns.
  var settings: ColumnSettings {
    didSet {
      if settings.derived != oldValue.derived { define() }
      if settings != oldValue { arrange() }
    }
  }
  private let schema: Schema
  private let labels: Labels
  /// Which columns are shown, in which order.
  private(set) var arrangement: ColumnArrangement
  let columnDefaults: ColumnDefaults
  /// Whether it is the entity's own view, which is found again when another one was shown; not one that a
  /// relationship has led to.
  var isOwnView = true
  /// What the breadcrumb calls this place.
  var title: String
  /// The number of the fetch whose results belong here.
  var fetch = 0
  var phase = Phase.reading
  private(set) var list = KeyList()
  private(set) var isComplete = false
  /// What the list will have, while it is being read.
  private(set) var expected: ExpectedSections?
  private(set) var lines = TableLines()
  private(set) var folds = SectionFolds()
  var scroll = ScrollState()
  private(set) var anchor: Anchor?
  /// The group key of the list that is shown, which may still be that of an older query.
  private(set) var groupPath: [String]?
  /// Whether nothing of the present fetch has come yet.
  private(set) var isAwaitingFirstRows = true
  /// Whether the cursor must go to its anchor, however long the list takes.
  private(set) var isAnchorWanted = false
  /// The section that the cursor is to go to when the list has been read so far.
  var wantedSection: Int?
  /// The column under the cursor: its index in `columns`.
  var column = 0
  /// The leftmost of the columns that scroll: its place among the columns that are shown.
  var firstColumn = 0
  /// The numbers that the columns of to-many relationships show.
  var counts = RelationCounts()
  /// The sparklines of section headers.
  var sparks = SectionSparks()
  /// What is computed of columns, over all rows and over those of each section.
  var totals = ColumnTotals()
  /// What was last searched for in one column.
  var search: TableSearch?
  /// The rows that have been read.
  var rows: [RowKey: RowSnapshot] = [:]
  /// The cells of rows that others have changed since the cursor was there, by the indices of their columns.
  var changedByOthers: [RowKey: Set<Int>] = [:]
  /// Rows whose values may be others now.
  var stale: Set<RowKey> = []
  /// Rows that were asked for and have not come (yet).
  var requested: Set<RowKey> = []
  /// The places of a long list whose keys were asked for.
  var requestedPlaces: Range<Int>?
  /// By column: the widest content seen.
  var contentWidths: [Int]
  /// The columns of the screen that the widest number of each needs: numbers have their room before texts.
  var widestNumbers: [Int]
  /// By column: the widest part of a number seen before its decimal point, and from there on. Numbers of a
  /// column have their points below each other.
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

  /// Reads derived columns again; what was read of rows belongs to the columns before.
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
    // A cursor on a column that was hidden goes to the one that takes its place.
    if arrangement.position(of: column) == nil, !arrangement.shown.isEmpty {
      column = arrangement.shown[min(place, arrangement.shown.count - 1)]
    }
  }

  /// Whether there are section headers.
  var isGrouped: Bool { groupPath != nil }

  /// The column under the cursor; nil for entities without columns.
  var currentColumn: TableColumn? {
    columns.indices.contains(column) ? columns[column] : nil
  }

  /// The line under the cursor.
  var currentLine: TableLines.Line? { lines[scroll.cursor] }

  /// The key of the row under the cursor, or of the one that the cursor will go to.
  var currentKey: RowKey? {
    if isAnchorWanted, case .row(let key) = anchor { return key }
    guard case .row(let index) = currentLine else { return nil }
    return list.keys.readKey(at: index)
  }

  /// A row of the table, as it is shown.
  func reference(to key: RowKey) -> ObjectReference {
    ObjectReference(entity: query.entity, key: key, seen: rows[key]?.seen)
  }
}

extension TableState {
  /// Shows a list that was read. The cursor stays on its object if the list has it; the first
  /// answer to another order or filter that has not begins at the top.
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
  /// - Parameter keys: the rows whose values may be others; nil for all.
  mutating func apply(changed list: KeyList, keys: Set<RowKey>?, height: Int) {
    if let keys {
      // Of many keys few are shown.
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

  /// Applies keys that were read of a long list; a list that has changed comes by itself.
  mutating func apply(readKeys list: KeyList) {
    requestedPlaces = nil
    guard isComplete, list.sections == self.list.sections else { return }
    self.list = list
    // The cursor had gone to a row that nothing was known of.
    if anchor == nil { moveAnchor() }
  }

  /// The object that the cursor is on or is to go to, where it is not among the keys that were read of a long
  /// list.
  var wantedKey: RowKey? {
    guard isComplete, isAnchorWanted, !list.keys.isRead, case .row(let key) = anchor else {
      return nil
    }
    return key
  }

  /// Applies a long list in which an object was looked for: the cursor goes there, unless it was moved
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

  /// Begins to wait for the list of another fetch, and keeps showing what there is.
  ///
  /// - Parameter isKeepingPlace: whether the cursor must find its object again however long that
  ///   takes; else it goes to the top unless the object is among the first rows.
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

  /// Lets go of a long list that is not shown now; the cursor finds its object again when it is read.
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

  /// Replaces the list and keeps the cursor on the same object, and that object at the same height
  /// of the screen; the first list in another order begins at the top if it does not have the
  /// object.
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
      // On the first row, not on the header of its section: the details show something, and keys for rows
      // work.
      let hasRowBelow = if isGrouped, case .row = lines[1] { true } else { false }
      scroll = ScrollState(cursor: hasRowBelow ? 1 : 0, first: 0)
    } else if isComplete, !list.keys.isRead, case .row = anchor {
      // It is somewhere among the keys that were not read, or gone.
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

  /// Puts the anchor on what the cursor is on, and forgets where the cursor was to go.
  mutating func moveAnchor() {
    isAnchorWanted = false
    wantedSection = nil
    switch currentLine {
    case .row(let index): anchor = list.keys.readKey(at: index).map { .row($0) }
    case .header(let section): anchor = .section(list.sections[section].value)
    case nil: anchor = nil
    }
  }
}

extension TableState {
  /// Hides or shows the rows of the section that the cursor is in, and puts the cursor on its
  /// header.
  mutating func toggleSection(height: Int) {
    let section = lines.section(ofLine: scroll.cursor)
    guard isGrouped, list.sections.indices.contains(section) else { return }
    folds.toggle(list.sections[section].value)
    fold(at: section, height: height)
  }

  /// Hides the rows of all sections, or shows all when all are hidden.
  mutating func toggleAllSections(height: Int) {
    guard isGrouped else { return }
    let section = lines.section(ofLine: scroll.cursor)
    let areAllHidden = list.sections.indices.allSatisfy { lines.isCollapsed($0) }
    folds = SectionFolds(areAllFolded: !areAllHidden)
    fold(at: section, height: height)
  }

  /// Hides the rows of the sections that were hidden when the view was left.
  mutating func adopt(_ folds: SectionFolds) { self.folds = folds }

  /// Forgets which sections were hidden: those of another group key mean something else.
  mutating func showAllSections() {
    folds = SectionFolds()
  }

  /// Puts the cursor on a row, wherever in the list it is; the section that hides it is opened.
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
    // The header comes to the top, so that as much of the section as possible is seen.
    scroll = ScrollState(cursor: line, first: line)
    scroll.settle(count: lines.count, height: height)
    moveAnchor()
  }

  /// Makes the lines again after sections were folded, with the cursor on the header of one.
  private mutating func fold(at section: Int, height: Int) {
    lines = TableLines(list, hasHeaders: isGrouped, folds: folds)
    scroll.move(to: lines.line(ofSection: section) ?? 0, count: lines.count, height: height)
    moveAnchor()
  }
}

extension TableState {
  /// Applies rows that were read. Columns do not move because of rows that are only read ahead.
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
