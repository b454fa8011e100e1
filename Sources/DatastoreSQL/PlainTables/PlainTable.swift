import Basics
package import DatastoreCore

/// A table that any program may have made: without any native or engine-specific features.
package struct PlainTable: Sendable, Hashable {
  package struct Column: Sendable, Hashable {
    package let name: String
    package var type: AttributeType
    package var isOptional: Bool
    /// The default in new rows; NULL if there is none, or it has to be computed.
    package var fallback = Value.null
    /// The declared default; nil if there is none.
    package var declaredFallback: String?

    package init(_ name: String, _ type: AttributeType, isOptional: Bool) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
    }
  }

  package let name: String
  package var columns: [Column]
  package var primaryKey: [String] = []
  /// Further unique sets.
  package var unique: [[String]] = []
  package var indexes: [[String]] = []
  package var foreignKeys: [DescribedReference] = []
  /// Whether the key counts up when an insert omits it, and numbers are never used again.
  package var countsKeys = false
  /// The greatest number that was a key; 0 if there was none.
  package var lastKey: Int64 = 0

  /// A table with columns only, of which the first unique one is the key: preferably a whole number.
  package init(_ description: EntityDescription) {
    let attributes = description.properties.compactMap(\.attribute)
    name = description.name
    columns = attributes.map { Column($0.name, $0.type, isOptional: $0.isOptional) }
    let unique = attributes.filter(\.isUnique)
    let key = unique.first { $0.type.isInteger } ?? unique.first { !$0.isOptional }
    primaryKey = key.map { [$0.name] } ?? []
    self.unique = unique.map { [$0.name] }.filter { !$0.isExactly(primaryKey) }
  }

  /// A third-party table as declared.
  package init<Table: DescribedTable>(_ table: Table) {
    name = table.name
    columns = table.columns.map { column in
      var plain = Column(
        column.name, table.attributeType(of: column), isOptional: !column.isNotNull)
      if !column.isGenerated {
        plain.fallback = table.fallback(of: column)
        plain.declaredFallback = column.declaredDefault
      }
      return plain
    }
    primaryKey = table.primaryKey
    for index in table.indexes
    where !index.isPrimaryKey && !index.columns.isExactly(primaryKey)
      && !(unique + indexes).contains(where: { $0.isExactly(index.columns) })
    {
      if index.isUnique { unique.append(index.columns) } else { indexes.append(index.columns) }
    }
    foreignKeys = table.foreignKeys
  }

  /// The column that alone is the key, and a whole number.
  package var integerKey: String? {
    primaryKey.count == 1 && column(primaryKey[0])?.type.isInteger == true ? primaryKey[0] : nil
  }

  package func column(_ name: String) -> Column? { columns.first { $0.name.isExactly(name) } }

  /// Whether a foreign key can refer to these columns.
  func isUnique(_ names: [String]) -> Bool {
    let keys = Set(names.map(\.exactKey))
    return !keys.isEmpty && ([primaryKey] + unique).contains { Set($0.map(\.exactKey)) == keys }
  }
}

/// The reasons why tables cannot be copied, as sentences for the user.
package struct PlainTableFault: Error, CustomStringConvertible {
  package let description: String
  /// Whether something already exists at the place of the copy.
  package let isOfPlace: Bool

  package init(_ description: String, isOfPlace: Bool = false) {
    self.description = description
    self.isOfPlace = isOfPlace
  }
}
