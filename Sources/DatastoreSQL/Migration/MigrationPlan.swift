package import DatastoreCore

/// The plan for bringing a store from one schema to another: the changes, in words, and the statements.
package struct MigrationPlan: Sendable {
  package let difference: SchemaDifference
  package let changes: [SchemaChange]
  package let before: SchemaMapping
  package let after: SchemaMapping
  package let request: MigrationRequest
  /// The custom mappings, besides everything that follows from the schemas.
  package let custom: CustomMigration?
  package let dialect: any MigrationDialect
  package let former: FormerTables
  package let script: MigrationScript
  package let checks: MigrationChecks
  /// Whether indexes are created or removed.
  package let changesIndexes: Bool
  /// The most expensive kind of all changes; changes that a file can make without touching rows count as
  /// such.
  package let kind: MigrationKind
  /// Whether no row is written, and nothing dropped that may hold a value.
  package let isInstant: Bool

  /// - Parameter leg: the leg of a path; nil for a direct migration.
  package init(
    from old: Schema, to after: SchemaMapping, over leg: MigrationLeg? = nil,
    _ given: MigrationRequest, dialect: any MigrationDialect
  ) {
    var request = given
    if let initialValues = leg?.initialValues { request.initialValues = initialValues }
    let custom = leg?.custom
    difference = SchemaDifference(
      from: leg?.source ?? old, through: leg?.through ?? request.versions, to: after.schema,
      pairing: custom?.pairs ?? [])
    changes =
      difference.changes { request.hasInitial(entity: $0, slot: $1) }
      + (custom?.changes(besides: difference) ?? [])
    before = SchemaMapping.native(difference.old, dialect: after.dialect)
    self.after = after
    self.request = request
    self.custom = custom
    self.dialect = dialect
    former = FormerTables(difference, before: before, after: after, filled: custom?.filled ?? [])
    script = MigrationScript(former, after: after, request: request, dialect: dialect)
    checks = MigrationChecks(
      difference: difference, before: before, after: after, request: request, custom: custom,
      dialect: dialect,
      declared: DeclaredLosses(
        of: (leg?.through ?? request.versions) + [after.schema], after: difference.old))
    let oldIndexes = Set(
      NativeTables(mapping: former.renamed).indexes.map { $0.rendered(in: after.dialect).text })
    let newIndexes = Set(
      NativeTables(mapping: after).indexes.map { $0.rendered(in: after.dialect).text })
    changesIndexes = oldIndexes != newIndexes
    var kind = changes.map(\.kind).max() ?? .none
    if kind == .lossless, !script.touchesRows, custom == nil { kind = .instant }
    // A file whose rows do not change, once they have been checked.
    isInstant = kind <= .checked && !script.touchesRows && custom == nil
    if kind < .instant, script.changesTables || changesIndexes { kind = .instant }
    if kind < .lossless, script.touchesRows || custom != nil { kind = .lossless }
    let isSame =
      Set(before.schema.entities.map(\.description.inAnyOrder))
      == Set(after.schema.entities.map(\.description.inAnyOrder))
    if kind == .none, !isSame { kind = .metadata }
    self.kind = kind
  }

  /// - Throws: `MigrationError` when the policy does not allow migrations of the kind at all.
  package func requireAllowed(path: String) throws {
    switch request.policy {
    case .none:
      throw MigrationError(path: path, obstacles: [.notAllowed(changes)])
    case .instant where !isInstant:
      throw MigrationError(
        path: path, obstacles: [.touchesRows(changes.filter { $0.kind > .instant })])
    default: return
    }
  }

  /// Names of user-created objects that new tables and indexes need.
  ///
  /// - Throws: the errors of the engine.
  package func obstaclesInTheWay(
    _ database: any MigrationDatabase
  ) throws -> [MigrationObstacle] {
    let ourTables = database.namesBesideTables(of: before)
      .union(before.entities.map { $0.table.lowercased() })
      .union(NativeTables(mapping: before).joinTables.map { $0.join.table.lowercased() })
    let ourIndexes = Set(
      NativeTables(mapping: before).describedIndexes.map { $0.name.lowercased() })
    let tables =
      after.entities.map(\.table) + NativeTables(mapping: after).joinTables.map(\.join.table)
    let indexes = NativeTables(mapping: after).describedIndexes.map(\.name)
    let needed = database.namesBesideTables(of: after)
      .union((tables + indexes).map { $0.lowercased() })
    var obstacles: [MigrationObstacle] = []
    for (kind, name) in try database.namedObjects() {
      let lower = name.lowercased()
      guard needed.contains(lower), !ourTables.contains(lower), !ourIndexes.contains(lower) else {
        continue
      }
      obstacles.append(
        .inTheWay(
          kind: kind, name: name, detail: "the model needs that name; rename it in the file"))
    }
    return obstacles
  }

  /// Groups of objects with the same values of properties that become unique, as far as their old tables show
  /// them.
  ///
  /// - Throws: the errors of the engine.
  package func duplicates(_ database: any MigrationDatabase) throws -> [MigrationObstacle] {
    let text = { (index: NativeIndex) in index.statement.rendered(in: self.after.dialect).text }
    let present = Set(
      NativeTables(mapping: former.renamed).describedIndexes.filter(\.isUnique)
        .map(text))
    return try NativeTables(mapping: after).describedIndexes
      .filter { $0.isUnique && !present.contains(text($0)) }
      .compactMap { try duplicates(of: $0, database) }
  }

  private func duplicates(
    of index: NativeIndex, _ database: any MigrationDatabase
  ) throws -> MigrationObstacle? {
    guard let entity = index.entity.map({ after.schema.entities[$0] }) else { return nil }
    let values = MigratedValues(
      difference: difference, mapping: before, after: after, request: request,
      dialect: dialect)
    let members = entity.members.map { after.schema.entities[$0] }
    for feed in former.feeds[entity.root] ?? [] {
      let fed = feed.members.filter { member in members.contains { $0.index == member.new } }
      if fed.isEmpty { continue }
      let columns = index.properties.compactMap { property -> SQLFragment? in
        guard let slot = entity.slot(named: property) else { return nil }
        return values.combined(
          fed.map { member in
            let later = after.schema.entities[member.new]
            return (
              member.old,
              entity.links[slot] == nil
                ? values.attribute(slot, of: later).value : values.toOne(slot, of: later)
            )
          })
      }
      let names = columns.indices.map { "c\($0)" }
      let condition = values.condition(fed.map(\.old), oldRoot: feed.oldRoot)
      let source: SQLFragment = """
        SELECT \(zip(columns, names).map { "\($0) AS \(name: $1)" as SQLFragment }.joined(by: ", ")) \
        FROM \(name: before.entities[feed.oldRoot].table) AS s\
        \(condition.map { " WHERE " + $0 } ?? "")
        """
      if let found = try DuplicateGroups(names, in: source, database), !found.groups.isEmpty {
        return .duplicates(
          entity: entity.name, properties: index.properties, groups: found.groups,
          isMore: found.isMore)
      }
    }
    return nil
  }
}

