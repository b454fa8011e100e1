import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// The statements of one migration, in their order, inside of its transaction.
struct MigrationRun {
  let path: String
  /// The file; nil in memory.
  let file: String?
  let plan: MigrationPlan
  let database: Database
  /// The one that `database` belongs to.
  let connection: any DatabaseWriter
  let losesMisfits: Bool
  let step: StepNumber
  /// Says beside the file how far it is.
  let notice: MigrationNotice?

  var before: SchemaMapping { plan.before }
  var after: SchemaMapping { plan.after }
  var renamed: SchemaMapping { plan.former.renamed }

  /// - Parameter userMade: gets the views, triggers and indexes that are in the way.
  /// - Returns: by the name of a table, how many rows were written.
  /// - Throws: `MigrationError`; what SQLite reports.
  func perform(_ userMade: inout UserMadeObjects) throws -> [String: Int] {
    let keys = try KeyPlan(plan, in: database)
    let script = MigrationScript(
      plan.former, after: after, request: plan.request, offsets: keys.offsets,
      losesMisfits: losesMisfits)
    // Where there was a version in between, those that others have broken are counted before.
    let formerlyDangling = step.number == 1 ? nil : try danglingBefore(script)
    try dropWordTables(script)
    try userMade.putAside(in: database, before: before, dropping: tablesToDrop(script))
    for statement in plan.former.renames { try run(statement) }
    for table in script.tables {
      guard case .altered(_, let added) = table.way else { continue }
      for definition in added {
        try run("ALTER TABLE \(name: table.name) ADD COLUMN \(definition)")
      }
    }
    let rows = try fill(script, keys)
    for table in script.dropped { try run("DROP TABLE \(name: table)") }
    for (table, temporary) in temporaryNames(script) {
      try run("ALTER TABLE \(name: temporary) RENAME TO \(name: table)")
    }
    report(.indexing, rows.values.reduce(0, +))
    try dropIndexes()
    for table in script.tables {
      guard case .altered(let dropped, _) = table.way else { continue }
      for column in dropped { try drop(column, of: table.name) }
    }
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

  /// The tables that go, by the names that they have now.
  private func tablesToDrop(_ script: MigrationScript) -> Set<String> {
    let going = Set(script.dropped)
    let names =
      zip(before.entities, renamed.entities).map { ($0.table, $1.table) }
      + zip(NativeTables(mapping: before).joinTables, NativeTables(mapping: renamed).joinTables)
      .map { ($0.join.table, $1.join.table) }
    return Set(names.filter { going.contains($0.1) }.map(\.0))
  }

  /// The names under which new tables are filled.
  func temporaryNames(_ script: MigrationScript) -> [(table: String, temporary: String)] {
    var names = NameRegistry(
      taken: script.tables.map(\.name) + before.entities.map(\.table)
        + renamed.entities.map(\.table))
    return script.tables.filter { !$0.isAltered }.map { ($0.name, names.claim("_new_\($0.name)")) }
  }

  private func fill(_ script: MigrationScript, _ keys: KeyPlan) throws -> [String: Int] {
    let temporary = Dictionary(
      temporaryNames(script).map { ($0.table, $0.temporary) },
      uniquingKeysWith: { first, _ in first })
    var works: [(table: MigrationScript.Table, name: String, copies: [(RowCopy, Int)])] = []
    for table in script.tables {
      guard case .made(let create, let copies) = table.way, let name = temporary[table.name] else {
        continue
      }
      try run(create(name))
      let counted = try copies.map {
        ($0, Int(try RawStatement($0.count, in: database).firstInteger() ?? 0))
      }
      works.append((table, name, counted))
    }
    let transformations = CustomRun(self, keys, temporary)
    let meter = Meter(
      total: works.reduce(0) { $0 + $1.copies.reduce(0) { $0 + $1.1 } }
        + (try transformations?.sourceCount ?? 0),
      step: step, notice: notice, progress: plan.request.progress)
    var rows: [String: Int] = [:]
    for work in works {
      for (copy, count) in work.copies {
        let written = try self.copy(copy, into: work.name, count, meter)
        rows[work.table.name, default: 0] += written
        if written != count, !copy.skipsPresent {
          throw MigrationError(
            path: path,
            obstacles: [.rowCount(entity: work.table.entity, count: written, of: count)])
        }
      }
    }
    try transformations?.perform(meter, &rows)
    return rows
  }

  /// Reports how far the copying has come.
  final class Meter {
    private let total: Int
    private var done = 0
    private let step: StepNumber
    private let notice: MigrationNotice?
    private let progress: (@Sendable (MigrationProgress) -> Void)?

    init(
      total: Int, step: StepNumber, notice: MigrationNotice?,
      progress: (@Sendable (MigrationProgress) -> Void)?
    ) {
      self.total = total
      self.step = step
      self.notice = notice
      self.progress = progress
    }

    func add(_ rows: Int, _ entity: String) {
      done += rows
      let state = MigrationProgress(
        phase: .copying, step: step.number, stepCount: step.count, entity: entity,
        rowsDone: done, rowsTotal: total)
      notice?.note(Int(state.fractionCompleted * 100))
      progress?(state)
    }
  }

  func copy(
    _ copy: RowCopy, into table: String, _ count: Int, _ meter: Meter
  ) throws -> Int {
    if count <= Migrator.rangeSize {
      try run(copy.statement(into: table, nil))
      let written = database.changesCount
      meter.add(written, copy.entity)
      return written
    }
    var written = 0
    var start = Int64.min
    // No key is the least integer, since behind it nothing would be found; it is looked for by itself.
    while let end = try RawStatement(copy.end(behind: start, Migrator.rangeSize), in: database)
      .firstInteger()
    {
      try run(copy.statement(into: table, (start, end)))
      let rows = database.changesCount
      written += rows
      meter.add(rows, copy.entity)
      start = end
    }
    return written
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

extension Database {
  /// Rows that the last statement has written.
  var changesCount: Int { Int(sqlite3_changes64(sqliteConnection)) }
}
