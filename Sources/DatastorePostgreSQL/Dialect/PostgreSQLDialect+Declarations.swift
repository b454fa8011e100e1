#if PostgreSQL
package import DatastoreCore
package import DatastoreSQL

/// The tables of our own stores.
extension PostgreSQLDialect {
  package var reservedPrefix: String { "pg_" }

  /// What PostgreSQL cuts off, two names may have as their only difference.
  package var mostBytesOfNames: Int? { 63 }

  package func column(_ name: String, for attribute: AttributeDescription) -> Column {
    Column(
      name: name, affinity: attribute.type.kindOfColumn.affinity,
      isStrict: true, isNullable: attribute.isOptional,
      type: SQLType(attribute.type.kindOfColumn, mayBeNull: attribute.isOptional))
  }

  package func referenceColumn(_ name: String) -> Column {
    Column(name: name, affinity: .integer, isStrict: true, type: SQLType(.integer))
  }

  package func declaration(of type: AttributeType) -> SQLFragment {
    switch type {
    case .integer8, .integer16, .unsigned8: " smallint"
    case .integer32, .unsigned16: " integer"
    case .integer64, .unsigned32, .unsigned64: " bigint"
    case .boolean: " boolean"
    case .float: " real"
    case .double: " double precision"
    case .decimal: " numeric"
    case .string, .url, .calendarDate: " text COLLATE \"C\""
    case .date: " timestamptz"
    case .uuid: " uuid"
    case .data, .coded: " bytea"
    case .undefined:
      SQLFragment(
        refusal: """
          A column of PostgreSQL's holds values of one type, so a model with an attribute of no type \
          cannot be stored there.
          """)
    }
  }

  package var keyType: SQLFragment { " bigint" }

  package var entityNameType: SQLFragment { " text COLLATE \"C\"" }

  package var keyDeclaration: SQLFragment { " bigint PRIMARY KEY" }

  package func distributingProperty(of entity: Entity) -> String? {
    distribution.property(of: entity)
  }

  package var spreadsTables: Bool { capabilities.contains(.distributedTables) }

  package var pairTableOptions: SQLFragment { "" }

  package var referencesFollow: Bool { true }

  package var referenceTiming: SQLFragment {
    capabilities.contains(.deferrableReferences) ? " DEFERRABLE INITIALLY DEFERRED" : ""
  }

  /// Values that are written otherwise than in SQLite have none; our own inserts say every value.
  package func defaultLiteral(_ value: Value, for type: AttributeType) -> SQLFragment? {
    switch (type.kindOfColumn, value) {
    case (.boolean, .integer(let integer)): constant(integer != 0)
    case (.integer, .integer), (.real, .integer), (.real, .real), (.decimal, .integer),
      (.decimal, .real), (.text, .text):
      DeclaredValue(value)?.literal
    default: nil
    }
  }

  package func condition(
    _ rule: ValidationRule, on column: SQLFragment, of type: AttributeType
  ) -> SQLFragment? {
    switch (type.kindOfColumn, rule) {
    case (.integer, .range), (.real, .range), (.decimal, .range), (.text, .length):
      rule.condition(on: column)
    default: nil
    }
  }

  /// Uniqueness is looked at when a transaction ends, so that two rows can swap what they have; at once where the
  /// server cannot wait.
  package func statement(for index: NativeIndex, key: String?) -> SQLFragment {
    let names = index.columns.map { "\(name: $0)" as SQLFragment }
    guard index.isUnique else {
      // In the order of our lists, where NULL comes first and keys decide between equals.
      let terms = index.columns.map { column -> SQLFragment in
        index.descending.contains(column)
          ? "\(name: column) DESC NULLS LAST" : "\(name: column) NULLS FIRST"
      }
      let last = key.map { ["\(name: $0)" as SQLFragment] } ?? []
      return """
        CREATE INDEX IF NOT EXISTS \(name: index.name) ON \(name: index.table) \
        (\((terms + last).joined(by: ", ")))\(index.condition)
        """
    }
    let columns = names.joined(by: ", ")
    guard capabilities.contains(.deferrableUnique) else {
      return """
        CREATE UNIQUE INDEX \(name: index.name) ON \(name: index.table) (\(columns))\(index.condition)
        """
    }
    guard index.condition.isEmpty else {
      let equal = names.map { "\($0) WITH =" as SQLFragment }.joined(by: ", ")
      return """
        ALTER TABLE \(name: index.table) ADD CONSTRAINT \(name: index.name) \
        EXCLUDE USING btree (\(equal))\(excluded(index.condition)) DEFERRABLE INITIALLY DEFERRED
        """
    }
    return """
      ALTER TABLE \(name: index.table) ADD CONSTRAINT \(name: index.name) \
      UNIQUE (\(columns)) DEFERRABLE INITIALLY DEFERRED
      """
  }

  /// The condition of a constraint stands in brackets.
  private func excluded(_ condition: SQLFragment) -> SQLFragment {
    " WHERE (\(condition.droppingPrefix(" WHERE ")))"
  }
}

extension AttributeType {
  /// What a native column holds that stores this type.
  var kindOfColumn: SQLType.Kind {
    switch self {
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64:
      .integer
    case .boolean: .boolean
    case .float, .double: .real
    case .decimal: .decimal
    case .string, .url, .calendarDate: .text
    case .date: .instant
    case .uuid: .uuid
    case .data, .coded: .bytes
    case .undefined: .other
    }
  }
}

extension SQLType.Kind {
  /// The nearest of SQLite's, for what both engines read of a mapping.
  var affinity: Affinity {
    switch self {
    case .integer, .boolean: .integer
    case .real, .instant, .localTime: .real
    case .decimal: .numeric
    case .text, .other, .day: .text
    case .bytes, .uuid, .key: .blob
    }
  }
}
#endif
