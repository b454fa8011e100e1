import DatastoreCore

/// Changing the conditions of the form.
extension FilterForm {
  /// Changes the row under the cursor.
  mutating func changeRow(_ change: (inout PredicateForm.Row) -> Void) {
    guard case .row(var row) = currentLine.kind else { return }
    change(&row)
    form.replace(.row(row), at: currentLine.place)
    column = min(column, fields.count - 1)
  }

  /// A new condition on the entity's first attribute.
  private var newRow: PredicateForm.Node {
    let first =
      entity.properties.first { $0.attribute != nil }.map { Predicate.Operand.keyPath([$0.name]) }
    return .row(PredicateForm.Row(first ?? .keyPath([]), entity: entity, in: schema))
  }

  /// The place for a new node: after the current one, or first in the current group.
  private var newPlace: [Int] {
    let line = currentLine
    switch line.kind {
    case .group: return line.place + [0]
    case .apply: return [form.root.nodes.count]
    case .row, .other:
      return line.place.dropLast() + [(line.place.last ?? 0) + 1]
    }
  }

  /// Adds a condition below the cursor, and goes to its property.
  mutating func addRow() {
    let place = newPlace
    form.insert(newRow, at: place)
    go(to: place, .property)
  }

  /// Adds a group with one condition below the cursor.
  mutating func addGroup() {
    let place = newPlace
    let outer = form.group(at: Array(place.dropLast()))?.kind
    form.insert(.group(PredicateForm.Group(outer == .any ? .all : .any, [newRow])), at: place)
    go(to: place + [0], .property)
  }

  /// Removes the condition or the group under the cursor.
  mutating func remove() {
    guard currentLine.kind != .apply else { return }
    form.remove(at: currentLine.place)
    column = 0
    moveCursor(by: 0)
  }

  /// Removes one value from the list of `IN`.
  mutating func removeValue() {
    guard case .value(let index) = currentField, currentRow?.comparison.comparator == .in else {
      notice = "Only a value in a list after IN can be removed; press d to remove the condition."
      return
    }
    changeRow { row in
      var values = row.values
      values.remove(at: index)
      row.setValues(values)
    }
  }

  mutating func indent() {
    let line = currentLine
    guard line.kind != .apply, !line.place.isEmpty else { return }
    let field = currentField
    go(to: form.indent(at: line.place), field)
  }

  mutating func outdent() {
    let line = currentLine
    guard line.place.count > 1 else { return }
    let field = currentField
    go(to: form.outdent(at: line.place), field)
  }

  /// Moves the condition or the group among its siblings.
  mutating func moveRow(by step: Int) {
    let line = currentLine
    guard line.kind != .apply, !line.place.isEmpty else {
      notice = "Only conditions and nested groups can be moved."
      return
    }
    let field = currentField
    let place = form.move(at: line.place, by: step)
    if place == line.place {
      notice = "It is the \(step < 0 ? "first" : "last") of its group; [ moves it out of the group."
    }
    go(to: place, field)
  }

  mutating func setKind(_ kind: PredicateForm.Kind) {
    guard case .group = currentLine.kind, var group = form.group(at: currentLine.place) else {
      return
    }
    group.kind = kind
    form.replace(.group(group), at: currentLine.place)
  }

  /// Negates the condition under the cursor.
  mutating func toggleNegation() {
    guard currentRow != nil else {
      notice =
        "Only a condition can be negated; press space to change how a group joins its conditions."
      return
    }
    changeRow { $0.isNegated.toggle() }
  }

  mutating func toggle(_ option: Predicate.StringOptions) {
    guard let row = currentRow, type(of: row).0.isText, row.comparison.comparator != .matches,
      row.comparison.comparator != .search
    else {
      notice = "Case and accents matter only where text is compared."
      return
    }
    changeRow { $0.toggle(option) }
  }

  mutating func setNull() {
    guard case .value(let index) = currentField, let row = currentRow else {
      notice = "NULL is a value; go to one with tab."
      return
    }
    guard [.equal, .notEqual, .in].contains(row.comparison.comparator) else {
      notice = "NULL can only be compared with == and != and IN."
      return
    }
    changeRow { $0.setValue(.null, at: index) }
  }

  /// Selects the next choice in a field with few of them.
  mutating func cycle() {
    switch (currentField, currentLine.kind) {
    case (.kind, .group(let kind)): setKind(kind.next)
    case (.quantifier, .row):
      changeRow { row in
        let all: [Predicate.Quantifier] = [.any, .all, .none]
        row.setQuantifier(row.comparison.quantifier.next(in: all))
      }
    case (.comparator, .row(let row)):
      let next = row.comparison.comparator.next(in: type(of: row).0.comparators)
      changeRow { $0.setComparator(next) }
    case (.value(let index), .row(let row)) where isTruth(row):
      let isTrue = !row.lacksValue && row.values[index] == .integer(1)
      changeRow { $0.setValue(.integer(isTrue ? 0 : 1), at: index) }
    default: notice = "Space only steps through short lists; press enter to change this."
    }
  }

  /// Whether a row compares with TRUE or FALSE.
  func isTruth(_ row: PredicateForm.Row) -> Bool {
    let (type, hint) = type(of: row)
    return type == .attribute(.boolean) || hint == .boolean
  }
}

extension Equatable {
  fileprivate func next(in all: [Self]) -> Self {
    let index = all.firstIndex(of: self).map { $0 + 1 } ?? 0
    return all[index % all.count]
  }
}

extension PredicateForm.Kind {
  fileprivate var next: Self { next(in: Self.allCases) }
}
