#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Values that only the program can compute, in temporary tables beside the old ones: those of conversions
/// that the server does differently, and those of closures of the model.
///
/// A table has the keys of the objects of an old entity that become objects of a new one, and a column for
/// each value. Rows are read and written some thousand at a time.
struct MadeValues {
  enum Kind: String {
    /// The old value as one of the new type; NULL if it does not fit.
    case converted
    /// The value for an object that has none.
    case initial
  }

  private let values: MigratedValues
  private let source: Entity
  private let destination: Entity
  private let columns: [MadeColumn]

  /// Rows of one statement.
  private static let portion = 10_000

  /// - Returns: nil if the server does everything.
  init?(_ values: MigratedValues, _ source: Entity, _ destination: Entity) {
    self.values = values
    self.source = source
    self.destination = destination
    columns = destination.slots.flatMap { MadeColumn.columns(values, source, destination, $0) }
    if columns.isEmpty { return nil }
  }

  /// The value of an attribute for a row.
  static func value(_ kind: Kind, for place: MigratedPlace) -> SQLFragment {
    guard let source = place.source else { return "NULL" }
    return """
      (SELECT m.\(name: column(kind, place.slot)) \
      FROM \(name: "pg_temp").\(name: table(source, place.entity)) AS m WHERE m.k = \(place.key))
      """
  }

  private static func table(_ source: EntityIndex, _ destination: EntityIndex) -> String {
    "_made_\(source.rawValue)_\(destination.rawValue)"
  }

  static func column(_ kind: Kind, _ slot: Slot) -> String { "\(kind.rawValue)_\(slot.rawValue)" }

  /// The name of the table, which is unique in a migration.
  var tableName: String { Self.table(source.index, destination.index) }

  /// Creates the table.
  ///
  /// - Throws: `PostgreSQLFailure`; `CancellationError`.
  func make(in schema: MigratedSchema) throws {
    let table: SQLFragment = "\(name: "pg_temp").\(name: tableName)"
    let definitions = columns.map { column -> SQLFragment in
      "\(name: column.name)\(column.declaration)"
    }
    try schema.run("CREATE TABLE \(table) (k bigint, \(definitions.joined(by: ", ")))")
    let mapped = values.mapping.entities[source.index]
    let key: SQLFragment = "s.\(name: mapped.keyColumn)"
    var ofEntity: SQLFragment = ""
    if let family = mapped.family {
      ofEntity = " AND s.\(name: family.discriminator) = \(literal: source.name)"
    }
    let old = columns.map { column -> SQLFragment in
      if let former = column.former { return "s.\(name: former)" }
      return "NULL"
    }
    let selected = ([key] + old).joined(by: ", ")
    var last = Int64.min
    while true {
      let rows = try schema.rows(
        """
        SELECT \(selected) FROM \(name: mapped.table) AS s WHERE \(key) > \(.integer(last))\(ofEntity) \
        ORDER BY \(key) LIMIT \(number: Self.portion)
        """)
      try insert(rows, into: table, schema)
      guard rows.count == Self.portion, case .integer(let key)? = rows.last?[0] else { break }
      last = key
    }
    try schema.run("ALTER TABLE \(table) ADD PRIMARY KEY (k)")
    try schema.run("ANALYZE \(table)")
  }

  private func insert(
    _ rows: [[Value]], into table: SQLFragment, _ schema: MigratedSchema
  ) throws {
    if rows.isEmpty { return }
    var keys = PostgreSQLArray(of: .int8, capacity: rows.count)
    var arrays = columns.map { PostgreSQLArray(of: $0.type, capacity: rows.count) }
    for row in rows {
      guard case .integer(let key) = row[0] else { continue }
      keys.append(key)
      for (index, column) in columns.enumerated() {
        arrays[index].append(column.make(row[index + 1]))
      }
    }
    let parameters = (1...columns.count + 1).map { number -> SQLFragment in
      "\(parameter: number)"
    }
    try schema.run(
      "INSERT INTO \(table) SELECT * FROM unnest(\(parameters.joined(by: ", ")))",
      [keys.parameter] + arrays.map(\.parameter))
  }
}

/// A column of values that the program computes.
private struct MadeColumn {
  let name: String
  let declaration: SQLFragment
  let type: PostgreSQLType
  /// The column that holds the old value; nil if there is none.
  let former: String?
  /// Computes the new value from the old one.
  let make: (Value) -> Value

  /// The columns that an attribute needs: none, a converted value, one that the model computes, or both.
  static func columns(
    _ values: MigratedValues, _ source: Entity, _ destination: Entity, _ slot: Slot
  ) -> [MadeColumn] {
    guard let attribute = destination.properties[slot].attribute else { return [] }
    let declaration = PostgreSQLDialect().declaration(of: attribute.type)
    let type = PostgreSQLType(storing: attribute.type)
    var former: String?
    var conversion: AttributeConversion?
    if let formerSlot = values.difference.formerSlots[destination.index][slot],
      case .attribute(let column) = values.mapping.entities[source.index].slots[formerSlot],
      let old = source.properties[formerSlot].attribute
    {
      former = column.name
      conversion = AttributeConversion(from: old.type, to: attribute.type)
    }
    var columns: [MadeColumn] = []
    if let conversion, conversion.isMadeByProgram {
      columns.append(
        MadeColumn(
          name: MadeValues.column(.converted, slot), declaration: declaration, type: type,
          former: former, make: { conversion.convert($0) ?? .null }))
    }
    let initial =
      values.request.initialValues.indices.contains(destination.index)
      ? values.request.initialValues[destination.index].first { $0.0 == slot }?.1 : nil
    if let initial, attribute.defaultValue.isNull {
      columns.append(
        MadeColumn(
          name: MadeValues.column(.initial, slot), declaration: declaration, type: type,
          former: former,
          make: { value in
            // A value that fits is kept.
            if let conversion, !(conversion.convert(value) ?? .null).isNull { return .null }
            return initial()
          }))
    }
    return columns
  }
}

extension PostgreSQLArray {
  /// A value of the array's type; NULL for a value that the server cannot hold.
  fileprivate mutating func append(_ value: Value) {
    switch (value, element) {
    case (.integer(let integer), .bool): append(integer != 0)
    case (.integer(let integer), .int2):
      if let integer = Int16(exactly: integer) { append(integer) } else { appendNull() }
    case (.integer(let integer), .int4):
      if let integer = Int32(exactly: integer) { append(integer) } else { appendNull() }
    case (.integer(let integer), .int8): append(integer)
    case (.integer(let integer), .float4): append(Float(integer))
    case (.integer(let integer), .float8): append(Double(integer))
    case (.real(let real), .float4): append(Float(real))
    case (.real(let real), .float8): append(real)
    case (.real(let seconds), .timestamptz):
      if let moment = ServerTime(secondsSince2001: seconds) {
        append(moment.microseconds)
      } else {
        appendNull()
      }
    case (.text(let text), .text) where !text.utf8.contains(0): append(utf8: text.utf8)
    case (.blob(let data), .bytea): append(utf8: data)
    case (.blob(let data), .uuid) where data.count == 16: append(utf8: data)
    case (_, .numeric):
      if let decimal = ServerDecimal(value) { append(utf8: decimal.bytes) } else { appendNull() }
    default: appendNull()
    }
  }
}
#endif
