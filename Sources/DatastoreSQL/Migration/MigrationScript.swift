package import DatastoreCore

/// The statements that bring the tables of a file to a newer schema.
///
/// Made from both mappings, without reading the database. Old tables are renamed first (`FormerTables`). If
/// the rest can be done by adding and dropping columns, the engine does that; every other table is created
/// under another name, filled in one pass over each source table, and replaces the old one.
package struct MigrationScript: Sendable {
  /// The fate of one table of the new schema.
  package struct Table: Sendable {
    package let name: String
    /// The entity, or the relationship, to show meanwhile.
    package let entity: String
    package let way: Way
  }

  package enum Way: Sendable {
    /// The old table is kept, with other columns.
    case altered(dropped: [String], added: [SQLFragment])
    /// The table is created and filled.
    ///
    /// - create: creates it under a name.
    case made(create: @Sendable (String) -> SQLFragment, copies: [RowCopy])
  }

  let former: FormerTables
  let dialect: any MigrationDialect
  package let tables: [Table]
  /// Old tables to drop, by the names that they are renamed to.
  package let dropped: [String]

  /// - Parameters:
  ///   - offsets: the offsets of keys, if families are merged.
  ///   - losesMisfits: whether values were found that do not fit, and may be lost.
  package init(
    _ former: FormerTables, after: SchemaMapping, request: MigrationRequest,
    dialect: any MigrationDialect, offsets: KeyOffsets = KeyOffsets(), losesMisfits: Bool = false
  ) {
    self.former = former
    self.dialect = dialect
    let values = MigratedValues(
      difference: former.difference, mapping: former.renamed, after: after, request: request,
      dialect: dialect, offsets: offsets, losesMisfits: losesMisfits)
    let planner = TablePlanner(former: former, after: after, values: values)
    tables = planner.tables
    let kept = Set(tables.filter { $0.isAltered }.map(\.name))
    dropped = planner.oldTables.filter { !kept.contains($0) }
  }

  /// The statements of a step whose data was checked.
  package init(_ plan: MigrationPlan, _ keys: KeyPlan, losesMisfits: Bool) {
    self.init(
      plan.former, after: plan.after, request: plan.request, dialect: plan.dialect,
      offsets: keys.offsets, losesMisfits: losesMisfits)
  }

  /// The statements that add new columns to kept tables.
  package var additions: [SQLFragment] {
    tables.flatMap { table in
      guard case .altered(_, let added) = table.way else { return [SQLFragment]() }
      return added.map { "ALTER TABLE \(name: table.name) ADD COLUMN \($0)" }
    }
  }

  /// The columns to drop from kept tables.
  package var droppedColumns: [(table: String, column: String)] {
    tables.flatMap { table in
      guard case .altered(let dropped, _) = table.way else { return [(String, String)]() }
      return dropped.map { (table.name, $0) }
    }
  }

  /// Whether rows are written: false if columns and tables are only added, renamed or, when they are empty,
  /// dropped.
  package var touchesRows: Bool {
    tables.contains(where: writesRows)
  }

  /// Whether filling or changing a table writes rows.
  package func writesRows(_ table: Table) -> Bool {
    switch table.way {
    case .altered(let dropped, _): dialect.dropsByWriting && !dropped.isEmpty
    case .made(_, let copies): !copies.isEmpty
    }
  }

  /// Whether any table or index differs.
  package var changesTables: Bool {
    !former.renames.isEmpty || !dropped.isEmpty
      || tables.contains { table in
        if case .altered(let dropped, let added) = table.way {
          return !dropped.isEmpty || !added.isEmpty
        }
        return true
      }
  }
}

extension MigrationScript.Table {
  package var isAltered: Bool {
    if case .altered = way { true } else { false }
  }
}

/// Decides how each table of the new schema is made.
private struct TablePlanner {
  let former: FormerTables
  let after: SchemaMapping
  let values: MigratedValues

  private var newTables: NativeTables { NativeTables(mapping: after) }
  private var oldNativeTables: NativeTables { NativeTables(mapping: former.renamed) }

