package import DatastoreCore

extension MigrationPlan {
  package struct Forecast {
    package var forecast = MigrationForecast.nothing
    package var writing = Writing()
    /// Whether data is lost that cannot be restored.
    package var isLosing = false
  }

  /// - Throws: the errors of the engine.
  package func forecast(in database: any MigrationDatabase) throws -> Forecast {
    if kind == .none { return Forecast() }
    var findings = try checks.run(database)
    if case .declared(let asked) = request.policy {
      for place in findings.losses.indices {
        findings.losses[place].isAsked = asked.contains(findings.losses[place])
      }
    }
    let obstacles = try findings.obstacles + obstaclesInTheWay(database) + duplicates(database)
    let writing = try writing(findings, database)
    let written = writing.rows
    let names = changes.map(\.entity) + written.keys.sorted()
    var seen = Set<String>()
    let entities = names.filter { seen.insert($0).inserted }.map { name in
      let changes = self.changes.filter { $0.entity == name }
      let rows = rows(of: name, findings)
      let isLosing = findings.losses.contains { loss in
        loss.entity == name
          || difference.old.entity(named: loss.entity).flatMap(difference.later)?.name == name
      }
      return MigrationForecast.EntityForecast(
        entity: name,
        kind: found(
          changes.map(\.kind).max() ?? .lossless, isLosing: isLosing, rows: written[name] ?? 0),
        changes: changes, rows: rows, rowsToWrite: written[name] ?? 0)
    }
    return Forecast(
      forecast: MigrationForecast(
        kind: found(
          kind, isLosing: !findings.losses.isEmpty, rows: written.values.reduce(0, +)),
        entities: entities, losses: findings.losses, obstacles: obstacles),
      writing: writing, isLosing: custom != nil || !findings.losses.isEmpty)
  }

  /// The kind of a change after a look into the store.
  private func found(_ kind: MigrationKind, isLosing: Bool, rows: Int) -> MigrationKind {
    if isLosing { return .loss }
    if rows > 0 { return kind == .checked ? .checked : .lossless }
    return min(kind, .instant)
  }

  private func rows(of name: String, _ findings: MigrationChecks.Findings) -> Int {
    let old =
      difference.new.entity(named: name).flatMap(difference.former)
      ?? difference.old.entity(named: name)
    return old.flatMap { findings.rows[$0.index] } ?? 0
  }

  /// The rows to write.
  package struct Writing {
    /// The rows and pairs that go into a new table, or lose a column, by the name of the entity.
    package var rows: [String: Int] = [:]
    /// The tables that they come from.
    package var tables: Set<String> = []

    package init() {}
  }

  /// - Throws: the errors of the engine.
  package func writing(
    _ findings: MigrationChecks.Findings, _ database: any MigrationDatabase
  ) throws -> Writing {
    var writing = Writing()
    let tables = Dictionary(
      script.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for feed in former.feeds.values.joined() {
      guard let table = tables[after.entities[feed.newRoot].table] else { continue }
      if case .altered = table.way, !script.writesRows(table) { continue }
      writing.tables.insert(before.entities[feed.oldRoot].table)
      for member in feed.members {
        writing.rows[after.schema.entities[member.new].name, default: 0] +=
          findings.rows[member.old] ?? 0
      }
    }
    for pairs in NativeTables(mapping: after).joinTables {
      guard case .made(_, let copies)? = tables[pairs.join.table]?.way, !copies.isEmpty else {
        continue
      }
      for former in difference.formerRelationships(pairs.link) {
        let former = FormerPairs(former, in: before)
        let count = try database.count(
          "SELECT count(*) FROM \(name: former.table) AS s WHERE \(former.isPair("s"))")
        writing.tables.insert(former.table)
        writing.rows[after.schema.entities[pairs.link.entity].name, default: 0] += count
      }
    }
    for transformation in custom?.transformations(besides: difference) ?? [] {
      guard let source = transformation.source.flatMap(difference.old.entity(named:)) else {
        continue
      }
      writing.tables.insert(before.entities[source.root].table)
      writing.rows[transformation.destination, default: 0] += findings.rows[source.index] ?? 0
    }
    writing.rows = writing.rows.filter { $0.value > 0 }
    return writing
  }
}
