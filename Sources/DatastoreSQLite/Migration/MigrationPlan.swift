import DatastoreCore
import DatastoreSQL
import GRDB

/// What it takes to bring a file from one schema to another: what changes, in words, and the statements that do it.
struct MigrationPlan {
  let difference: SchemaDifference
  let changes: [SchemaChange]
  let before: SchemaMapping
  let after: SchemaMapping
  let request: MigrationRequest
  /// What is done besides what follows from the schemas.
  let custom: CustomMigration?
  let former: FormerTables
  let script: MigrationScript
  let checks: MigrationChecks
  /// Whether indexes come or go.
  let changesIndexes: Bool
  /// The greatest kind of all that changes: what a file can do without touching rows counts as that.
  let kind: MigrationKind
  /// Whether no row is written, and nothing dropped that may hold a value.
  let isInstant: Bool

  /// - Parameter leg: how it comes there; directly without it.
  init(
    from old: Schema, to after: SchemaMapping, over leg: MigrationLeg? = nil,
    _ given: MigrationRequest
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
    before = SchemaMapping.native(difference.old)
    self.after = after
    self.request = request
    self.custom = custom
    former = FormerTables(difference, before: before, after: after, filled: custom?.filled ?? [])
    script = MigrationScript(former, after: after, request: request)
    checks = MigrationChecks(
      difference: difference, before: before, after: after, request: request, custom: custom,
      declared: DeclaredLosses(
        of: (leg?.through ?? request.versions) + [after.schema], after: difference.old))
    let oldIndexes = Set(NativeTables(mapping: former.renamed).indexes.map(\.rendered.text))
    let newIndexes = Set(NativeTables(mapping: after).indexes.map(\.rendered.text))
    changesIndexes = oldIndexes != newIndexes
    var kind = changes.map(\.kind).max() ?? .none
    if kind == .lossless, !script.touchesRows, custom == nil { kind = .instant }
    // A file that keeps its rows as they are, once they have been looked at.
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
  func requireAllowed(path: String) throws {
    switch request.policy {
    case .none:
      throw MigrationError(path: path, obstacles: [.notAllowed(changes)])
    case .instant where !isInstant:
      throw MigrationError(
        path: path, obstacles: [.touchesRows(changes.filter { $0.kind > .instant })])
    default: return
    }
  }

  /// Names that new tables and indexes need and that something of a user's has.
  ///
  /// - Throws: what SQLite reports.
  func obstaclesInTheWay(_ database: Database) throws -> [MigrationObstacle] {
    let ourTables = WordTables(before).names
      .union(before.entities.map { $0.table.lowercased() })
      .union(NativeTables(mapping: before).joinTables.map { $0.join.table.lowercased() })
    let ourIndexes = Set(
      NativeTables(mapping: before).describedIndexes.map { $0.name.lowercased() })
    let tables =
      after.entities.map(\.table) + NativeTables(mapping: after).joinTables.map(\.join.table)
    let indexes = NativeTables(mapping: after).describedIndexes.map(\.name)
    let needed = WordTables(after).names.union((tables + indexes).map { $0.lowercased() })
    let list = try RawStatement(
      "SELECT type, name FROM sqlite_master WHERE type <> 'trigger' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      in: database)
    var obstacles: [MigrationObstacle] = []
    while try list.step() {
      let (kind, name) = (list.value(at: 0).plainText, list.value(at: 1).plainText)
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

  /// Groups of objects that have the same values of what becomes unique, as far as their old tables show them.
  ///
  /// - Throws: what SQLite reports.
  func duplicates(_ database: Database) throws -> [MigrationObstacle] {
    let present = Set(
      NativeTables(mapping: former.renamed).describedIndexes.filter(\.isUnique)
        .map(\.statement.rendered.text))
    return try NativeTables(mapping: after).describedIndexes
      .filter { $0.isUnique && !present.contains($0.statement.rendered.text) }
      .compactMap { try duplicates(of: $0, database) }
  }

  private func duplicates(
    of index: NativeIndex, _ database: Database
  ) throws -> MigrationObstacle? {
    guard let entity = index.entity.map({ after.schema.entities[$0] }) else { return nil }
    let values = MigratedValues(
      difference: difference, mapping: before, after: after, request: request)
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
  /// What it changes, in words.
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
  /// With its properties by their names: those that are listed in another order are the same version.
  fileprivate var inAnyOrder: EntityDescription {
    var description = self
    description.properties.sort { $0.name < $1.name }
    return description
  }
}

/// Values that several rows have.
struct DuplicateGroups {
  /// Up to five, as text.
  var groups: [String] = []
  var isMore = false

  /// - Throws: what SQLite reports.
  init?(_ columns: [String], in source: SQLFragment, _ database: Database) throws {
    if columns.isEmpty { return nil }
    let names = columns.map { "\(name: $0)" as SQLFragment }
    let statement = try RawStatement(
      """
      SELECT \(names.joined(by: ", ")) FROM (\(source)) \
      WHERE \(names.map { $0 + " IS NOT NULL" }.joined(by: " AND ")) \
      GROUP BY \(names.joined(by: ", ")) HAVING count(*) > 1 LIMIT 6
      """, in: database)
    while try statement.step() {
      if groups.count == 5 {
        isMore = true
        break
      }
      let values = columns.indices.map { statement.value(at: Int32($0)).shortText }
      groups.append(values.joined(separator: ", "))
    }
    statement.reset()
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
