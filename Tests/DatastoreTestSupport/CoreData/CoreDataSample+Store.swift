import CZlib
import DatastoreCore
package import Foundation
import GRDB

/// The store that Core Data would have made.
extension CoreDataSample {
  /// Makes the file.
  ///
  /// - Parameter isInLogOnly: everything stays in the `-wal` beside an empty file, as when its program was
  ///   ended.
  /// - Throws: what SQLite and the file system report.
  package func write(to url: URL, isInLogOnly: Bool = false) throws {
    let pages = "PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2; PRAGMA journal_mode = WAL;"
    guard isInLogOnly else {
      return try SQLiteFile.make(at: url, "\(pages) BEGIN; \(sql()) COMMIT;")
    }
    let folder = try TemporaryDirectory()
    let running = folder.file("running.sqlite")
    let queue = try DatabaseQueue(path: running.path)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "\(pages) PRAGMA wal_autocheckpoint = 0; BEGIN; \(sql()) COMMIT;")
    }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: running.path + suffix, toPath: url.path + suffix)
    }
    try queue.close()
  }

  /// Numbers of entities: families depth first, by name without regard to capitals.
  package var numbers: [String: Int64] {
    var numbers: [String: Int64] = [:]
    func add(_ parent: String?) {
      let siblings = entities.filter { $0.parent == parent }
      for entity in siblings.sorted(by: { $0.name.lowercased() < $1.name.lowercased() }) {
        numbers[entity.name] = Int64(numbers.count + 1)
        add(entity.name)
      }
    }
    add(nil)
    return numbers
  }

  package func sql() -> String { CoreDataStatements(self).text }
}

extension [UInt8] {
  /// Compressed without a header, as Core Data does.
  package var deflated: [UInt8] {
    var stream = z_stream()
    deflateInit2_(
      &stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    let room = Int(deflateBound(&stream, UInt(count))) + 16
    return withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: room) { output, made in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(room)
        deflate(&stream, Z_FINISH)
        made = room - Int(stream.avail_out)
      }
    }
  }
}

/// Works out tables and columns, and writes them down.
private struct CoreDataStatements {
  let sample: CoreDataSample
  let numbers: [String: Int64]
  private var columns: [String: [(name: String, declared: String)]] = [:]
  /// By entity and property: the column of an attribute or a to-one relationship.
  private var names: [String: String] = [:]
  private var joins: [String: (columns: [String], order: [String])] = [:]
  private(set) var text = ""

  init(_ sample: CoreDataSample) {
    self.sample = sample
    numbers = sample.numbers
    planColumns()
    for entity in sample.entities { planRelationships(of: entity) }
    writeTables()
    for row in sample.rows { write(row) }
    for link in sample.links { write(link) }
    writeOrders()
  }

  private func entity(_ name: String) -> CoreDataSample.Entity {
    sample.entities.first { $0.name == name } ?? CoreDataSample.Entity(name)
  }

  private func root(_ name: String) -> String {
    entity(name).parent.map { root($0) } ?? name
  }

  private func table(_ name: String) -> String { "Z" + root(name).uppercased() }

  /// The entity and its ancestors, from itself on.
  private func line(_ name: String) -> [CoreDataSample.Entity] {
    [entity(name)] + (entity(name).parent.map { line($0) } ?? [])
  }

  private func relationship(
    _ name: String, of entity: String
  ) -> (owner: String, described: CoreDataSample.Relationship)? {
    for ancestor in line(entity) {
      if let found = ancestor.relationships.first(where: { $0.name == name }) {
        return (ancestor.name, found)
      }
    }
    return nil
  }

  private func column(_ property: String, of entity: String) -> String? {
    line(entity).lazy.compactMap { names["\($0.name).\(property)"] }.first
  }

  private mutating func planColumns() {
    var counts: [String: [String: Int]] = [:]
    for name in numbers.sorted(by: { $0.value < $1.value }).map(\.key) {
      let entity = entity(name)
      let table = table(name)
      let attributes = entity.attributes.filter { !$0.isTransient }.map {
        ($0.name, $0.type.declared)
      }
      let toOnes = entity.relationships.filter { !$0.isToMany }.map { ($0.name, "INTEGER") }
      for (property, declared) in (attributes + toOnes).sorted(by: { $0.0 < $1.0 }) {
        let base = "Z" + property.uppercased()
        let count = counts[table]?[base] ?? 0
        counts[table, default: [:]][base] = count + 1
        let column = count == 0 ? base : "\(base)\(count)"
        names["\(name).\(property)"] = column
        columns[table, default: []].append((column, declared))
      }
    }
  }

