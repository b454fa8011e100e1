import DatastoreCore
import TerminalUI

/// The line that defines a computed column: `salary * 12 AS yearly`. A fault is shown below it, and its place
/// is marked.
struct DerivedColumnPrompt: Overlay {
  static let scope = CommandScope(
    "derived-column", title: "In the line for a computed column",
    traits: .picks.union([.completes]), labels: ["accept": "show the column"])
  let entity: Entity
  let schema: Schema
  /// The column to change; nil for a new one.
  let changed: DerivedColumn?
  private(set) var field: TextField
  private(set) var fault: PredicateSyntaxError?
  /// Another reason why the column cannot be defined, as a sentence.
  private(set) var refusal: String?
  private(set) var menu = CompletionMenu()
  /// The characters that a completion replaces.
  private var range = 0..<0

  /// - Parameter schema: a schema with the names of the columns that the expression may use.
  init(_ entity: Entity, in schema: Schema, changing changed: DerivedColumn? = nil) {
    self.entity = entity
    self.schema = schema
    self.changed = changed
    field = TextField(text: changed?.text ?? "")
    offerCompletions()
    menu.close()
  }

  /// Parses the typed column; nil, with a fault, if it cannot be parsed.
  mutating func definition() -> (column: DerivedColumn, isNamed: Bool)? {
    do {
      let (_, expression, name) = try Predicate.Operand.parseNamed(
        field.text, entity: entity, in: schema)
      fault = nil
      return (DerivedColumn(name: name ?? expression, expression: expression), name != nil)
    } catch {
      fault = error
      return nil
    }
  }

  mutating func refuse(_ reason: String) { refusal = reason }

  func accept(_ state: inout BrowserState) { state.acceptDerivedColumn() }

  func complete(_ state: inout BrowserState) {
    state.changeOverlay(as: Self.self) { _ = $0.acceptCompletion(onlyMarked: false) }
  }

  mutating func press(_ key: Key, in state: inout BrowserState) {
    if field.handle(key) { changedText() }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    field.insert(text)
    changedText()
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) {
    _ = menu.move(by: movement.rows(height: 8))
  }

  /// Inserts the marked completion, or else the first one; false if there is none.
  mutating func acceptCompletion(onlyMarked: Bool) -> Bool {
    guard let item = menu.current ?? (onlyMarked ? nil : menu.items.first) else { return false }
    let text = field.text
    let head = String(text.prefix(range.lowerBound)) + item.text
    field.setText(String(head + String(text.dropFirst(range.upperBound))), cursor: head.count)
    offerCompletions()
    menu.close()
    return true
  }

  private mutating func changedText() {
    (fault, refusal) = (nil, nil)
    offerCompletions()
  }

  private mutating func offerCompletions() {
    let completion = PredicateCompletion(
      of: field.text, at: field.cursor, entity: entity, in: schema)
    range = completion.range
    let written = String(field.text.dropFirst(range.lowerBound).prefix(range.count))
    let items = completion.items.filter { item in
      switch item.kind {
      case .property, .relationship, .aggregate, .function: item.text != written
      case .comparator, .keyword, .value: false
      }
    }
    menu.unmark()
    // A list of all names is no help before the first letter.
    menu.setItems(written.isEmpty ? [] : items.map(CompletionMenu.Item.init))
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Rectangle.aboveFooter(state.size).split(bottom: 5).bottom
    let title = changed.map { "Change \($0.name)" } ?? "New column of \(entity.name)"
    let body = Box(title: title).cover(&buffer, in: area).inset(horizontal: 1)
    let (top, below) = body.split(top: 1)
    var field = field
    let cursor = field.draw(
      into: &buffer, in: top,
      placeholder: "a path or an expression, such as  salary * 12 AS yearly")
    let message = refusal ?? fault.map { "\($0.message) (character \($0.offset + 1))" }
    let hint = Predicate.Function.allCases.map(\.usage).joined(separator: " ")
    buffer.draw(wrapped: message ?? hint, in: below, role: message == nil ? .dim : .error)
    if let fault {
      field.markFault(at: fault.offset, length: fault.length, into: &buffer, in: top)
    }
    menu.draw(
      into: &buffer, at: Position(column: body.left, row: area.top),
      on: Rectangle.aboveFooter(state.size))
    return cursor
  }
}

extension DerivedColumn {
  /// The column as the user would type it.
  var text: String {
    name == expression
      ? expression : "\(expression) AS \(Predicate.Operand.keyPath([name]).description)"
  }
}
