package import DatastoreCore

/// The tables of an older file during a migration: the sources of each new table's rows, and the names that
/// these tables have until then.
///
/// A table or a column with a single successor is renamed to it first, which engines do without touching
/// rows, and in everything that refers to it. Only differences in columns remain.
package struct FormerTables: Sendable {
  /// Rows of one old table that become rows of one new table.
  package struct Feed: Sendable {
    package let oldRoot: EntityIndex
    package let newRoot: EntityIndex
    /// Entities that have rows of their own, and their successors.
    package let members: [(old: EntityIndex, new: EntityIndex)]
  }

  package let difference: SchemaDifference
  /// The tables after they were renamed.
  package let renamed: SchemaMapping
  /// By index of the root of a new family.
  package let feeds: [EntityIndex: [Feed]]
  /// By index of the root of a new family: the root of the old family whose table becomes its table.
  package let successors: [EntityIndex: EntityIndex]
  /// Old tables of pairs, by their new names, that become the new tables with these names.
  package let keptPairs: Set<String>
  /// The statements that rename them.
  package let renames: [SQLFragment]

  /// - Parameter filled: new entities that get no rows of old ones here.
  package init(
    _ difference: SchemaDifference, before: SchemaMapping, after: SchemaMapping,
    filled: Set<String> = []
  ) {
    self.difference = difference
    feeds = Self.feeds(difference, filled)
    successors = Self.successors(feeds)
    var planner = RenamePlanner(difference, before: before, after: after, successors: successors)
    for (new, old) in successors.sorted(by: { $0.key < $1.key }) { planner.match(old, new, feeds) }
    for pairs in NativeTables(mapping: after).joinTables { planner.match(pairs) }
    keptPairs = planner.keptPairs
    let changes = planner.changes
    renamed = before.renaming(changes)
    renames = planner.statements
  }

  private static func feeds(
    _ difference: SchemaDifference, _ filled: Set<String>
  ) -> [EntityIndex: [Feed]] {
    var members: [EntityIndex: [EntityIndex: [(old: EntityIndex, new: EntityIndex)]]] = [:]
    for entity in difference.new.entities
    where !entity.isAbstract && !filled.contains(entity.name) {
      guard let former = difference.former(entity), !former.isAbstract else { continue }
      members[entity.root, default: [:]][former.root, default: []].append(
        (former.index, entity.index))
    }
    return Dictionary(
      uniqueKeysWithValues: members.map { newRoot, sources in
        // The root's own rows come first, and keep their keys.
        let own = difference.formerEntities[newRoot].map { difference.old.entities[$0].root }
        let ordered = sources.keys.sorted {
          ($0 == own ? 0 : 1, difference.old.entities[$0].name)
            < ($1 == own ? 0 : 1, difference.old.entities[$1].name)
        }
        return (
          newRoot,
          ordered.map { Feed(oldRoot: $0, newRoot: newRoot, members: sources[$0] ?? []) }
        )
      })
  }

  private static func successors(_ feeds: [EntityIndex: [Feed]]) -> [EntityIndex: EntityIndex] {
    var uses: [EntityIndex: Int] = [:]
    for feed in feeds.values.joined() { uses[feed.oldRoot, default: 0] += 1 }
    return feeds.compactMapValues { feeds in
      feeds.count == 1 && uses[feeds[0].oldRoot] == 1 ? feeds[0].oldRoot : nil
    }
  }
}

/// Chooses the temporary names of old tables and columns.
private struct RenamePlanner {
  let difference: SchemaDifference
  let before: SchemaMapping
  let after: SchemaMapping
  /// The matches, by old names.
  private var wanted = NameChanges()
  private(set) var keptPairs: Set<String> = []

  init(
    _ difference: SchemaDifference, before: SchemaMapping, after: SchemaMapping,
    successors: [EntityIndex: EntityIndex]
  ) {
    self.difference = difference
    self.before = before
    self.after = after
  }

  /// Matches the columns of a family's table with those of its successor.
  mutating func match(
    _ oldRoot: EntityIndex, _ newRoot: EntityIndex, _ feeds: [EntityIndex: [FormerTables.Feed]]
  ) {
    let old = before.entities[oldRoot]
    let new = after.entities[newRoot]
    wanted.tables[old.table] = new.table
    var sources: [String: Set<String>] = [:]
    for (former, entity) in feeds[newRoot]?.first?.members ?? [] {
      for slot in after.entities[entity].slots.indices {
        guard let name = ownColumn(after, entity, slot),
          let source = source(of: slot, in: entity, former)
        else { continue }
        sources[name, default: []].insert(source)
      }
    }
    for (name, source) in orderSources(oldRoot, newRoot) {
      sources[name, default: []].insert(source)
    }
    var columns = [old.keyColumn: new.keyColumn]
    if let former = old.family?.discriminator, let discriminator = new.family?.discriminator {
      columns[former] = discriminator
    }
    for (name, found) in sources.sorted(by: { $0.key < $1.key }) {
      if found.count == 1, let source = found.first, columns[source] == nil {
        columns[source] = name
      }
    }
    wanted.columns[old.table] = columns
  }