  var oldTables: [String] {
    let schema = former.renamed.schema
    return schema.entities.filter { $0.parent == nil }.map {
      former.renamed.entities[$0.index].table
    }
      + oldNativeTables.joinTables.map(\.join.table)
  }

  var tables: [MigrationScript.Table] {
    after.schema.entities.filter { $0.parent == nil }.map(table) + newTables.joinTables.map(table)
  }

  private func table(_ root: Entity) -> MigrationScript.Table {
    let tables = newTables
    let definitions = tables.definitions(of: root)
    let copies = (former.feeds[root.index] ?? []).map { values.copy($0) }
    var way: MigrationScript.Way?
    if let old = former.successors[root.index], copies.count == 1 {
      let oldRoot = former.renamed.schema.entities[old]
      way = alteration(oldNativeTables.definitions(of: oldRoot), definitions, copies[0])
    }
    return MigrationScript.Table(
      name: after.entities[root.index].table, entity: root.name,
      way: way
        ?? .made(create: { tables.table(root, named: $0) }, copies: copies))
  }

  private func table(_ pairs: NativeJoin) -> MigrationScript.Table {
    let tables = newTables
    let copies = values.copies(pairs)
    var way: MigrationScript.Way?
    if former.keptPairs.contains(pairs.join.table), copies.count == 1,
      let old = oldNativeTables.joinTables.first(where: { $0.join.table == pairs.join.table }),
      old.join.ownColumns == pairs.join.ownColumns
    {
      // A new order is empty, which means the order of keys.
      let copy = copies[0]
      let names = tables.definitions(of: pairs).map(\.leadingName)
      way = alteration(
        oldNativeTables.definitions(of: old), tables.definitions(of: pairs),
        RowCopy(
          entity: copy.entity, source: copy.source, rangeColumn: copy.rangeColumn, columns: names,
          values: names.map { name in
            copy.columns.firstIndex(of: name).map { copy.values[$0] } ?? "NULL"
          }, condition: copy.condition))
    }
    let owner = after.schema.entities[pairs.link.entity].name
    return MigrationScript.Table(
      name: pairs.join.table, entity: "\(owner).\(pairs.link.description.name)",
      way: way ?? .made(create: { tables.table(pairs, named: $0) }, copies: copies))
  }

  /// The alteration that turns an old table into a new one in place; nil if its rows have to be written.
  private func alteration(
    _ old: [SQLFragment], _ new: [SQLFragment], _ copy: RowCopy
  ) -> MigrationScript.Way? {
    guard copy.condition == nil else { return nil }
    let oldByName = Dictionary(
      old.map { ($0.leadingName, $0) }, uniquingKeysWith: { first, _ in first })
    let sources = Dictionary(
      zip(copy.columns, copy.values).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    var added: [SQLFragment] = []
    for definition in new {
      let name = definition.leadingName
      let source = sources[name] ?? "NULL"
      if let present = oldByName[name] {
        guard present.withoutDefault == definition.withoutDefault, source == values.column(name)
        else { return nil }
      } else if Self.canBeAdded(definition, source) {
        added.append(definition)
      } else {
        return nil
      }
    }
    let kept = Set(new.map(\.leadingName))
    let dropped = old.map(\.leadingName).filter { !kept.contains($0) }
    guard dropped.count <= values.dialect.mostDroppedColumns else { return nil }
    return .altered(dropped: dropped, added: added)
  }

  /// Whether an engine can add a column so that it has the wanted value in every row.
  private static func canBeAdded(_ definition: SQLFragment, _ value: SQLFragment) -> Bool {
    // A rule holds for NULL and for a default, which engines check themselves; a requirement on some rows of
    // a family does not.
    if definition.says("CHECK"), definition.says(" IS NOT NULL") { return false }
    if value == "NULL" { return !definition.says("NOT NULL") && !definition.says(" DEFAULT ") }
    return value.isConstant && definition.says(" DEFAULT ")
  }
}
