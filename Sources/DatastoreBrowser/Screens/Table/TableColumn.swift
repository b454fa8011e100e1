import DatastoreCore
import TerminalUI

/// A column of the table: an attribute, or a to-one relationship shown by its object's name.
struct TableColumn: Hashable, Sendable {
  /// The property's place in the entity.
  let slot: Int
  let name: String
  /// How values are shown; nil for relationships.
  let format: ValueFormat?
  /// The index of the entity that a to-one relationship leads to.
  let destination: Int?
  /// The attribute that names the objects of that entity.
  let destinationName: String?

  /// The columns of an entity: to-many relationships have none, since they cost a query a row.
  static func columns(of entity: Entity, in schema: Schema) -> [TableColumn] {
    entity.properties.enumerated().compactMap { slot, property in
      if let attribute = property.attribute {
        return TableColumn(
          slot: slot, name: attribute.name, format: ValueFormat(type: attribute.type),
          destination: nil, destinationName: nil)
      }
      guard let link = entity.links[slot], link.kind == .toOne else { return nil }
      let destination = schema.entities[link.destination]
      return TableColumn(
        slot: slot, name: property.name, format: nil, destination: link.destination,
        destinationName: DisplayName.slot(of: destination).map {
          destination.properties[$0].name
        })
    }
  }

  /// The path that sorting by this column uses: relationships sort by what they show.
  var sortPath: [String] { [name] + (destinationName.map { [$0] } ?? []) }

  /// The path that grouping by this column uses: objects of the same name stay apart.
  var groupPath: [String] { [name] }

  /// Whether its values stand at the right edge.
  var isTrailing: Bool { format?.isTrailing ?? false }

  /// What a value of this column shows.
  func cell(_ value: Value) -> CellContent {
    if let format { return format.cell(value) }
    switch value {
    case .null: return CellContent("", role: .null, kind: .null)
    case .integer(let key):
      return CellContent(
        DisplayName.placeholder(key: key), role: .dim, kind: .reference(key))
    default: return ValueFormat(type: .undefined).cell(value)
    }
  }
}

/// The values of one row, as the table shows them.
struct RowSnapshot: Hashable, Sendable {
  let key: Int64
  /// One for each column.
  let cells: [CellContent]
}
