import Basics
import DatastoreCore
import SwiftDatastore
import TerminalUI

/// A column of the table: an attribute, a to-one relationship shown by its object's name, a to-many
/// relationship shown by the number of its members, or a value that is computed from each object.
struct TableColumn: Hashable, Sendable {
  /// The slot of the property; nil for a computed column.
  let slot: Slot?
  let name: String
  /// The format of the values; nil for relationships.
  let format: ValueFormat?
  /// The index of the destination entity of a relationship.
  let destination: EntityIndex?
  /// Whether the column is a to-many relationship. `TableState.counts` has the content of its cells.
  var isToMany = false
  /// The first attribute in the names of the destination's objects.
  let destinationName: String?
  /// The other attributes in these names.
  var otherNames: [String] = []
  /// The computed value of a column that is not a property.
  var operand: Predicate.Operand?
  /// The expression as the user typed it.
  var expression: String?
  /// Whether the column has the name of the path that it shows: `company.name`, `payload.user.name`.
  var showsPath: Bool {
    guard name == expression else { return false }
    switch operand {
    case .keyPath, .function(.json, _): return true
    default: return false
    }
  }
  /// Whether the column only identifies rows; such columns come after the others.
  var isIdentifier = false

  /// The columns of an entity, one for each property.
  static func columns(of entity: Entity, in schema: Schema, _ labels: Labels) -> [TableColumn] {
    zip(entity.slots, entity.properties).map { slot, property in
      if let attribute = property.attribute {
        return TableColumn(
          slot: slot, name: attribute.name, format: ValueFormat(attribute),
          destination: nil, destinationName: nil, isIdentifier: attribute.isIdentifier(of: entity))
      }
      guard let link = entity.links[slot] else {
        trap("a property is an attribute or a relationship")
      }
      let destination = schema.entities[link.destination]
      let names = labels[link.destination].attributes.map { destination.properties[$0].name }
      return TableColumn(
        slot: slot, name: property.name, format: nil, destination: link.destination,
        isToMany: link.kind.isToMany, destinationName: names.first,
        otherNames: Array(names.dropFirst()))
    }
  }

  /// The column to count, aggregate and group by: for a to-many relationship the number of members in each
  /// row.
  var measured: TableColumn {
    guard isToMany else { return self }
    var column = TableColumn(
      slot: nil, name: "\(name).@count", format: ValueFormat(type: .integer64), destination: nil,
      destinationName: nil)
    column.operand = .count([name])
    return column
  }

  /// The value of the column; for a relationship, the key of the object.
  var value: Predicate.Operand { operand ?? .keyPath([name]) }

  /// The lines of the column in the details, unless its text is long.
  var detailLines: Int {
    isToMany ? 1 + Members.shown : format?.dates == nil ? 1 : 2
  }

  /// The path to the shown value; for a to-one relationship, to its object's name.
  var shownPath: [String] { groupPath + (destinationName.map { [$0] } ?? []) }

  /// The paths to the values that a search in this column compares.
  var searchedPaths: [[String]] {
    guard destination != nil else { return [groupPath] }
    return [shownPath] + otherNames.map { groupPath + [$0] }
  }

  /// The operand to sort rows by, which is the shown value.
  var sortOperand: Predicate.Operand {
    if isToMany { return .count([name]) }
    if let operand, destination == nil { return operand }
    return .keyPath(shownPath)
  }

  /// The path to group by: objects with the same name stay apart.
  var groupPath: [String] { value.path }

  /// Whether the values are days, written as text.
  var holdsDays: Bool { destination == nil && !isToMany && format?.holdsDays ?? false }

  /// The path of the numbers of the days, from that of 2001-01-01.
  var daysPath: [String] {
    Predicate.Operand.function(.days, [.value(.text("2001-01-01")), value]).path
  }

  /// Whether the values are dates at the end of a path, which can be grouped by date parts.
  var hasDateParts: Bool {
    if case .keyPath = value {
      format?.isDate ?? false || format?.type == .calendarDate
    } else {
      false
    }
  }

  /// Whether the values are right-aligned.
  var isTrailing: Bool { isToMany || format?.isTrailing ?? false }

  /// Whether the column shows texts that can be searched: neither counts of members nor bytes.
  var isSearchable: Bool { !isToMany && format?.type != .data }

  /// Whether the column shows texts of the object itself, which `SEARCH` covers.
  var hasWords: Bool { slot != nil && format?.type == .string }

  /// The cell for an object; empty if the object itself does not have the value.
  func cell(of object: DynamicObject) -> CellContent {
    guard let slot, !isToMany else { return CellContent("", role: .number, isTrailing: true) }
    return cell(object.shownValue(at: slot))
  }

  /// The cell for a value of this column.
  func cell(_ value: Value) -> CellContent {
    if let format { return format.cell(value) }
    switch value {
    case .null: return CellContent("", role: .null, kind: .null)
    case .integer(let number):
      let key = RowKey(number)
      return CellContent(
        DisplayName.placeholder(key: key), role: .dim, kind: .reference(key))
    default: return ValueFormat(type: .undefined).cell(value)
    }
  }
}

extension TableColumn {
  /// A computed column.
  init(
    _ derived: DerivedColumn, _ operand: Predicate.Operand, of entity: Entity, in schema: Schema,
    _ labels: Labels
  ) {
    var destination: Entity?
    if case .keyPath(let path) = operand,
      case .object(let reached)? = (try? PredicatePath(path, from: entity, in: schema))?.destination
    {
      destination = reached
    }
    self.init(
      slot: nil, name: derived.name,
      format: destination == nil
        ? ValueFormat(operand.attribute(named: derived.name, of: entity, in: schema)) : nil,
      destination: destination?.index,
      destinationName: destination.flatMap { entity in
        labels[entity.index].attributes.first.map { entity.properties[$0].name }
      })
    self.operand = operand
    expression = derived.expression
  }
}

/// The values of one row, as shown in the table.
struct RowSnapshot: Hashable, Sendable {
  let key: RowKey
  /// One cell for each column.
  let cells: [CellContent]
  /// The width of each cell, up to that of the widest column. Rows are measured when they are read, off the
  /// main thread, since every picture needs the widths.
  let widths: [Int]
  /// The width of each number from its decimal point on.
  let fractions: [Int]
  /// The row itself, if its key is a mere row number.
  let seen: SeenRow?

  init(key: RowKey, cells: [CellContent], seen: SeenRow? = nil) {
    self.key = key
    self.cells = cells
    self.seen = seen
    widths = cells.map { $0.text.displayWidth(upTo: TableState.widestColumn) }
    fractions = cells.map { $0.isTrailing && $0.role == .number ? NumberText.fraction($0.text) : 0 }
  }
}

extension RowSnapshot {
  /// Whether two snapshots show the same cells.
  static func == (left: RowSnapshot, right: RowSnapshot) -> Bool {
    left.key == right.key && left.cells == right.cells
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(cells)
  }
}
