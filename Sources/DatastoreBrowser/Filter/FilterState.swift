import Basics
import DatastoreCore
import TerminalUI

/// The filter being edited: one condition with two faces, a line of text and a form of rows.
///
/// Changing the face passes the condition to the other one. While the user edits, the matches are counted; a
/// newer count ends the one before.
struct FilterState: Overlay {
  enum Face: Hashable, Sendable { case text, form }

  let entity: Entity
  let schema: Schema
  private(set) var face: Face
  var line: FilterLine
  var form: FilterForm
  var matches = MatchCount()
  /// A notice about the saved filters, until the next key.
  var notice: String?
  /// The query of the last request for values.
  private var wantedValues: PredicateCompletion.ValueQuery?
  /// The objects whose names were requested.
  private var askedNames: Set<ObjectReference> = []

  init(_ query: TableQuery, face: Face, schema: Schema, history: [String]) {
    entity = schema.entities[query.entity]
    self.schema = schema
    self.face = face
    line = FilterLine(query.filterText, entity: entity, in: schema, history: history)
    form = FilterForm(query.filter, entity: entity, in: schema)
  }

  static var scope: CommandScope { .filter }
  var scope: CommandScope {
    switch face {
    case .text: Self.scope
    case .form: form.editor == nil ? .filterForm : .filterValue
    }
  }

  /// The condition of the current face; nil for none.
  var predicate: Predicate? { face == .text ? line.predicate : form.predicate }

  /// Whether the filter can be applied: its condition is valid or empty.
  var isReadable: Bool { face == .form || line.isReadable }

  /// The condition as text: as the user typed it, if possible.
  var text: String {
    if face == .text || line.isReadable && line.predicate == form.predicate {
      return line.field.text
    }
    return form.predicate?.formatted(entity: entity, in: schema) ?? ""
  }

  /// Shows the same condition in the other face; a text with a fault stays.
  mutating func changeFace() {
    switch face {
    case .text:
      guard line.isReadable else { return line.showFault() }
      // Rows without a value are kept if the condition is the same.
      if form.predicate != line.predicate {
        form = FilterForm(line.predicate, entity: entity, in: schema)
      }
      face = .form
    case .form:
      let text = text
      if text != line.field.text { line.setText(text) }
      face = .text
    }
  }

  /// Shows another condition.
  mutating func show(_ predicate: Predicate, text: String) {
    line.setText(text)
    form = FilterForm(predicate, entity: entity, in: schema)
  }

  func accept(_ state: inout BrowserState) {
    guard face == .text else { return state.changeForm { _ = $0.finishEditing() } }
    guard line.menu.current == nil else {
      return state.changeFilter { _ = $0.line.acceptCompletion() }
    }
    state.applyFilter()
  }

  func complete(_ state: inout BrowserState) {
    guard face == .text else { return state.changeForm { $0.editor?.acceptCompletion() } }
    state.changeFilter { _ = $0.line.acceptCompletion() }
  }

  /// Clears the mark of a completion first, or cancels the typed value.
  func dismiss(_ state: inout BrowserState) {
    if face == .text, line.menu.current != nil {
      return state.changeFilter { $0.line.unmark() }
    }
    if face == .form, form.editor != nil { return state.changeForm { $0.cancelEditing() } }
    state.cancelFilter()
  }

  mutating func press(_ key: Key, in state: inout BrowserState) {
    notice = nil
    if face == .text { line.press(key) } else { form.press(key) }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    if face == .text { line.insert(text) } else { form.insert(text) }
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) {
    notice = nil
    let step = movement.rows(height: Self.formHeight(in: state.size))
    switch face {
    case .text: if step > 0 { line.down() } else { line.up() }
    case .form where form.editor != nil: form.editor?.mark(by: step.signum())
    case .form: form.move(movement, height: Self.formHeight(in: state.size))
    }
  }

  mutating func wheel(_ lines: Int, at position: Position, in state: inout BrowserState) {
    if face == .form { form.moveCursor(by: lines) } else { line.markNext(by: lines.signum()) }
  }

  mutating func click(at position: Position, clicks: Int, in state: inout BrowserState) {
    switch face {
    case .text:
      let area = Self.lineArea(in: state.size)
      line.click(
        at: position, anchor: anchor(in: area), on: Rectangle.aboveFooter(state.size))
    case .form: form.click(at: position, in: formBody(in: state.size))
    }
  }

  mutating func resize(in state: BrowserState) {}

  /// Requests the count of the matches, and the values that may appear at the cursor.
  mutating func requestMissing(in state: inout BrowserState) {
    guard let query = state.table?.query else { return }
    if isReadable {
      if let effect = matches.demand(query.counting(predicate)) { state.request(effect) }
    } else if matches.forget() {
      state.request(.stopCounting)
    }
    let wanted = face == .text ? line.valueQuery : form.valueQuery
    if wanted != wantedValues {
      wantedValues = wanted
      state.request(
        wanted.map { .findCompletions($0, entity: entity.index) } ?? .stopFinding)
    }
    requestNames(in: &state)
  }

  /// Requests the names of the objects that the form compares with.
  private mutating func requestNames(in state: inout BrowserState) {
    guard face == .form else { return }
    for object in form.references
    where state.names[object.entity, object.key] == nil && askedNames.insert(object).inserted {
      state.request(.loadNames(entity: object.entity, keys: [object.key]))
    }
  }

  /// Applies values of the store to the current face.
  mutating func apply(_ found: [FoundValue], for query: PredicateCompletion.ValueQuery) {
    if face == .text { line.apply(found, for: query) } else { form.apply(found, for: query) }
  }
}

/// The number of objects that meet the condition, as far as it is known.
struct MatchCount: Sendable {
  /// The query that is or was counted.
  private(set) var query: TableQuery?
  private(set) var result: Result<Int, EffectFailure>?
  /// The number of objects without a condition.
  private(set) var all: Int?

  /// The effect that counts another query; nil if the query is the same.
  mutating func demand(_ wanted: TableQuery) -> Effect? {
    guard wanted != query else { return nil }
    query = wanted
    result = nil
    return .countMatches(wanted, countsAll: all == nil)
  }

  /// Forgets the count; returns whether a count is running whose result is no longer needed.
  mutating func forget() -> Bool {
    defer { (query, result) = (nil, nil) }
    return query != nil && result == nil
  }

  mutating func apply(_ result: Result<Int, EffectFailure>, of query: TableQuery) {
    if query == self.query { self.result = result }
    if query.filter == nil, case .success(let count) = result { all = count }
  }

  /// The count in words; empty without one.
  var text: String {
    switch result {
    case nil: query == nil ? "" : "counting…"
    case .success(let count):
      if let all {
        "\(CountText.grouped(count)) of \(CountText.grouped(all))"
      } else {
        CountText.counted(count, "row")
      }
    case .failure(let failure): failure.message
    }
  }
}

extension TableQuery {
  /// The same objects with another condition, without an order.
  func counting(_ predicate: Predicate?) -> TableQuery {
    var query = self
    query.filter = predicate
    query.filterText = ""
    query.order = []
    query.groupBy = nil
    return query
  }
}
