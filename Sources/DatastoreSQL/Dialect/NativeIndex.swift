package import DatastoreCore

/// An index of a native table.
package struct NativeIndex: Sendable {
  package let name: String
  package let table: String
  package let columns: [String]
  /// Those of them that are sorted from the greatest on.
  package let descending: Set<String>
  package let isUnique: Bool
  /// ` WHERE …`, where it is about some of the rows only.
  package let condition: SQLFragment
  /// The entity whose properties it keeps unique, and those; nothing for others.
  package let entity: EntityIndex?
  package let properties: [String]

  package var statement: SQLFragment {
    let list = columns.map { column -> SQLFragment in
      descending.contains(column) ? "\(name: column) DESC" : "\(name: column)"
    }.joined(by: ", ")
    let unique: SQLFragment = isUnique ? "UNIQUE " : ""
    return
      "CREATE \(unique)INDEX IF NOT EXISTS \(name: name) ON \(name: table) (\(list))\(condition)"
  }

  /// Whether both keep the same of the same rows.
  package func isAbout(_ other: NativeIndex) -> Bool {
    table == other.table && columns == other.columns && isUnique == other.isUnique
      && condition == other.condition
  }
}
