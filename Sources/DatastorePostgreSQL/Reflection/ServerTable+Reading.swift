#if PostgreSQL
import Basics
import DatastoreCore
package import DatastoreSQL

extension ServerTable {
  /// Every table and view of a database that belongs to no extension, schema by schema, in the order of their
  /// creation.
  ///
  /// - Parameter asksWrappers: whether to find out which foreign tables can be written. Outside transactions
  ///   only, since one without a wrapper ends a transaction.
  /// - Throws: `PostgreSQLFailure`.
  package static func all(
    on connection: PostgreSQLConnection, asksWrappers: Bool = true
  ) throws -> [ServerTable] {
    let results: [PostgreSQLResult]
    do {
      results = try connection.run(ServerCatalog.statements(asksWrappers: asksWrappers))
    } catch let failure as PostgreSQLFailure
      where asksWrappers && failure.statement == 0 && !failure.isOfConnection
      && failure.code != "57014"
    {
      // One foreign table whose wrapper has no code must not hide all others.
      results = try connection.run(ServerCatalog.statements(asksWrappers: false))
    }
    var tables = relations(results[0])
    let places = Dictionary(
      uniqueKeysWithValues: tables.enumerated().map { ($1.number, $0) })
    let labels = labels(results[2])
    let columns = results[1]
    for row in 0..<columns.rowCount {
      guard let place = places[columns.integer(row, 0) ?? 0] else { continue }
      tables[place].columns.append(Column(columns, row, labels))
    }
    for row in 0..<results[3].rowCount {
      guard let place = places[results[3].integer(row, 0) ?? 0] else { continue }
      add(results[3], row, to: place, in: &tables, places)
    }
    for row in 0..<results[4].rowCount {
      let result = results[4]
      guard let place = places[result.integer(row, 0) ?? 0],
        let columns = tables[place].columns(numbered: numbers(result, row, 3))
      else { continue }
      if result.bool(row, 1), let name = result.text(row, 4) {
        tables[place].constraints[name] = columns.map(\.name)
      }
      tables[place].indexes.append(
        DescribedIndex(
          columns: columns.map(\.name), isUnique: result.bool(row, 1),
          isPrimaryKey: result.bool(row, 2)))
    }
    // Writing the tables of a native store behind its back takes its keys and notifies no one.
    let ours = Set(tables.filter { $0.storedName == "_datastore" }.map(\.schema))
    for place in tables.indices where ours.contains(tables[place].schema) {
      tables[place].isUpdatable = false
    }
    return tables
  }

  private static func relations(_ result: PostgreSQLResult) -> [ServerTable] {
    var tables: [ServerTable] = []
    for row in 0..<result.rowCount {
      let name = result.text(row, 2) ?? ""
      let rows = result.real(row, 4) ?? -1
      let mayUpdate = (result.integer(row, 5) ?? 0) & 4 != 0
      tables.append(
        ServerTable(
          number: result.integer(row, 0) ?? 0, schema: result.text(row, 1) ?? "",
          storedName: name, name: name,
          relation: Relation(rawValue: result.text(row, 3) ?? "") ?? .table,
          estimatedRowCount: rows < 0 ? nil : Int(rows),
          isReadable: result.bool(row, 6), isUpdatable: mayUpdate && result.bool(row, 7),
          hasTriggers: result.bool(row, 9), isDistributed: result.bool(row, 10),
          definition: result.text(row, 8)))
    }
    // If several schemas have a table of one name, each entity's name includes its schema.
    let names = Dictionary(grouping: tables.indices) { tables[$0].storedName.lowercased() }
    for places in names.values where places.count > 1 {
      for place in places where tables[place].schema != "public" {
        tables[place].name = "\(tables[place].schema).\(tables[place].storedName)"
      }
    }
    return tables
  }

  private static func labels(_ result: PostgreSQLResult) -> [Int64: [String]] {
    var labels: [Int64: [String]] = [:]
    for row in 0..<result.rowCount {
      labels[result.integer(row, 0) ?? 0] = result.texts(row, 1)?.compactMap(\.self)
    }
    return labels
  }

  private static func numbers(_ result: PostgreSQLResult, _ row: Int, _ column: Int) -> [Int64] {
    result.integers(row, column)?.compactMap(\.self) ?? []
  }

  private static func add(
    _ result: PostgreSQLResult, _ row: Int, to place: Int, in tables: inout [ServerTable],
    _ places: [Int64: Int]
  ) {
    let columns = tables[place].columns(numbered: numbers(result, row, 2))?.map(\.name)
    if let columns, let name = result.text(row, 7) { tables[place].constraints[name] = columns }
    switch result.text(row, 1) {
    case "p": tables[place].primaryKey = columns ?? []
    case "f":
      guard let columns, let target = places[result.integer(row, 3) ?? 0],
        let referenced = tables[target].columns(numbered: numbers(result, row, 4))
      else { return }
      tables[place].foreignKeys.append(
        DescribedReference(
          table: tables[target].name, columns: columns, referenced: referenced.map(\.name),
          onDelete: action(result.text(row, 5)), onUpdate: action(result.text(row, 8)),
          isDeferred: result.bool(row, 9)))
    case "c":
      guard let definition = result.text(row, 6), definition.hasPrefix("CHECK ") else { return }
      tables[place].checks.append(String(definition.dropFirst("CHECK ".count)))
    default: return
    }
  }

  private static func action(_ code: String?) -> String {
    switch code {
    case "c": "CASCADE"
    case "n": "SET NULL"
    case "d": "SET DEFAULT"
    case "r": "RESTRICT"
    default: "NO ACTION"
    }
  }
}

extension ServerTable.Column {
  fileprivate init(_ result: PostgreSQLResult, _ row: Int, _ labels: [Int64: [String]]) {
    let type = result.integer(row, 5) ?? 0
    self.init(
      number: result.integer(row, 1) ?? 0, name: result.text(row, 2) ?? "",
      declaredType: result.text(row, 3) ?? "", typeName: result.text(row, 4) ?? "text",
      type: PostgreSQLType(rawValue: UInt32(truncatingIfNeeded: type)),
      isNotNull: result.bool(row, 6),
      identity: result.text(row, 7).map { Quoting.substituting("\0", with: "", in: $0) } ?? "",
      isGenerated: result.bool(row, 8), defaultText: result.text(row, 9), labels: labels[type])
  }
}

extension SchemaMapping {
  /// The tables of any database, as it describes them.
  ///
  /// - Throws: `StoreError` if they make no schema.
  package static func reflected(from tables: [ServerTable]) throws -> SchemaMapping {
    var reflector = Reflector(tables, dialect: PostgreSQLDialect())
    return try reflector.reflect()
  }
}
#endif
