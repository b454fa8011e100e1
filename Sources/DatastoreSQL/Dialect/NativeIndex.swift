package import DatastoreCore

/// An index of a native table.
package struct NativeIndex: Sendable {
  package let name: String
  package let table: String
  package let columns: [String]
  /// The columns that are sorted in descending order.
  package let descending: Set<String>
  package let isUnique: Bool
  /// ` WHERE …`, for an index of only some rows.
  package let condition: SQLFragment
  /// The entity and the properties that it keeps unique; nil and empty for other indexes.
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

  /// Whether both index the same columns of the same rows.
  package func isAbout(_ other: NativeIndex) -> Bool {
    table == other.table && columns == other.columns && isUnique == other.isUnique
      && condition == other.condition
  }
}
