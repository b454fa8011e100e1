import DatastoreCore
import TerminalUI

/// The filter as text: a line in the NSPredicate format language, parsed again after every key.
struct FilterLine: Sendable {
  /// The fault of the text and its place, in characters from the start.
  struct Fault: Hashable, Sendable {
    var message: String
    var offset: Int
    var length: Int
    /// Whether the fault is at the end, where the user is still typing, so that it may be gone in a moment.
    var isUnfinished: Bool
  }

  let entity: Entity
  let schema: Schema
  private(set) var field: TextField
  private(set) var fault: Fault?
  /// The parsed condition; nil for an empty text, and while there is a fault.
  private(set) var predicate: Predicate?
  private(set) var menu = CompletionMenu()
  /// The query for the values at the cursor.
  private(set) var valueQuery: PredicateCompletion.ValueQuery?
  /// The characters that a completion replaces.
  private(set) var range = 0..<0
  /// The values found for `valueQuery`.
  private var values: [FoundValue] = []
  private var grammar: [CompletionMenu.Item] = []
  /// Earlier texts, the latest one last.
  private var history: [String]
  /// The index of the recalled text, and the text before the recall.
  private var recalled: (index: Int, draft: String)?

  init(_ text: String, entity: Entity, in schema: Schema, history: [String] = []) {
    self.entity = entity
    self.schema = schema
    self.history = history.filter { $0 != text }
    field = TextField(text: text)
    read()
    if !text.isEmpty { menu.close() }
  }

  /// Applies the earlier texts, which may arrive after the line was opened.
  mutating func apply(history texts: [String]) {
    guard recalled == nil else { return }
    history = texts.filter { $0 != field.text }
  }

  /// Whether the text is empty or can be parsed.
  var isReadable: Bool { fault == nil }

  /// Shows another text.
  mutating func setText(_ text: String) {
    field.setText(text)
    recalled = nil
    read()
    menu.close()
  }

  mutating func press(_ key: Key) {
    let before = field
    guard field.handle(key) else { return }
    changed(from: before)
  }

  mutating func insert(_ text: String) {
    let before = field
    field.insert(text)
    changed(from: before)
  }

  private mutating func changed(from before: TextField) {
    if before.text != field.text { recalled = nil }
    read()
  }

  /// Marks every fault, including an unfinished one.
  mutating func showFault() { fault?.isUnfinished = false }

  /// Parses the text and finds the completions at the cursor. O(length).
  private mutating func read() {
    let text = field.text
    fault = nil
    predicate = nil
    if text.contains(where: { !$0.isWhitespace }) {
      do {
        predicate = try Predicate.parse(text, entity: entity, in: schema)
      } catch {
        let end = error.offset + error.length
        let isAtEnd = text.dropFirst(end).allSatisfy(\.isWhitespace)
        fault = Fault(
          message: error.message, offset: error.offset, length: error.length,
          isUnfinished: isAtEnd && field.cursor >= error.offset)
      }
    }
    complete()
  }

  private mutating func complete() {
    let completion = PredicateCompletion(
      of: field.text, at: field.cursor, entity: entity, in: schema)
    range = completion.range
    grammar = completion.items.map(CompletionMenu.Item.init)
    if completion.values != valueQuery { values = [] }
    valueQuery = completion.values
    menu.unmark()
    offer()
  }

  private mutating func offer() {
    let written = String(field.text.dropFirst(range.lowerBound).prefix(range.count))
    let found = values.compactMap { found in
      valueQuery?.item(for: found.value, detail: found.detail).map { item in
        var item = CompletionMenu.Item(item)
        // A dot may follow a member of JSON just as well.
        if valueQuery?.json != nil { item.tail = "" }
        return item
      }
    }
    let items = (found + grammar).filter { $0.text != written }
    // A menu under a text that may be complete reacts to the arrow keys only.
    if recalled == nil { menu.setItems(items) } else { menu.close() }
  }

  /// Offers values of the store, if they answer the current query.
  mutating func apply(_ found: [FoundValue], for query: PredicateCompletion.ValueQuery) {
    guard query == valueQuery else { return }
    values = found
    offer()
  }

  /// Inserts the marked completion, or the first one; false if there is none.
  mutating func acceptCompletion() -> Bool {
    guard let item = menu.current ?? menu.items.first else { return false }
    let text = field.text
    var head = String(text.prefix(range.lowerBound))
    // Separates `name ==` from a value.
    if let last = head.last, !last.isWhitespace, !"({.@[!,".contains(last) { head += " " }
    let rest = text.dropFirst(range.upperBound)
    let written = head + item.text + item.tail
    // The cursor moves over an existing space; no second one is inserted.
    let behind = item.tail == " " && rest.first == " " ? rest.dropFirst() : rest
    field.setText(written + behind, cursor: written.count)
    recalled = nil
    read()
    return true
  }

  /// Marks the completion above, or recalls the previous text.
  mutating func up() {
    if menu.selected != nil, menu.move(by: -1) { return }
    let index = (recalled?.index ?? history.count) - 1
    guard history.indices.contains(index) else { return }
    recall(index)
  }

  /// Marks the completion below, or returns to the next text.
  mutating func down() {
    guard let recalled else {
      _ = menu.move(by: 1)
      return
    }
    recall(recalled.index + 1)
  }

  private mutating func recall(_ index: Int) {
    let draft = recalled?.draft ?? field.text
    recalled = index < history.count ? (index, draft) : nil
    field.setText(index < history.count ? history[index] : draft)
    read()
  }

  mutating func markNext(by step: Int) { _ = menu.move(by: step) }

  mutating func unmark() { menu.unmark() }

  mutating func click(at position: Position, anchor: Position, on screen: Rectangle) {
    if menu.click(at: position, anchor: anchor, on: screen) { _ = acceptCompletion() }
  }
}

/// A stored value to compare with.
struct FoundValue: Hashable, Sendable {
  var value: Value
  /// The name of the object or of the enum case that the value stands for, if any.
  var detail = ""
}

extension CompletionMenu.Item {
  init(_ item: PredicateCompletion.Item) {
    text = item.text
    detail = item.detail
    switch item.kind {
    case .property, .aggregate: (role, tail) = (.text, " ")
    // A dot may follow a relationship just as well.
    case .relationship: role = .relationship
    case .comparator, .keyword: (role, tail) = (.key, " ")
    case .value: role = .string
    case .function: role = .relationship
    }
  }
}
