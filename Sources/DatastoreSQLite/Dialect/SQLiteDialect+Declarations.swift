package import DatastoreCore
package import DatastoreSQL

/// The tables of native files.
extension SQLiteDialect {
  package var reservedPrefix: String { "sqlite_" }

  package func column(_ name: String, for attribute: AttributeDescription) -> Column {
    let affinity = attribute.type.affinity
    return Column(
      name: name, affinity: affinity, isStrict: affinity != .blob,
      isNullable: attribute.isOptional)
  }

  package func referenceColumn(_ name: String) -> Column {
    Column(name: name, affinity: .integer)
  }

  /// No type for `undefined`, and for decimals, whose text any other declaration would convert to a real with
  /// fewer digits.
  package func declaration(of type: AttributeType) -> SQLFragment {
    switch type.storedType {
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64, .boolean:
      " INTEGER"
    case .float, .double, .moment: " REAL"
    case .text: " TEXT"
    case .uuid, .bytes: " BLOB"
    case .decimal, .any: ""
    }
  }

  /// Moments, UUIDs and URLs are text, and so are dates, in the form of SQLite's own functions.
  package func plainDeclaration(of type: AttributeType) -> SQLFragment {
    switch type {
    case .boolean: " BOOLEAN"
    case .float, .double: " REAL"
    case .data, .coded: " BLOB"
    case .calendarDate: " DATE"
    case .string, .url, .date, .uuid, .decimal, .undefined: " TEXT"
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64:
      " INTEGER"
    }
  }

  package var plainCounter: SQLFragment { " AUTOINCREMENT" }

  package var distinguishesCapitals: Bool { false }

  package var keyType: SQLFragment { " INTEGER" }

  package var entityNameType: SQLFragment { " TEXT" }

  /// The rowid: <https://www.sqlite.org/lang_createtable.html#rowid>.
  package var keyDeclaration: SQLFragment { " INTEGER PRIMARY KEY" }

  package var pairTableOptions: SQLFragment { " WITHOUT ROWID" }

  package var mostBytesOfNames: Int? { nil }

  package var referencesFollow: Bool { false }

  package var referenceTiming: SQLFragment { " DEFERRABLE INITIALLY DEFERRED" }

  package func defaultLiteral(_ value: Value, for type: AttributeType) -> SQLFragment? {
    DeclaredValue(value)?.literal
  }

  package func condition(
    _ rule: ValidationRule, on column: SQLFragment, of type: AttributeType
  ) -> SQLFragment? {
    rule.condition(on: column)
  }

  package func statement(for index: NativeIndex, key: String?) -> SQLFragment { index.statement }
}

extension AttributeType {
  /// The affinity of the column for this type.
  var affinity: Affinity {
    switch storedType {
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64, .boolean:
      .integer
    case .float, .double, .moment: .real
    case .text: .text
    case .decimal, .uuid, .bytes, .any: .blob
    }
  }
}

extension SchemaMapping {
  /// The tables of a native file: with plain names, so that any SQLite tool can read it.
  package static func native(_ schema: Schema) -> SchemaMapping {
    native(schema, dialect: SQLiteDialect())
  }
}
