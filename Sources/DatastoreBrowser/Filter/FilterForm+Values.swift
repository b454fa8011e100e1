import DatastoreCore
import TerminalUI

/// Editing the values of conditions.
extension FilterForm {
  /// The query for the values to offer while typing.
  var valueQuery: PredicateCompletion.ValueQuery? { editor?.query }

  mutating func press(_ key: Key) {
    notice = nil
    editor?.press(key)
  }

  mutating func insert(_ text: String) {
    editor?.insert(text)
  }

  mutating func apply(_ found: [FoundValue], for query: PredicateCompletion.ValueQuery) {
    guard query == editor?.query else { return }
    editor?.apply(found)
  }

  /// Opens the editor for the field under the cursor: a list, or nil for a line in the form.
  mutating func beginEditing() -> FilterChoice? {
    notice = nil
    switch (currentField, currentLine.kind) {
    case (.kind, .group(let kind)): return .kinds(current: kind)
    case (.quantifier, .row(let row)): return .quantifiers(current: row.comparison.quantifier)
    case (.property, .row(let row)): return .properties(current: row.comparison.left, self)
    case (.comparator, .row(let row)):
      return .comparators(type(of: row).0.comparators, current: row.comparison.comparator)
    case (.value(let index), .row(let row)): return beginEditing(row, at: index)
    case (.addValue, .row(let row)): return beginEditing(row, at: row.values.count)
    case (.text, _):
      notice = "This condition has no row in the form; press ctrl-t to edit it as text."
      return nil
    default: return nil
    }
  }

  private mutating func beginEditing(_ row: PredicateForm.Row, at index: Int) -> FilterChoice? {
    if let destination = destination(of: row) { return .objects(destination, at: index) }
    if isTruth(row) { return .truths(at: index) }
    let value = row.lacksValue || index >= row.values.count ? nil : row.values[index]
    editor = ValueEditor(value, at: index, of: row, self)
    return nil
  }

  /// Applies the typed value; an invalid one stays, with a notice.
  ///
  /// - Returns: whether the value was applied.
  @discardableResult
  mutating func finishEditing() -> Bool {
    guard let editor else { return true }
    if editor.field.text.isEmpty, editor.menu.current == nil, editor.before.value.isNull,
      !editor.type.isText || currentRow?.lacksValue == false
    {
      // Nothing was typed in an empty field.
      self.editor = nil
      return true
    }
    guard let value = editor.value else {
      let written = editor.field.text
      notice =
        editor.cases.isEmpty
        ? "Type \(editor.type.expected); “\(written)” is not one."
        : "“\(written)” is neither a number nor one of \(editor.cases.all.joined(separator: ", "))."
      return false
    }
    if let fault = fault(of: value) {
      notice = fault
      return false
    }
    self.editor = nil
    set(value, at: editor.index)
    return true
  }

  mutating func cancelEditing() {
    editor = nil
    notice = nil
  }

  /// Sets a value of the row under the cursor, and moves to one that is still missing.
  mutating func set(_ value: Value, at index: Int) {
    changeRow { $0.setValue(value, at: index) }
    if let row = currentRow, row.lacksValue, index + 1 < row.values.count {
      go(to: currentLine.place, .value(index + 1))
    } else if currentRow?.comparison.comparator == .in {
      go(to: currentLine.place, .addValue)
    }
  }

  /// Why a value is invalid in the row under the cursor.
  private func fault(of value: Value) -> String? {
    guard let row = currentRow else { return nil }
    let comparison = row.comparison
    if comparison.comparator.isTextual, case .text = value {
    } else if comparison.comparator.isTextual {
      return "\(comparison.comparator.word) compares text; put it in quotes."
    }
    guard comparison.comparator == .matches else { return nil }
    var changed = row
    changed.setValue(value, at: 0)
    do {
      try changed.predicate?.validate(for: entity, in: schema)
      return nil
    } catch {
      return error.description
    }
  }

  /// Applies the choice from a list.
  mutating func apply(_ choice: FilterChoice.Picked) {
    switch choice {
    case .kind(let kind): setKind(kind)
    case .quantifier(let quantifier): changeRow { $0.setQuantifier(quantifier) }
    case .comparator(let comparator): changeRow { $0.setComparator(comparator) }
    case .property(let operand):
      changeRow { [entity, schema] in $0.setLeft(operand, entity: entity, in: schema) }
      go(to: currentLine.place, .comparator)
    case .value(let value, let index): set(value, at: index)
    }
  }
}
