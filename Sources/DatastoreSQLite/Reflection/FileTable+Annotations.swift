import Basics
import DatastoreCore
import DatastoreSQL

extension [FileTable] {
  /// The columns that annotations make refer to the rows of an existing table, by table; all in lower case.
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

  /// The tables with accepted relationships and annotated types, as if they were declared.
  func adding(_ annotations: SchemaAnnotations) -> [FileTable] {
    map { table in
      var table = table.adding(annotations)
      for place in table.columns.indices {
        guard let type = annotations.type(of: table.columns[place].name, in: table.name) else {
          continue
        }
        table.columns[place].saidType = type
      }
      return table
    }
  }
}
