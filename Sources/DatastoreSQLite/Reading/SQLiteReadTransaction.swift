package import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// One state of a file, on a connection that reads it.
struct SQLiteReadTransaction: SQLSession, FileKeyReader {
  let store: SQLiteStore
  let database: Database

  var mapping: SchemaMapping { store.mapping }

  init(_ store: SQLiteStore, _ database: Database) {
    self.store = store
    self.database = database
  }

  func answer<Question: StoreQuestion>(basic question: Question) throws -> Question.Answer {
    guard let own = question as? any FileQuestion<Question.Answer> else {
      return try answer(rendered: question)
    }
    return try own.answer(in: self)
  }

  func reading<Result>(_ entity: Entity, _ body: () throws -> Result) throws -> Result {
    try store.reading(entity, body)
  }

  func look(at path: [String], of entity: Entity, for builder: QueryBuilder) throws {
    builder.integerReference = try store.integerReference(path, of: entity, in: database)
  }

  func prepare(_ sql: SQLFragment) throws -> RawStatement { try RawStatement(sql, in: database) }

  func rows(_ sql: SQLFragment) throws -> [[Value]] { try prepare(sql).rows() }

  func forEachPage(of entity: Entity, _ take: (RowPage) throws -> Void) throws {
    let statement = try prepare(QueryBuilder(mapping).rows(FetchRequest(entity: entity.name)))
    defer { statement.reset() }
    let reader = RowReader(mapping, entity: entity.index)
    var pages = RowReader.Pages(
      columnCount: entity.pageColumnCount, expecting: RowPage.fullCount)
    while try statement.step() {
      try reader.readAny(statement.pointer, key: statement.key(at: 0), into: try pages.next())
      if pages.fullCount > 0 { try pages.takeFull().forEach(take) }
    }
    try pages.finish().forEach(take)
  }
}

/// A question that only files answer, or that they answer in their own way.
protocol FileQuestion<Answer>: StoreQuestion {
  func answer(in transaction: SQLiteReadTransaction) throws -> Answer
}

extension MovedRowsQuestion: FileQuestion {
  func answer(in transaction: SQLiteReadTransaction) throws -> [Int: RowKey] {
    try RowSearch(transaction.mapping, entity: entity).keys(of: rows, in: transaction.database)
  }
}

/// Finds the keys of rows of a file.
protocol FileKeyReader: KeyReader {
  var database: Database { get }
}

extension FileKeyReader {
  func isMember(_ key: SQLFragment, of keys: [RowKey], _ entity: EntityIndex) -> SQLFragment {
    mapping.dialect.isMember(key, of: "\(mapping.dialect.keyList(keys.map(\.rawValue)))")
  }

  func keys(_ query: SQLFragment, of entity: EntityIndex) throws -> [RowKey] {
    let keys = try RawStatement(query, in: database).keys()
    guard var counter = occurrences(of: entity) else { return keys }
    return try keys.map { try counter.key($0) }
  }

  func counts(
    _ query: SQLFragment, of entity: EntityIndex
  ) throws -> [(key: RowKey, count: Int)] {
    let statement = try RawStatement(query, in: database)
    var counts: [(key: RowKey, count: Int)] = []
    while try statement.step() {
      counts.append(
        (statement.key(at: 0), Int(sqlite3_column_int64(statement.pointer, 1))))
    }
    return counts
  }

  /// The counter for equal rows that are their own key; nil if rows have keys.
  func occurrences(of entity: EntityIndex) -> OccurrenceCounter? {
    mapping.entities[entity].key == .wholeRow
      ? OccurrenceCounter(mapping.keyTables[entity]) : nil
  }
}

extension RawStatement {
  /// All remaining rows.
  func rows() throws -> [[Value]] {
    let count = sqlite3_column_count(pointer)
    var rows: [[Value]] = []
    while try step() { rows.append((0..<count).map { value(at: $0) }) }
    return rows
  }

  /// The keys in the first column of all remaining rows, without values that are not integers.
  func keys() throws -> [RowKey] {
    var keys: [RowKey] = []
    while try step() {
      guard let key = wholeKey(at: 0) else { continue }
      keys.append(key)
      if keys.count & 0xFFFF == 0 { try Task.checkCancellation() }
    }
    return keys
  }

  /// The key in a column; nil for NULL, and for a value that is not an integer.
  func wholeKey(at column: Int32) -> RowKey? {
    sqlite3_column_type(pointer, column) == SQLITE_INTEGER ? key(at: column) : nil
  }
}

extension SQLiteStore {
  package func readTransaction<Result>(
    _ body: (any ReadTransaction) throws -> Result
  ) throws -> Result {
    try read { try body(SQLiteReadTransaction(self, $0)) }
  }

  package func readTransaction<Result: Sendable>(
    reporting progress: ReadProgress?,
    _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
  ) async throws -> Result {
    try await readAsync(reporting: progress) { try body(SQLiteReadTransaction(self, $0)) }
  }
}
