import DatastoreCore
import DatastoreSQL
import GRDB

/// Determines which tables of a third-party file cannot be written, by letting SQLite compile the statements
/// of a save: it also compiles triggers, index expressions, collations and checks. Nothing is run.
enum RefusedTables {
  /// - Parameter tables: the tables of the file.
  /// - Returns: the refusals by the table's name in lower case.
  /// - Throws: the errors of reading the schema.
  static func found(
    among tables: [FileTable], in database: Database
  ) throws -> [String: TableRefusal] {
    let suspects = try suspects(among: tables, in: database)
    let found = refusals(of: tables, among: suspects, in: database, because: reason)
    return try found.merging(foundByChecks(among: tables)) { $0.merging($1) }
  }

  /// - Parameters:
  ///   - suspects: the names in lower case of the tables to compile.
  ///   - reason: the meaning of SQLite's message; nil if it is not a refusal.
  static func refusals(
    of tables: [FileTable], among suspects: Set<String>, in database: Database,
    because reason: (String) -> String?
  ) -> [String: TableRefusal] {
    var found: [String: TableRefusal] = [:]
    for table in tables
    where table.kind == .table && suspects.contains(table.name.lowercased()) {
      let refusal = refusal(of: table, in: database, because: reason)
      if !refusal.isEmpty { found[table.name.lowercased()] = refusal }
    }
    return found
  }

  /// The tables that need more compiled than their own columns.
  private static func suspects(
    among tables: [FileTable], in database: Database
  ) throws -> Set<String> {
    let statement = try RawStatement(
      """
      SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger' \
      OR type = 'index' AND (sql LIKE '%(%(%' OR sql LIKE '%where%' OR sql LIKE '%collate%') \
      OR type = 'table' AND (sql LIKE '% as%(%' OR sql LIKE '%collate%')
      """, in: database)
    var suspects: Set<String> = []
    while try statement.step() { suspects.insert(statement.value(at: 0).plainText.lowercased()) }
    if suspects.isEmpty { return [] }
    // The effect of a foreign key on the referring rows is compiled along with it.
    for table in tables where suspects.contains(table.name.lowercased()) {
      suspects.formUnion(table.foreignKeys.map { $0.table.lowercased() })
    }
    return suspects
  }

  private static func refusal(
    of table: FileTable, in database: Database, because reason: (String) -> String?
  ) -> TableRefusal {
    var refusal = TableRefusal()
    let columns = table.columns.filter { !$0.isGenerated }.map(\.name)
    func failure(of statement: SQLFragment) -> String? {
      message(against: statement, in: database).flatMap(reason)
    }
    func update(_ columns: [String]) -> String? {
      let assignments = columns.map { "\(name: $0) = NULL" as SQLFragment }
      return failure(of: "UPDATE \(name: table.name) SET \(assignments.joined(by: ", "))")
    }
    refusal.inserting = failure(of: "INSERT INTO \(name: table.name) DEFAULT VALUES")
    // Without a condition, SQLite empties the table instead of deleting its rows.
    refusal.deleting = failure(of: "DELETE FROM \(name: table.name) WHERE \(.integer(1))")
    if !columns.isEmpty, update(columns) != nil {
      for column in columns { refusal.updating[column] = update([column]) }
    }
    return refusal
  }

  /// The reason why SQLite does not compile a statement; nil if it does, or if there is a temporary reason
  /// such as a lock.
  private static func message(against statement: SQLFragment, in database: Database) -> String? {
    do {
      _ = try RawStatement(statement, in: database)
      return nil
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return error.message ?? ""
    } catch {
      return nil
    }
  }

  /// - Parameter message: the message of SQLite.
  private static func reason(_ message: String) -> String? {
    if let reason = functionReason(message) { return reason }
    if let module = name(in: message, after: "no such module: ") {
      return
        "saving writes a virtual table of the module \(module), which only the program has that made "
        + "the file"
    }
    if let collation = name(in: message, after: "no such collation sequence: ") {
      return "saving compares texts by \(collation), which only the program can that made the file"
    }
    return "SQLite refuses to save it: \(message)"
  }

  /// - Parameter message: the message of SQLite.
  static func functionReason(_ message: String) -> String? {
    missingFunction(in: message).map {
      "saving calls the function \($0)(), which only the program has that made the file"
    }
  }

  static func missingFunction(in message: String) -> String? {
    name(in: message, after: "no such function: ") ?? name(in: message, after: "unknown function: ")
  }

  private static func name(in message: String, after beginning: String) -> String? {
    guard message.hasPrefix(beginning) else { return nil }
    let rest = message.dropFirst(beginning.count)
    return rest.hasSuffix("()") ? String(rest.dropLast(2)) : String(rest)
  }
}

extension TableRefusal {
  fileprivate func merging(_ other: TableRefusal) -> TableRefusal {
    var merged = self
    merged.inserting = inserting ?? other.inserting
    merged.deleting = deleting ?? other.deleting
    merged.updating.merge(other.updating) { own, _ in own }
    return merged
  }
}
