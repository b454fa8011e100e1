import DatastoreCore

/// A column that the user has defined by an expression.
struct DerivedColumn: Hashable, Sendable, Codable {
  var name: String
  /// In the predicate format language; it may name derived columns that were defined before it.
  var expression: String
}

/// The columns of an entity, with the derived ones last, and the expressions of the derived ones.
struct ColumnDefinitions: Sendable {
  private(set) var columns: [TableColumn]
  /// The schema with the names of derived columns, for conditions that people type: its entities resolve
  /// these names to other properties or to calculations.
  private(set) var naming: Schema
  /// Why some derived columns are left out, as sentences.
  private(set) var faults: [String] = []

  /// Resolves the derived columns. The file may have changed since they were defined, so those that cannot be
  /// parsed are left out.
  ///
  /// - Parameter labels: the labels of objects; nil for those of the schema.
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
  /// The schema with one more name for a value of an entity.
  fileprivate func naming(
    _ operand: Predicate.Operand, _ name: String, of entity: EntityIndex
  ) -> Schema {
    var descriptions = entities.map(\.description)
    descriptions[entity.rawValue].aliases[name] = operand.path
    // The validation of a schema does not cover such names.
    return (try? Schema(descriptions, version: version)) ?? self
  }
}
