import Basics
import DatastoreCore
import SwiftDatastore
import TerminalUI

/// A column of the table: an attribute, a to-one relationship shown by its object's name, a to-many
/// relationship shown by the number of its members, or a value that is computed of each object.
struct TableColumn: Hashable, Sendable {
  /// The property's place in the entity; nil where the column is computed.
  let slot: Slot?
  let name: String
  /// How values are shown; nil for relationships.
  let format: ValueFormat?
  /// The index of the entity that a relationship leads to.
  let destination: EntityIndex?
  /// Whether it is a to-many relationship. What its cells show is in `TableState.counts`.
  var isToMany = false
  /// The first attribute that names the objects of that entity.
  let destinationName: String?
  /// The other ones.
  var otherNames: [String] = []
  /// What is computed of each object, for a column that is not a property.
  var operand: Predicate.Operand?
  /// The same as it was typed.
  var expression: String?
  /// Whether it is called like the path that it shows: `company.name`, `payload.user.name`.
  var showsPath: Bool {
    guard name == expression else { return false }
    switch operand {
    case .keyPath, .function(.json, _): return true
    default: return false
    }
  }
  /// Whether it only identifies rows; such columns are behind the others.
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

  /// A column that is computed.
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

  private init(
    slot: Slot?, name: String, format: ValueFormat?, destination: EntityIndex?,
    isToMany: Bool = false, destinationName: String?, otherNames: [String] = [],
    isIdentifier: Bool = false
  ) {
    self.slot = slot
    self.name = name
    self.format = format
    self.destination = destination
    self.isToMany = isToMany
    self.destinationName = destinationName
    self.otherNames = otherNames
    self.isIdentifier = isIdentifier
  }

  /// What is counted, added up and grouped of it: of a relationship to many the number of objects of each
  /// row.
  var measured: TableColumn {
    guard isToMany else { return self }
    var column = TableColumn(
      slot: nil, name: "\(name).@count", format: ValueFormat(type: .integer64), destination: nil,
      destinationName: nil)
    column.operand = .count([name])
    return column
  }

  /// The value of the column: an object's key, where it is a relationship.
  var value: Predicate.Operand { operand ?? .keyPath([name]) }

  /// The lines that the details have for it, unless its text is long.
  var detailLines: Int {
    isToMany ? 1 + Members.shown : format?.dates == nil ? 1 : 2
  }

  /// The path to the value that this column shows: of a to-one relationship, its object's name.
  var shownPath: [String] { groupPath + (destinationName.map { [$0] } ?? []) }

  /// The paths to the values that are searched for what this column shows.
  var searchedPaths: [[String]] {
    guard destination != nil else { return [groupPath] }
    return [shownPath] + otherNames.map { groupPath + [$0] }
  }

  /// What rows are sorted by on this column: what it shows.
  var sortOperand: Predicate.Operand {
    if isToMany { return .count([name]) }
    if let operand, destination == nil { return operand }
    return .keyPath(shownPath)
  }

  /// The path that grouping by this column uses: objects of the same name stay apart.
  var groupPath: [String] { value.path }

  /// Whether its values are dates at the end of a path, which are put together by their parts.
  var hasDateParts: Bool {
    if case .keyPath = value {
      format?.isDate ?? false || format?.type == .calendarDate
    } else {
      false
    }
  }

  /// Whether its values are right-aligned.
  var isTrailing: Bool { isToMany || format?.isTrailing ?? false }

  /// Whether it shows texts that can be searched: no numbers of members, and no bytes.
  var isSearchable: Bool { !isToMany && format?.type != .data }

  /// Whether it shows texts of the object itself, which `SEARCH` goes through.
  var hasWords: Bool { slot != nil && format?.type == .string }

  /// What an object shows in this column; nothing where that is not in the object itself.
  func cell(of object: DynamicObject) -> CellContent {
    guard let slot, !isToMany else { return CellContent("", role: .number, isTrailing: true) }
    return cell(object.shownValue(at: slot))
  }

  /// What a value of this column shows.
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

/// The values of one row, as the table shows them.
struct RowSnapshot: Hashable, Sendable {
  let key: RowKey
  /// One for each column.
  let cells: [CellContent]
  /// The columns of the screen that each cell takes, up to the width of the widest column. Measured where
  /// rows are read, off the main thread, since every picture asks for them.
  let widths: [Int]
  /// The columns of the screen that each number takes from its decimal point on.
  let fractions: [Int]
  /// The row itself, where its key is a mere row number.
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
  /// Whether they show the same.
  static func == (left: RowSnapshot, right: RowSnapshot) -> Bool {
    left.key == right.key && left.cells == right.cells
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(cells)
  }
}
