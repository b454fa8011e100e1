import Basics
import DatastoreCore
import TerminalUI

/// The filter being edited: one condition with two faces, a line of text and a form of rows.
///
/// Each face reads what the other has left when one changes over. While one edits, the matches are
/// counted; a newer count ends the one before.
struct FilterState: Overlay {
  enum Face: Hashable, Sendable { case text, form }

  let entity: Entity
  let schema: Schema
  private(set) var face: Face
  var line: FilterLine
  var form: FilterForm
  var matches = MatchCount()
  /// What has happened to the saved filters, until the next key.
  var notice: String?
  /// The values that were asked for last.
  private var wantedValues: PredicateCompletion.ValueQuery?
  /// The objects whose names were asked for.
  private var askedNames: Set<ObjectReference> = []

  init(_ query: TableQuery, face: Face, schema: Schema, history: [String]) {
    entity = schema.entities[query.entity]
    self.schema = schema
    self.face = face
    line = FilterLine(query.filterText, entity: entity, in: schema, history: history)
    form = FilterForm(query.filter, entity: entity, in: schema)
  }

  var scope: CommandScope {
    switch face {
    case .text: .filter
    case .form: form.editor == nil ? .filterForm : .filterValue
    }
  }

  /// The condition as the face that is shown says it; nil for none.
  var predicate: Predicate? { face == .text ? line.predicate : form.predicate }

  /// Whether there is a condition, or none, to show rows by.
  var isReadable: Bool { face == .form || line.isReadable }

  /// The condition as text: as it was typed, where it was.
  var text: String {
    if face == .text || line.isReadable && line.predicate == form.predicate {
      return line.field.text
    }
    return form.predicate?.formatted(entity: entity, in: schema) ?? ""
  }

  /// Shows the other face with the same condition; a text that cannot be read stays.
  mutating func changeFace() {
    switch face {
    case .text:
      guard line.isReadable else { return line.showFault() }
      // Rows that are still without a value are kept while the condition is the same.
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

  /// A completion that is marked is only unmarked, a value that is typed stays as it was.
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

  /// Applies values of the store.
  mutating func apply(_ found: [FoundValue], for query: PredicateCompletion.ValueQuery) {
    if face == .text { line.apply(found, for: query) } else { form.apply(found, for: query) }
  }
}

/// How many objects meet the condition, as far as that is known.
struct MatchCount: Sendable {
  /// What is or was counted.
  private(set) var query: TableQuery?
  private(set) var result: Result<Int, EffectFailure>?
  /// How many there are without a condition.
  private(set) var all: Int?

  /// What has to be counted for another query, if it is one.
  mutating func demand(_ wanted: TableQuery) -> Effect? {
    guard wanted != query else { return nil }
    query = wanted
    result = nil
    return .countMatches(wanted, countsAll: all == nil)
  }

  /// Whether something may be running whose result is no longer needed.
  mutating func forget() -> Bool {
    defer { (query, result) = (nil, nil) }
    return query != nil && result == nil
  }

  mutating func apply(_ result: Result<Int, EffectFailure>, of query: TableQuery) {
    if query == self.query { self.result = result }
    if query.filter == nil, case .success(let count) = result { all = count }
  }

  /// In words; empty when nothing is counted.
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
  /// The same objects with another condition, in no order.
  func counting(_ predicate: Predicate?) -> TableQuery {
    var query = self
    query.filter = predicate
    query.filterText = ""
    query.order = []
    query.groupBy = nil
    return query
  }
}
