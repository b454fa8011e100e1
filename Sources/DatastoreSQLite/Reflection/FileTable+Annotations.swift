import Basics
import DatastoreCore
import DatastoreSQL

extension [FileTable] {
  /// The columns that someone has said to refer to the rows of a table which is there, by table; all in lower case.
  func references(accordingTo annotations: SchemaAnnotations) -> [String: Set<String>] {
    var references: [String: Set<String>] = [:]
    for table in self {
      for column in table.columns {
        guard
          let (reference, decision) = annotations.relationship(of: column.name, in: table.name),
          decision == .accepted,
          let target = first(where: { $0.name.isExactly(reference.table) }),
          target.isUnique([reference.column])
        else { continue }
        references[table.name.caselessKey, default: []].insert(column.name.caselessKey)
      }
    }
    return references
  }

  /// The same tables with the relationships that someone has accepted and the types that someone has said, as if
  /// they were declared. SQLite knows nothing of them, so a row that others refer to is not deleted.
  func adding(_ annotations: SchemaAnnotations) -> [FileTable] {
    map { table in
      var table = table
      for place in table.columns.indices {
        guard let type = annotations.type(of: table.columns[place].name, in: table.name) else {
          continue
        }
        table.columns[place].saidType = type
      }
      for column in table.columns {
        guard
          let (reference, decision) = annotations.relationship(of: column.name, in: table.name),
          decision == .accepted
        else { continue }
        let isDeclared = table.foreignKeys.contains { $0.columns.isExactly([column.name]) }
        if isDeclared { continue }
        table.foreignKeys.append(
          DescribedReference(
            table: reference.table, columns: [column.name], referenced: [reference.column],
            onDelete: "NO ACTION"))
      }
      return table
    }
  }
}