extension CustomMigration {
  /// The changes, in words.
  fileprivate func changes(besides difference: SchemaDifference) -> [SchemaChange] {
    let transformations = transformations(besides: difference)
    var destinations: [String] = []
    for name in transformations.map(\.destination) where !destinations.contains(name) {
      destinations.append(name)
    }
    return destinations.map { name in
      .transformed(
        entity: name,
        from: transformations.filter { $0.destination == name }.compactMap(\.source))
    }
  }
}

extension EntityDescription {
  /// The description with its properties sorted by name: schemas that list them in another order are the same
  /// version.
  fileprivate var inAnyOrder: EntityDescription {
    var description = self
    description.properties.sort { $0.name < $1.name }
    return description
  }
}

/// Values shared by several rows.
package struct DuplicateGroups {
  /// Up to five, as text.
  package var groups: [String] = []
  package var isMore = false

  /// - Throws: the errors of the engine.
  package init?(
    _ columns: [String], in source: SQLFragment, _ database: any MigrationDatabase
  ) throws {
    if columns.isEmpty { return nil }
    let names = columns.map { "\(name: $0)" as SQLFragment }
    let rows = try database.rows(
      """
      SELECT \(names.joined(by: ", ")) FROM (\(source)) AS q \
      WHERE \(names.map { $0 + " IS NOT NULL" }.joined(by: " AND ")) \
      GROUP BY \(names.joined(by: ", ")) HAVING count(*) > 1 LIMIT 6
      """)
    groups = rows.prefix(5).map { $0.map(\.shortText).joined(separator: ", ") }
    isMore = rows.count > 5
  }
}

extension NativeIndex {
  /// What keeps the index from being made: the values that are not unique.
  ///
  /// - Throws: the errors of the engine.
  package func obstacle(
    in schema: Schema, _ database: any MigrationDatabase
  ) throws -> MigrationObstacle {
    let found = try DuplicateGroups(
      columns, in: "SELECT * FROM \(name: table)\(condition)", database)
    return .duplicates(
      entity: entity.map { schema.entities[$0].name } ?? table, properties: properties,
      groups: found?.groups ?? [], isMore: found?.isMore ?? false)
  }
}

extension Value {
  /// The value in a sentence.
  fileprivate var shortText: String {
    switch self {
    case .text(let text): String(text.prefix(40))
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .blob(let data): "\(data.count) bytes"
    case .null: "no value"
    }
  }
}
