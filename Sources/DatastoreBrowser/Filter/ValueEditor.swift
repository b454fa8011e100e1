import Basics
import DatastoreCore
import Foundation
import TerminalUI

/// The editor of a condition's value in its field of the form.
struct ValueEditor: Sendable {
  /// The index of the value in the row.
  let index: Int
  let type: OperandType
  let hint: AttributeType?
  /// The value before editing, and its text: an unchanged text means an unchanged value.
  let before: (value: Value, text: String)
  private(set) var field: TextField
  private(set) var menu = CompletionMenu()
  /// The names that can be typed for the values of an enum.
  let cases: CaseNames
  /// The path of the attribute whose values are offered.
  private let path: [String]?

  init(_ value: Value?, at index: Int, of row: PredicateForm.Row, _ form: FilterForm) {
    self.index = index
    (type, hint) = form.type(of: row)
    path = row.comparison.left.valuePath
    cases = form.caseNames(of: row)
    let text =
      value.map { [type, hint, cases] in
        cases.name(of: $0) ?? type.typed($0, hint: hint)
      } ?? ""
    before = (value ?? .null, text)
    field = TextField(text: text)
  }

  /// The query for the values to offer.
  var query: PredicateCompletion.ValueQuery? {
    path.map { PredicateCompletion.ValueQuery(path: $0, prefix: field.text, type: type) }
  }

  mutating func press(_ key: Key) {
    let text = field.text
    guard field.handle(key), text != field.text else { return }
    menu.close()
  }

  mutating func insert(_ text: String) {
    field.insert(text)
    menu.close()
  }

  mutating func apply(_ found: [FoundValue]) {
    let others = found.filter { cases.name(of: $0.value) == nil }
    menu.setItems(
      caseItems
        + others.compactMap { found in
          if case .blob = found.value, type != .attribute(.uuid) { return nil }
          let text = type.typed(found.value, hint: hint)
          return text == field.text || text.isEmpty
            ? nil : CompletionMenu.Item(text: text, detail: found.detail, role: .string)
        })
  }

  /// The cases whose names contain the typed text; all cases if it is empty.
  private var caseItems: [CompletionMenu.Item] {
    let isTyped = !field.text.isExactly(before.text)
    return cases.all.filter { name in
      name != field.text
        && (!isTyped || name.range(of: field.text, options: .caseInsensitive) != nil
          || field.text.isEmpty)
    }.map { CompletionMenu.Item(text: $0, role: .string) }
  }

  mutating func mark(by step: Int) { _ = menu.move(by: step) }

  /// Inserts the marked value, or the first one.
  mutating func acceptCompletion() {
    guard let item = menu.current ?? menu.items.first else { return }
    field.setText(item.text)
    menu.close()
  }

  /// The typed value; nil if the text is not one.
  var value: Value? {
    if let marked = menu.current { return value(of: marked.text) }
    if field.text.isExactly(before.text), !before.value.isNull { return before.value }
    return value(of: field.text)
  }

  private func value(of text: String) -> Value? {
    cases.value(named: text) ?? type.value(typed: text, hint: hint)
  }
}