  /// The column of a slot in the row itself.
  private func ownColumn(_ mapping: SchemaMapping, _ entity: EntityIndex, _ slot: Slot) -> String? {
    mapping.entities[entity].slots[slot].columns.first?.name
  }

  private func source(of slot: Slot, in entity: EntityIndex, _ former: EntityIndex) -> String? {
    let entity = difference.new.entities[entity]
    if entity.links[slot] == nil {
      return difference.formerSlots[entity.index][slot].flatMap { ownColumn(before, former, $0) }
    }
    guard let relationship = difference.formerRelationship(slot, of: entity) else { return nil }
    let pairs = FormerPairs(relationship, in: before)
    let mapped = before.entities[former]
    return !pairs.isJoin && pairs.table == mapped.table && pairs.own == mapped.keyColumn
      ? pairs.other : nil
  }

  /// Order columns of relationships to rows of a family, with their predecessors.
  private func orderSources(_ oldRoot: EntityIndex, _ newRoot: EntityIndex) -> [(String, String)] {
    let former = before.entities[oldRoot]
    return difference.new.entities.flatMap { owner in
      owner.links.compactMap { link -> (String, String)? in
        guard let link, link.entity == owner.index,
          difference.new.entities[link.destination].root == newRoot,
          case .toManyForeignKey(_, let order?) = after.entities[owner.index].slots[link.slot],
          let relationship = difference.formerRelationships(link).first
        else { return nil }
        let pairs = FormerPairs(relationship, in: before)
        guard !pairs.isJoin, pairs.table == former.table, pairs.other == former.keyColumn,
          let source = pairs.ownOrder
        else { return nil }
        return (order, source)
      }
    }
  }

  /// Matches a table of pairs with its predecessor.
  mutating func match(_ pairs: NativeJoin) {
    let formers = difference.formerRelationships(pairs.link)
    guard formers.count == 1 else { return }
    let former = FormerPairs(formers[0], in: before)
    guard former.isJoin, former.isSymmetric == pairs.join.isSymmetric,
      wanted.tables[former.table] == nil
    else { return }
    wanted.tables[former.table] = pairs.join.table
    var columns = [former.own: pairs.join.ownColumns[0], former.other: pairs.join.otherColumns[0]]
    if let order = former.ownOrder, let new = pairs.join.orderColumn { columns[order] = new }
    if let order = former.otherOrder, let new = pairs.join.otherOrderColumn {
      columns[order] = new
    }
    wanted.columns[former.table] = columns
    keptPairs.insert(pairs.join.table)
  }

  /// The native tables with their columns, by old names.
  private var columnsByTable: [String: [String]] {
    let tables = NativeTables(mapping: before)
    var columns: [String: [String]] = [:]
    for entity in before.schema.entities where entity.parent == nil {
      columns[before.entities[entity.index].table] =
        tables.definitions(of: entity).map(\.leadingName)
    }
    for pairs in tables.joinTables {
      columns[pairs.join.table] = tables.definitions(of: pairs).map(\.leadingName)
    }
    return columns
  }

  /// The names that all of them get: the wanted ones, and others if those are in use.
  var changes: NameChanges {
    var changes = NameChanges()
    let columns = columnsByTable
    changes.tables = names(of: columns.keys.sorted(), wanted: wanted.tables)
    for (table, names) in columns {
      changes.columns[table] = self.names(of: names, wanted: wanted.columns[table] ?? [:])
    }
    return changes
  }

  private var mostBytes: Int? { before.dialect.mostBytesOfNames }

  private func names(of names: [String], wanted: [String: String]) -> [String: String] {
    var taken = NameRegistry(taken: Array(wanted.values), mostBytes: mostBytes)
    var changes = wanted
    for name in names where wanted[name] == nil {
      changes[name] = taken.contains(name) ? taken.claim("_old_\(name)") : taken.claim(name)
    }
    return changes
  }

  var statements: [SQLFragment] {
    let changes = self.changes
    var statements: [SQLFragment] = steps(changes.tables).map {
      "ALTER TABLE \(name: $0) RENAME TO \(name: $1)"
    }
    for (table, columns) in changes.columns.sorted(by: { $0.key < $1.key }) {
      let table = changes.table(table)
      statements += steps(columns).map {
        "ALTER TABLE \(name: table) RENAME COLUMN \(name: $0) TO \(name: $1)"
      }
    }
    return statements
  }

  /// The renamings in sequence, because some names are used by others before.
  private func steps(_ changes: [String: String]) -> [(String, String)] {
    let changed = changes.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
    let present = Set(changes.keys.map { $0.lowercased() })
    guard changed.contains(where: { present.contains($0.value.lowercased()) }) else {
      return changed.map { ($0.key, $0.value) }
    }
    var names = NameRegistry(
      taken: changes.flatMap { [$0.key, $0.value] }, mostBytes: mostBytes)
    let between = changed.map { names.claim("_between_\($0.key)") }
    return zip(changed, between).map { ($0.key, $1) } + zip(changed, between).map { ($1, $0.value) }
  }
}
