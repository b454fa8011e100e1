import DatastoreCore
import TerminalUI

/// The filter as a form: a row of property, operator and values for each condition, in groups.
struct FilterForm: Sendable {
  struct Line: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      /// The heading of a group; the place of the outermost group is empty.
      case group(PredicateForm.Kind)
      case row(PredicateForm.Row)
      case other(Predicate)
      /// The last line, which applies the filter.
      case apply
    }

    var place: [Int]
    var kind: Kind
  }

  /// A field of a line that the cursor can be on.
  enum Field: Hashable, Sendable {
    case kind, quantifier, property, comparator
    case value(Int)
    /// After the values of `IN`: adds another one.
    case addValue
    case text, apply
  }

  let entity: Entity
  let schema: Schema
  var form: PredicateForm {
    didSet { lines = Self.lines(of: form) }
  }
  private(set) var lines: [Line]
  /// The line under the cursor.
  private(set) var cursor = 0
  /// The index of the field under the cursor, counted from the left.
  var column = 0
  /// The editor of the value being typed.
  var editor: ValueEditor?
  /// A notice about a fault, until the next key.
  var notice: String?

  init(_ predicate: Predicate?, entity: Entity, in schema: Schema) {
    self.entity = entity
    self.schema = schema
    form = PredicateForm(predicate)
    lines = Self.lines(of: form)
    // The cursor starts on the first condition, not on the heading above it.
    cursor = min(1, lines.count - 1)
  }

  var predicate: Predicate? { form.predicate }

  var currentLine: Line { lines[min(cursor, lines.count - 1)] }

  /// The fields of the current line, from the left.
  var fields: [Field] { fields(of: currentLine) }

  var currentField: Field {
    let fields = fields
    return fields[min(column, fields.count - 1)]
  }

  /// The row under the cursor.
  var currentRow: PredicateForm.Row? {
    if case .row(let row) = currentLine.kind { return row }
    return nil
  }

  private static func lines(of form: PredicateForm) -> [Line] {
    var lines = [Line(place: [], kind: .group(form.root.kind))]
    func visit(_ nodes: [PredicateForm.Node], at place: [Int]) {
      for (index, node) in nodes.enumerated() {
        let place = place + [index]
        switch node {
        case .row(let row): lines.append(Line(place: place, kind: .row(row)))
        case .other(let predicate): lines.append(Line(place: place, kind: .other(predicate)))
        case .group(let group):
          lines.append(Line(place: place, kind: .group(group.kind)))
          visit(group.nodes, at: place)
        }
      }
    }
    visit(form.root.nodes, at: [])
    return lines + [Line(place: [], kind: .apply)]
  }

  func fields(of line: Line) -> [Field] {
    switch line.kind {
    case .group: return [.kind]
    case .other: return [.text]
    case .apply: return [.apply]
    case .row(let row):
      let comparison = row.comparison
      let head: [Field] =
        (isThroughToMany(comparison.left) ? [.quantifier] : []) + [.property, .comparator]
      let values = row.values.indices.map(Field.value)
      return head + values + (comparison.comparator == .in ? [.addValue] : [])
    }
  }

  private func isThroughToMany(_ operand: Predicate.Operand) -> Bool {
    guard case .keyPath(let path) = operand else { return false }
    return (try? PredicatePath(path, from: entity, in: schema))?.isThroughToMany ?? false
  }

  mutating func moveCursor(by rows: Int) {
    guard finishEditing() else { return }
    let (sum, overflow) = cursor.addingReportingOverflow(rows)
    cursor = min(max(0, overflow ? (rows < 0 ? 0 : .max) : sum), lines.count - 1)
    column = min(column, fields.count - 1)
  }

  mutating func move(_ movement: Movement, height: Int) {
    moveCursor(by: movement.rows(height: height))
  }

  /// Moves to the next or previous field, across the ends of lines.
  mutating func moveField(by step: Int) {
    guard finishEditing() else { return }
    let next = column + step
    if fields.indices.contains(next) {
      column = next
    } else if step > 0, cursor < lines.count - 1 {
      (cursor, column) = (cursor + 1, 0)
    } else if step < 0, cursor > 0 {
      cursor -= 1
      column = fields.count - 1
    }
  }

  /// Moves the cursor to a place, and to one of its fields.
  mutating func go(to place: [Int], _ field: Field? = nil) {
    cursor =
      lines.firstIndex { $0.place == place && $0.kind != .apply } ?? min(cursor, lines.count - 1)
    let fields = fields
    column = field.flatMap(fields.firstIndex) ?? min(column, fields.count - 1)
  }

  mutating func go(toLine line: Int, field: Int) {
    cursor = min(max(0, line), lines.count - 1)
    column = min(max(0, field), fields.count - 1)
  }

  /// The operand type of a row's values, and the attribute type of its column in a third-party file.
  func type(of row: PredicateForm.Row) -> (OperandType, hint: AttributeType?) {
    let type = OperandType(row.comparison.left, from: entity, in: schema)
    // A part of a date's text need not be a date.
    if row.comparison.comparator.isTextual, type.dates?.isText == true {
      return (.attribute(.string), nil)
    }
    guard case .attribute(let attribute)? = compared(by: row) else { return (type, nil) }
    return (type, attribute.type)
  }

  /// The cases of the enum that a row compares with.
  func caseNames(of row: PredicateForm.Row) -> CaseNames {
    guard case .attribute(let attribute)? = compared(by: row) else { return CaseNames() }
    return CaseNames(attribute)
  }

  /// The entity of the objects that a row compares with, if it does.
  func destination(of row: PredicateForm.Row) -> Entity? {
    guard case .object(let entity)? = compared(by: row) else { return nil }
    return entity
  }

  /// What the path on the left of a row leads to; nil for something computed.
  private func compared(by row: PredicateForm.Row) -> PredicatePath.Destination? {
    row.comparison.left.valuePath.flatMap {
      (try? PredicatePath($0, from: entity, in: schema))?.destination
    }
  }

  /// The objects that the rows compare with.
  var references: [ObjectReference] {
    lines.flatMap { line -> [ObjectReference] in
      guard case .row(let row) = line.kind, let destination = destination(of: row) else {
        return []
      }
      return row.values.compactMap { value in
        guard let key = value.key else { return nil }
        return ObjectReference(entity: destination.index, key: key)
      }
    }
  }
}
