import DatastoreCore
import DatastoreSQL
import GRDB

/// Makes entities and their mapping out of the tables of a file.
struct Reflector {
  let tables: [FileTable]
  /// How columns store dates, by table and column.
  var dates: [String: [String: DateConvention]] = [:]
  var entities: ByEntity<Draft> = []
  /// Entity index by lower-case table name.
  var entityByTable: [String: EntityIndex] = [:]

  /// An entity in the making; properties and slots grow together.
  struct Draft {
    let table: Int
    var names: Set<String> = []
    var properties: [PropertyDescription] = []
    var slots: BySlot<SlotMapping> = []
    var aliases: [String: [String]] = [:]
    /// The property that holds each column.
    var propertyOfColumn: [String: String] = [:]
    /// Whether its rows are the pairs of a relationship of others, which writes them.
    var isJoinTable = false
  }

  /// The indexes of words by the names of tables and columns, in lower case.
  private let wordIndexes: [String: [String: WordIndex]]
  /// Whether join tables are entities as well, behind all others.
  private let showsJoinTables: Bool

  init(_ tables: [FileTable], showsJoinTables: Bool = false) {
    self.tables = tables
    self.showsJoinTables = showsJoinTables
    var indexes: [String: [String: WordIndex]] = [:]
    for table in tables {
      // Of several indexes of a column, the first counts.
      indexes.merge(FullTextTable(table)?.indexes(among: tables) ?? [:]) { first, later in
        first.merging(later) { first, _ in first }
      }
    }
    wordIndexes = indexes
  }

  /// The index of a column's words, if the file has one.
  func wordIndex(of column: String, in table: FileTable) -> WordIndex? {
    wordIndexes[table.name.lowercased()]?[column.lowercased()]
  }

  mutating func reflect() throws -> SchemaMapping {
    let joins = joinTables()
    for (index, table) in tables.enumerated() where !joins.contains(index) {
      entityByTable[table.name.lowercased()] = entities.append(Draft(table: index))
    }
    let references = ByEntity(entities.indices.map { resolvedKeys(of: $0) })
    for entity in references.indices { addColumns(entity, references[entity]) }
    for entity in references.indices { addInverses(entity, references[entity]) }
    for table in joins.sorted() { addManyToMany(tables[table]) }
    if showsJoinTables {
      for table in joins.sorted() { addJoinEntity(table) }
    }
    let schema = try Schema(entities.indices.map(description))
    return SchemaMapping(
      schema: schema, entities: ByEntity(entities.indices.map(mapping)), isNative: false,
      dialect: SQLiteDialect())
  }

  /// Finds out how columns store dates, unless the user has said so.
  mutating func findDates(in database: Database, _ annotations: SchemaAnnotations) throws {
    let recognition = DateRecognition(database, tables: tables)
    for table in tables {
      var found = try recognition.conventions(of: table)
      for column in table.columns {
        switch annotations.dates(of: column.name, in: table.name) {
        case nil: continue
        case .stored(let convention)?: found[column.name] = convention
        case .plain?: found[column.name] = nil
        }
      }
      if !found.isEmpty { dates[table.name] = found }
    }
  }

  func table(_ entity: EntityIndex) -> FileTable { tables[entities[entity].table] }

  private func mapping(_ entity: EntityIndex) -> EntityMapping {
    let draft = entities[entity]
    let table = self.table(entity)
    let keySlot = draft.slots.firstIndex { slot in
      if case .attribute(let column) = slot { return column.name == table.rowidColumn }
      return false
    }
    return EntityMapping(
      table: table.name, kind: table.kind, key: table.key, slots: draft.slots,
      declaration: table.declaration,
      isAutoincrement: table.declaration?.uppercased().contains("AUTOINCREMENT") ?? false,
      unreadableReason: table.unreadableReason,
      allColumns: table.columns.map(\.name), keySlot: keySlot)
  }

  private func description(_ entity: EntityIndex) -> EntityDescription {
    let draft = entities[entity]
    let table = self.table(entity)
    var uniqueness: [[String]] = []
    let keys = table.indexes.filter(\.isUnique).map(\.columns) + [table.primaryKey]
    for columns in keys where columns.count > 1 {
      let names = columns.compactMap { draft.propertyOfColumn[$0] }
      if names.count == columns.count, !uniqueness.contains(names) { uniqueness.append(names) }
    }
    return EntityDescription(
      name: table.name.isEmpty ? "unnamed" : table.name, properties: draft.properties,
      uniqueness: uniqueness, isReadOnly: isReadOnly(entity), aliases: draft.aliases)
  }