  private mutating func planRelationships(of entity: CoreDataSample.Entity) {
    let number = numbers[entity.name] ?? 0
    for relationship in entity.relationships {
      let destination = relationship.destination
      let inverse = relationship.inverse.flatMap { self.relationship($0, of: destination) }
      guard relationship.isToMany else {
        // Rows of several entities may be meant: which one is kept beside the key.
        let hasChildren = sample.entities.contains { $0.parent == destination }
        if hasChildren, root(destination) == destination {
          columns[table(entity.name), default: []].append(
            ("Z\(numbers[destination] ?? 0)_\(relationship.name.uppercased())", "INTEGER"))
        }
        continue
      }
      guard let inverse else {
        let column = "Z\(number)\(relationship.name.uppercased())"
        columns[table(destination), default: []].append((column, "INTEGER"))
        if relationship.isOrdered {
          columns[table(destination), default: []].append(
            ("Z_FOK_\(column.dropFirst())", "INTEGER"))
        }
        continue
      }
      if inverse.described.isToMany {
        planJoin(relationship, entity.name, inverse.described, inverse.owner)
      } else if relationship.isOrdered,
        let column = column(inverse.described.name, of: inverse.owner)
      {
        columns[table(inverse.owner), default: []].append(
          ("Z_FOK_\(column.dropFirst())", "INTEGER"))
      }
    }
  }

  private mutating func planJoin(
    _ relationship: CoreDataSample.Relationship, _ owner: String,
    _ inverse: CoreDataSample.Relationship, _ other: String
  ) {
    let join = join(relationship, owner, inverse, other)
    var order = joins[join.table]?.order ?? []
    if relationship.isOrdered { order.append("Z_FOK_\(join.member.dropFirst(2))") }
    joins[join.table] = ([join.own, join.member].sorted(), order)
  }

  /// The table of a many-to-many relationship, and its columns for the owner and the member.
  private func join(
    _ relationship: CoreDataSample.Relationship, _ owner: String,
    _ inverse: CoreDataSample.Relationship, _ other: String
  ) -> (table: String, own: String, member: String) {
    let (number, otherNumber) = (numbers[owner] ?? 0, numbers[other] ?? 0)
    let member = "Z_\(otherNumber)\(relationship.name.uppercased())"
    if owner == other, relationship.name == inverse.name {
      return ("Z_\(number)\(relationship.name.uppercased())", "REFLEXIVE", member)
    }
    let sides = [(number, relationship.name), (otherNumber, inverse.name)]
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    let side = sample.joinNaming == .byLowerNumber ? sides[0] : sides[1]
    return (
      "Z_\(side.0)\(side.1.uppercased())", "Z_\(number)\(inverse.name.uppercased())", member
    )
  }

  // Text.

  private mutating func writeTables() {
    text += """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, 'FC1B3E39-2A6B-4B4A-8C8E-4E2D1A0A0001', \(metadata));

      """
    for table in columns.keys.sorted() + tablesWithoutColumns {
      let declared = (columns[table] ?? []).map { "\($0.name) \($0.declared)" }
      let all = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"] + declared
      text += "CREATE TABLE \(table) (\(all.joined(separator: ", ")));\n"
    }
    for entity in sample.entities {
      for relationship in entity.relationships where !relationship.isToMany {
        guard let column = names["\(entity.name).\(relationship.name)"] else { continue }
        let table = table(entity.name)
        text += "CREATE INDEX \(table)_\(column)_INDEX ON \(table) (\(column));\n"
      }
    }
    for (table, join) in joins.sorted(by: { $0.key < $1.key }) {
      let all = (join.columns + join.order).map { "\($0) INTEGER" }
      text +=
        "CREATE TABLE \(table) (\(all.joined(separator: ", ")), PRIMARY KEY (\(join.columns.joined(separator: ", "))));\n"
    }
    for (name, number) in numbers.sorted(by: { $0.value < $1.value }) {
      let parent = entity(name).parent.flatMap { numbers[$0] } ?? 0
      let keys = sample.rows.filter { root($0.entity) == name }.map(\.key)
      text +=
        "INSERT INTO Z_PRIMARYKEY VALUES (\(number), '\(name)', \(parent), \(keys.max() ?? 0));\n"
    }
    if sample.hasHistory { writeHistory() }
    switch sample.cache {
    case .absent: return
    case .null: text += Self.cache("NULL")
    case .model: text += Self.cache(Self.hex(sample.archivedModel().deflated))
    case .bytes(let bytes): text += Self.cache(Self.hex(bytes))
    }
  }

  private var metadata: String {
    let said: [String: Any] = [
      "NSStoreType": "SQLite", "NSPersistenceFrameworkVersion": sample.frameworkVersion,
    ]
    let list = try? PropertyListSerialization.data(
      fromPropertyList: said, format: .binary, options: 0)
    return list.map { Self.hex(Array($0)) } ?? "NULL"
  }

  private var tablesWithoutColumns: [String] {
    sample.entities.filter { $0.parent == nil }.map { table($0.name) }.filter { columns[$0] == nil }
  }

