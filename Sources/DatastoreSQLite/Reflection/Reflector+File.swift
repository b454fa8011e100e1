import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

extension Reflector<FileTable> {
  init(_ tables: [FileTable], showsJoinTables: Bool = false) {
    var indexes: [String: [String: WordIndex]] = [:]
    for table in tables {
      // Of several indexes of a column, the first counts.
      indexes.merge(FullTextTable(table)?.indexes(among: tables) ?? [:]) { first, later in
        first.merging(later) { first, _ in first }
      }
    }
    self.init(
      tables, dialect: SQLiteDialect(), wordIndexes: indexes, showsJoinTables: showsJoinTables)
  }

  /// Determines how columns store dates, unless the user has decided.
  mutating func findDates(in database: Database, _ annotations: SchemaAnnotations) throws {
    let recognition = DateRecognition(database, tables: tables)
    for table in tables {
      var found = try recognition.conventions(of: table)
      for column in table.columns {
        switch annotations.dates(of: column.name, in: table.name) {
        case nil: continue
        case .stored(let convention)?: found[column.name.exactKey] = convention
        case .plain?: found[column.name.exactKey] = nil
        }
      }
      if !found.isEmpty { dates[table.name.exactKey] = found }
    }
  }
}

extension SchemaMapping {
  /// The tables and views of any SQLite file. Reads its schema, and some rows that may have dates.
  ///
  /// - Parameters:
  ///   - showsJoinTables: whether tables of pairs are entities, too, and not just relationships.
  ///   - annotations: the annotations of the file; nil to leave out the search for dates and use the declared
  ///     types of columns.
  ///   - tables: the tables to show; nil for all.
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

  /// The tables of a native file: with the meaning in its stored schema, and as they actually are. Reads the
  /// file's schema, and some rows of added columns that may hold dates.
  ///
  /// - Parameter schema: the schema in the file's description.
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
        if case .toManyJoin(let join) = $0 { join.table.caselessKey } else { nil }
      })
    let (reflected, found) = try reflected(
      from: database, annotations: annotations,
      tables: fitting.tables.filter { !pairs.contains($0.name.caselessKey) })
    return (
      try StoredSchemaUnion(present, reflected).mapping(),
      ReflectedTables(
        tables: tables, annotations: annotations, schemaVersion: found.schemaVersion,
        differences: differences)
    )
  }
}

/// The tables of a third-party file that its mapping was made from.
struct ReflectedTables: Sendable {
  let tables: [FileTable]
  /// The annotations of the file; nil if dates were not looked for.
  let annotations: SchemaAnnotations?
  /// `PRAGMA schema_version` when the tables were read.
  let schemaVersion: Int64?
  /// Changes by other tools that contradict a native file's description: the ends of a sentence.
  var differences: [String] = []
  /// The parts of the file's model that could not be read, as sentences.
  var notes: [String] = []
}