  func isReadOnly(_ entity: EntityIndex) -> Bool {
    table(entity).kind != .table || table(entity).key == .wholeRow || entities[entity].isJoinTable
  }

  /// The first of the names that is free, or the last one with a number after it.
  func freeName(_ candidates: [String], in entity: EntityIndex) -> String {
    let candidates = candidates.filter { !$0.isEmpty }
    let taken = entities[entity].names
    if let free = candidates.first(where: { !taken.contains($0) }) { return free }
    let base = candidates.last ?? "unnamed"
    var number = 2
    while taken.contains("\(base)_\(number)") { number += 1 }
    return "\(base)_\(number)"
  }

  mutating func add(_ property: PropertyDescription, _ slot: SlotMapping, to entity: EntityIndex) {
    entities[entity].names.insert(property.name)
    entities[entity].properties.append(property)
    entities[entity].slots.append(slot)
  }

  /// Tables whose only columns are two foreign keys.
  private func joinTables() -> Set<Int> {
    let byName = Dictionary(
      tables.enumerated().map { ($1.name.lowercased(), $0) }, uniquingKeysWith: { a, _ in a })
    let candidates = Set(
      tables.indices.filter { index in
        let table = tables[index]
        return table.kind == .table && table.columns.count == 2 && table.foreignKeys.count == 2
          && table.rowidColumn == nil
          && Set(table.foreignKeys.flatMap(\.columns)).count == 2
          && table.foreignKeys.allSatisfy { $0.columns.count == 1 }
      })
    return candidates.filter { index in
      tables[index].foreignKeys.allSatisfy { key in
        guard let target = byName[key.table.lowercased()], !candidates.contains(target) else {
          return false
        }
        return reference(key, from: tables[index], to: tables[target]) != nil
      }
        && !tables.contains { other in
          other.foreignKeys.contains { $0.table.lowercased() == tables[index].name.lowercased() }
        }
    }
  }
}

extension SchemaMapping {
  /// The tables and views of any SQLite file. Reads its schema, and some rows where dates may be.
  ///
  /// - Parameters:
  ///   - showsJoinTables: whether tables of pairs are entities, too, and not just relationships.
  ///   - annotations: what was said of the file; nil where dates are not looked for, and columns are
  ///     what they are declared as.
  ///   - tables: the tables to be shown; all of them without it.
  static func reflected(
    from database: Database, showsJoinTables: Bool = false, annotations: SchemaAnnotations? = nil,
    tables: [FileTable]? = nil
  ) throws -> (SchemaMapping, ReflectedTables) {
    let tables = try tables ?? FileTable.all(in: database)
    var reflector = Reflector(
      annotations.map { tables.adding($0) } ?? tables,
      showsJoinTables: showsJoinTables)
    if let annotations { try reflector.findDates(in: database, annotations) }
    let reflected = ReflectedTables(
      tables: tables, annotations: annotations,
      schemaVersion: try RawStatement.schemaVersion(database))
    return (try reflector.reflect(), reflected)
  }

  /// The tables of a native file: with the meaning that its stored schema gives them, and as they are. Reads the
  /// file's schema, and some rows where others have added columns that may hold dates.
  ///
  /// - Parameter schema: what the file says that it has.
  static func described(
    _ schema: Schema, in database: Database, annotations: SchemaAnnotations?
  ) throws -> (SchemaMapping, ReflectedTables?) {
    let tables = try FileTable.all(in: database)
    let fitting = StoredSchemaFitting(schema, tables)
    let differences = fitting.differences
    let references = annotations.map { tables.references(accordingTo: $0) } ?? [:]
    if differences.isEmpty, references.isEmpty {
      let hasWords = try WordTables(fitting.stored).areThere(in: database)
      return (hasWords ? fitting.stored : fitting.stored.withoutWordIndexes, nil)
    }
    let present = SchemaMapping.native(try Schema(fitting.present(without: references)))
      .withoutWordIndexes
    let pairs = Set(
      present.entities.flatMap(\.slots).compactMap {
        if case .toManyJoin(let join) = $0 { join.table.lowercased() } else { nil }
      })
    let (reflected, found) = try reflected(
      from: database, annotations: annotations,
      tables: fitting.tables.filter { !pairs.contains($0.name.lowercased()) })
    return (
      try StoredSchemaUnion(present, reflected).mapping(),
      ReflectedTables(
        tables: tables, annotations: annotations, schemaVersion: found.schemaVersion,
        differences: differences)
    )
  }
}
