import DatastoreCore

/// Fills the new tables of one step: with copied rows, then with rows made by closures.
package struct MigrationFilling {
  /// The greatest number of rows copied by one statement: determines how soon a cancellation is noticed.
  private static let rangeSize = 50_000
  /// With progress reports, a table is copied in twenty parts, but in no fewer rows than these.
  private static let leastRangeSize = 500

  let path: String
  let plan: MigrationPlan
  let script: MigrationScript
  let keys: KeyPlan
  let database: any MigrationDatabase
  let step: StepNumber
  /// Receives the percentage that is done.
  let report: ((_ percent: Int) -> Void)?

  /// - Parameters:
  ///   - path: the name of the store.
  ///   - script: the fate of each table, made for the keys and losses that were found.
  package init(
    path: String, _ plan: MigrationPlan, _ script: MigrationScript, _ keys: KeyPlan,
    in database: any MigrationDatabase, step: StepNumber, report: ((_ percent: Int) -> Void)? = nil
  ) {
    self.path = path
    self.plan = plan
    self.script = script
    self.keys = keys
    self.database = database
    self.step = step
    self.report = report
  }

  /// The names under which new tables are filled.
  package var temporaryNames: [(table: String, temporary: String)] {
    var names = NameRegistry(
      taken: script.tables.map(\.name) + plan.before.entities.map(\.table)
        + plan.former.renamed.entities.map(\.table),
      mostBytes: plan.after.dialect.mostBytesOfNames)
    return script.tables.filter { !$0.isAltered }.map { ($0.name, names.claim("_new_\($0.name)")) }
  }

  /// Creates the new tables under their temporary names, and fills them.
  ///
  /// - Returns: the number of rows written, by the name of a table.
  /// - Throws: `MigrationError`; the errors of the engine; `CancellationError`.
  package func perform() throws -> [String: Int] {
    let temporary = Dictionary(
      temporaryNames.map { ($0.table, $0.temporary) }, uniquingKeysWith: { first, _ in first })
    var works: [(table: MigrationScript.Table, name: String, copies: [(RowCopy, Int)])] = []
    for table in script.tables {
      guard case .made(let create, let copies) = table.way, let name = temporary[table.name] else {
        continue
      }
      try database.run(create(name))
      works.append((table, name, try copies.map { ($0, try database.count($0.count)) }))
    }
    let transformations = CustomRun(self, temporary)
    let meter = Meter(
      total: works.reduce(0) { $0 + $1.copies.reduce(0) { $0 + $1.1 } }
        + (try transformations?.sourceCount ?? 0),
      step: step, report: report, progress: plan.request.progress)
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

  /// Reports progress.
  final class Meter {
    private let total: Int
    private var done = 0
    private let step: StepNumber
    private let report: ((Int) -> Void)?
    private let progress: (@Sendable (MigrationProgress) -> Void)?

    init(
      total: Int, step: StepNumber, report: ((Int) -> Void)?,
      progress: (@Sendable (MigrationProgress) -> Void)?
    ) {
      self.total = total
      self.step = step
      self.report = report
      self.progress = progress
    }

    func add(_ rows: Int, _ entity: String) {
      done += rows
      let state = MigrationProgress(
        phase: .copying, step: step.number, stepCount: step.count, entity: entity,
        rowsDone: done, rowsTotal: total)
      report?(Int(state.fractionCompleted * 100))
      progress?(state)
    }
  }

  func copy(_ copy: RowCopy, into table: String, _ count: Int, _ meter: Meter) throws -> Int {
    let size =
      plan.request.progress == nil
      ? Self.rangeSize : min(max(count / 20, Self.leastRangeSize), Self.rangeSize)
    if count <= size {
      let written = try database.run(copy.statement(into: table, nil))
      meter.add(written, copy.entity)
      return written
    }
    var written = 0
    var start = Int64.min
    // The least integer cannot be an exclusive lower bound, so it is looked for separately.
    while case .integer(let end)? = try database.rows(copy.end(behind: start, size))
      .first?.first
    {
      let rows = try database.run(copy.statement(into: table, (start, end)))
      written += rows
      meter.add(rows, copy.entity)
      start = end
    }
    return written
  }
}