  /// The bits of an update: properties that are kept by name, those of ancestors among them.
  private func bits(_ names: Set<String>, of entity: String) -> String {
    let all = line(entity).flatMap { entity in
      entity.attributes.filter { !$0.isTransient }.map(\.name) + entity.relationships.map(\.name)
    }.sorted()
    var bytes = [UInt8](repeating: 0, count: all.count / 8 + 1)
    for (place, name) in all.enumerated() where names.contains(name) {
      bytes[place / 8] |= 0x80 >> (place % 8)
    }
    return Self.hex(bytes)
  }

  /// One transaction that has inserted the first object, and one that has changed another and deleted a
  /// third.
  private mutating func writeHistory() {
    guard let first = sample.rows.first else { return }
    text += """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
      ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
      ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP TIMESTAMP, ZAUTHOR VARCHAR);
      CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 3), (16002, 'TRANSACTION', 0, 2), \
      (16003, 'TRANSACTIONSTRING', 0, 2);
      INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, 1, 'com.example.notes'), (2, 16003, 1, 'ann');
      INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, NULL, 1, NULL, NULL, 700000000, NULL);
      INSERT INTO ATRANSACTION VALUES (2, 16002, NULL, 2, NULL, NULL, NULL, 700000060.5, NULL);
      INSERT INTO ACHANGE VALUES (2, 16001, NULL, 1, \(numbers["Employee"] ?? 0), 2, 2, \
      \(bits(["name", "title"], of: "Employee")));
      INSERT INTO ACHANGE VALUES (3, 16001, NULL, 2, \(numbers["Trainee"] ?? 0), 9, 2, NULL);
      INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, \(numbers[first.entity] ?? 0), \(first.key), 1, NULL);

      """
  }

  private static func cache(_ content: String) -> String {
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);\nINSERT INTO Z_MODELCACHE VALUES (\(content));\n"
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
  }

  private mutating func write(_ row: (entity: String, key: Int64, values: [String: Value])) {
    var values = ["Z_PK": "\(row.key)", "Z_ENT": "\(numbers[row.entity] ?? 0)", "Z_OPT": "1"]
    for (property, value) in row.values {
      guard let column = column(property, of: row.entity) else { continue }
      values[column] = Self.literal(value)
      guard let (_, described) = relationship(property, of: row.entity) else { continue }
      let extra = "Z\(numbers[described.destination] ?? 0)_\(property.uppercased())"
      if columns[table(row.entity)]?.contains(where: { $0.name == extra }) ?? false,
        case .integer(let key) = value,
        let target = sample.rows.first(where: {
          root($0.entity) == root(described.destination) && $0.key == key
        })
      {
        values[extra] = "\(numbers[target.entity] ?? 0)"
      }
    }
    let all = values.sorted { $0.key < $1.key }
    text += """
      INSERT INTO \(table(row.entity)) (\(all.map(\.key).joined(separator: ", "))) \
      VALUES (\(all.map(\.value).joined(separator: ", ")));

      """
  }

  private mutating func write(
    _ link: (entity: String, relationship: String, owner: Int64, members: [Int64])
  ) {
    guard let (owner, described) = relationship(link.relationship, of: link.entity) else { return }
    guard let name = described.inverse, let inverse = relationship(name, of: described.destination)
    else {
      let column = "Z\(numbers[owner] ?? 0)\(described.name.uppercased())"
      for (place, member) in link.members.enumerated() {
        let order =
          described.isOrdered ? ", Z_FOK_\(column.dropFirst()) = \(2048 + place * 1024)" : ""
        text +=
          "UPDATE \(table(described.destination)) SET \(column) = \(link.owner)\(order) WHERE Z_PK = \(member);\n"
      }
      return
    }
    let join = join(described, owner, inverse.described, inverse.owner)
    for (place, member) in link.members.enumerated() {
      let order = described.isOrdered ? ", Z_FOK_\(join.member.dropFirst(2))" : ""
      let value = described.isOrdered ? ", \(2048 + place * 1024)" : ""
      text +=
        "INSERT OR IGNORE INTO \(join.table) (\(join.own), \(join.member)\(order)) VALUES (\(link.owner), \(member)\(value));\n"
      // A relationship that is its own inverse has both directions.
      if join.own == "REFLEXIVE" {
        text +=
          "INSERT OR IGNORE INTO \(join.table) (\(join.own), \(join.member)) VALUES (\(member), \(link.owner));\n"
      }
    }
  }

  /// Members of ordered relationships are in the order of their rows, from the last one on: another order
  /// than that of keys.
  private mutating func writeOrders() {
    for (table, columns) in columns {
      for column in columns where column.name.hasPrefix("Z_FOK_") {
        let reference = "Z" + column.name.dropFirst(6)
        text += """
          UPDATE \(table) SET \(column.name) = 2048 + 1024 * (100 - Z_PK) WHERE \(reference) IS NOT NULL \
          AND \(column.name) IS NULL;

          """
      }
    }
  }

  private static func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): "'\(text)'"
    case .blob(let data): hex(Array(data))
    }
  }
}
