import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// The statements of one migration, in their order, inside its transaction.
struct MigrationRun {
  let path: String
  /// The file; nil in memory.
  let file: String?
  let plan: MigrationPlan
  let migrated: MigratedFile
  let losesMisfits: Bool
  let step: StepNumber
  /// The notice beside the file with the progress.
  let notice: MigrationNotice?

  var database: Database { migrated.database }
  var before: SchemaMapping { plan.before }
  var after: SchemaMapping { plan.after }
  var renamed: SchemaMapping { plan.former.renamed }

  /// - Parameter userMade: receives the views, triggers and indexes that are in the way.
  /// - Returns: the number of rows written, by the name of a table.
  /// - Throws: `MigrationError`; the errors of SQLite.
  func perform(_ userMade: inout UserMadeObjects) throws -> [String: Int] {
    let keys = try KeyPlan(plan, in: migrated)
    let script = MigrationScript(plan, keys, losesMisfits: losesMisfits)
    // If there was a version in between, dangling references made by others are counted before.
    let formerlyDangling = step.number == 1 ? nil : try danglingBefore(script)
    try dropWordTables(script)
    try userMade.putAside(in: database, before: before, dropping: tablesToDrop(script))
    for statement in plan.former.renames { try run(statement) }
    for statement in script.additions { try run(statement) }
    let filling = MigrationFilling(
      path: path, plan, script, keys, in: migrated, step: step, report: { notice?.write($0) })
    let rows = try filling.perform()
    for table in script.dropped { try run("DROP TABLE \(name: table)") }
    for (table, temporary) in filling.temporaryNames {
      try run("ALTER TABLE \(name: temporary) RENAME TO \(name: table)")
    }
    report(.indexing, rows.values.reduce(0, +))
    try dropIndexes()
    for (table, column) in script.droppedColumns { try drop(column, of: table) }
    if let custom = plan.custom {
      try CustomStatements(custom.statementsAfter, path: path).run(database)
    }
    try makeIndexes()
    report(.finishing, rows.values.reduce(0, +))
    try checkReferences(script, formerlyDangling)
    return rows
  }

  func run(_ statement: SQLFragment) throws {
    try RawStatement(statement, in: database).run()
  }

  private func report(_ phase: MigrationProgress.Phase, _ rows: Int) {
    plan.request.progress?(step.progress(phase, rows: rows))
  }

  /// The tables to drop, by their present names.
  private func tablesToDrop(_ script: MigrationScript) -> Set<String> {
    let going = Set(script.dropped)
    let names =
      zip(before.entities, renamed.entities).map { ($0.table, $1.table) }
      + zip(NativeTables(mapping: before).joinTables, NativeTables(mapping: renamed).joinTables)
      .map { ($0.join.table, $1.join.table) }
    return Set(names.filter { going.contains($0.1) }.map(\.0))
  }

  private func drop(_ column: String, of table: String) throws {
    do {
      try run("ALTER TABLE \(name: table) DROP COLUMN \(name: column)")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw MigrationError(
        path: path,
        obstacles: [
          .inTheWay(
            kind: "column", name: "\(table).\(column)",
            detail: "SQLite says “\(error.message ?? "")”")
        ])
    }
  }
}
