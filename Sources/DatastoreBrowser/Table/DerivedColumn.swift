import DatastoreCore

/// A column that is computed of each object, as its user has defined it.
struct DerivedColumn: Hashable, Sendable, Codable {
  var name: String
  /// In the predicate format language; it may name derived columns that were defined before.
  var expression: String
}

/// The columns of an entity, derived ones last, and the expressions behind their names.
struct ColumnDefinitions: Sendable {
  private(set) var columns: [TableColumn]
  /// The schema with the names of derived columns, for conditions that people type: its entities read them as
  /// other names of properties or of calculations.
  private(set) var naming: Schema
  /// Why derived columns are left out, as sentences.
  private(set) var faults: [String] = []

  /// The file may have changed since the columns were defined: one that cannot be read is left out.
  ///
  /// - Parameter labels: what objects are called; nil for what the schema itself shows.
  init(_ entity: Entity, in schema: Schema, derived: [DerivedColumn], _ labels: Labels? = nil) {
    let labels = labels ?? Labels(schema)
    columns = TableColumn.columns(of: entity, in: schema, labels)
    naming = schema
    for column in derived {
      do {
        let operand = try Predicate.Operand.parse(
          column.expression, entity: naming.entities[entity.index], in: naming)
        guard !columns.contains(where: { $0.name == column.name }) else {
          faults.append("There is a column “\(column.name)” now, so the computed one is left out.")
          continue
        }
        columns.append(TableColumn(column, operand, of: entity, in: schema, labels))
        naming = naming.naming(operand, column.name, of: entity.index)
      } catch {
        faults.append("The column \(column.name) is left out: \(error.message)")
      }
    }
  }
}

extension Schema {
  /// The same schema in which an entity has one more name for a value.
  fileprivate func naming(
    _ operand: Predicate.Operand, _ name: String, of entity: EntityIndex
  ) -> Schema {
    var descriptions = entities.map(\.description)
    descriptions[entity.rawValue].aliases[name] = operand.path
    // Names of values are no part of what is checked.
    return (try? Schema(descriptions, version: version)) ?? self
  }
}
