package import DatastoreCore
import DatastoreSQL
package import Foundation
import GRDB
import SQLiteFiles

extension Migrator {
  /// Opens the file by itself, migrates it, and closes it again.
  ///
  /// - Throws: like `run`.
  func migrateFile(synchronous: Synchronous, trace: SQLTrace?) throws {
    do {
      let connection = try Connections.writer(
        at: path, mapping: after, synchronous: synchronous, enforcesForeignKeys: false,
        trace: trace)
      try connection.writeWithoutTransaction { database in
        if request.policy == .recreating {
          try recreate(database)
        } else {
          _ = try run(database)
        }
        // Others may be reading; what cannot be moved into the file now stays in the log.
        _ = try? database.checkpoint(.truncate)
      }
      try connection.close()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  /// Erases everything in the file, where it does not fit, and makes it again.
  private func recreate(_ database: Database) throws {
    try database.inTransaction(.immediate) {
      let old = try NativeFile.schema(in: database, path: path)
      let plan = MigrationPlan(from: old, to: after, request)
      let file = NativeFile(after, path: path)
      guard plan.kind > .metadata else {
        try FileMetadata.describe(
          after.schema.entities.map(\.description), version: after.schema.version, in: database)
        return .commit
      }
      // Views and triggers before the tables that they are about; a virtual table takes its own with it.
      for kind in ["trigger", "view", "table"] {
        let list = try RawStatement(
          """
          SELECT name FROM sqlite_master WHERE type = \(.text(kind)) \
          AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'
          """, in: database)
        var names: [String] = []
        while try list.step() { names.append(list.value(at: 0).plainText) }
        for name in names {
          let drop = SQLFragment(stringLiteral: "DROP \(kind.uppercased()) IF EXISTS ")
          try RawStatement(drop + "\(name: name)", in: database).run()
        }
      }
      try file.create(database)
      return .commit
    }
  }
}

extension SQLiteStore {
  /// What a migration of a file would do, found without writing it.
  ///
  /// - Throws: `StoreError`. A file that is missing, empty or made by another program needs no migration.
  package static func forecast(
    of schema: Schema, at url: URL, _ request: MigrationRequest
  ) throws -> MigrationForecast {
    let path = try self.path(of: url)
    guard try FileHeader.check(path) else { return .nothing }
    var side = SideFiles(path: path)
    defer { side.tidyUp() }
    do {
      return try side.reading(isReadOnly: true) { place in
        let probe = try DatabaseQueue(path: place, configuration: Connections.probing())
        defer { try? probe.close() }
        return try probe.read { database in
          guard try NativeFile.isNative(database) else { return .nothing }
          try NativeFile.checkFormat(database, path: path)
          let old = try NativeFile.schema(in: database, path: path)
          return try MigrationPlan(from: old, to: .native(schema), request).forecast(in: database)
        }
      }
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}

extension MigrationPlan {
  /// - Throws: what SQLite reports.
  func forecast(in database: Database) throws -> MigrationForecast {
    if kind == .none { return .nothing }
    try SQLFunctions.registerMigration(request.initialValues, in: database)
    let findings = try checks.run(database)
    let obstacles = try findings.obstacles + obstaclesInTheWay(database) + duplicates(database)
    let written = try rowsToWrite(findings, database)
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
    return MigrationForecast(
      kind: found(
        kind, isLosing: !findings.losses.isEmpty, rows: written.values.reduce(0, +)),
      entities: entities, losses: findings.losses, obstacles: obstacles)
  }

  /// What a kind comes down to, after a look into the file.
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

  /// By the name of the entity: the rows and pairs that go into a new table, or lose a column.
  private func rowsToWrite(
    _ findings: MigrationChecks.Findings, _ database: Database
  ) throws -> [String: Int] {
    var rows: [String: Int] = [:]
    let tables = Dictionary(
      script.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for feed in former.feeds.values.joined() {
      guard let table = tables[after.entities[feed.newRoot].table] else { continue }
      if case .altered(let dropped, _) = table.way, dropped.isEmpty { continue }
      for member in feed.members {
        rows[after.schema.entities[member.new].name, default: 0] += findings.rows[member.old] ?? 0
      }
    }
    for pairs in NativeTables(mapping: after).joinTables {
      guard case .made(_, let copies)? = tables[pairs.join.table]?.way, !copies.isEmpty else {
        continue
      }
      for former in difference.formerRelationships(pairs.link) {
        let former = FormerPairs(former, in: before)
        let count = try RawStatement(
          "SELECT count(*) FROM \(name: former.table) AS s WHERE \(former.isPair("s"))",
          in: database
        ).firstInteger()
        rows[after.schema.entities[pairs.link.entity].name, default: 0] += Int(count ?? 0)
      }
    }
    return rows.filter { $0.value > 0 }
  }
}
