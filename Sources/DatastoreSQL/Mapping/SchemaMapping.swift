import Basics
package import DatastoreCore

/// The mapping between the entities of a schema and the tables of a database.
///
/// The only place where kinds of databases differ: native tables (`native(_:dialect:)`), and third-party
/// tables, which an engine reads from the database, also under the classes of a model. Everything above works
/// on slots and `Int64` keys.
package struct SchemaMapping: Sendable {
  package let schema: Schema
  /// The database's own schema: a part of `schema` if it is one of several stores.
  package let fileSchema: Schema
  package private(set) var entities: ByEntity<EntityMapping>
  package let isNative: Bool
  /// The SQL of the engine.
  package let dialect: any SQLDialect
  /// Interned keys of entities without an integer key, by entity index.
  package let keyTables: KeyTables
  /// The tables that reject certain writes, by their names in lower case.
  package var refusals: [String: TableRefusal] = [:]

  /// - Parameter fileSchema: the database's own schema; nil for `schema`.
  package init(
    schema: Schema, entities: ByEntity<EntityMapping>, isNative: Bool, dialect: any SQLDialect,
    fileSchema: Schema? = nil
  ) {
    self.schema = schema
    self.fileSchema = fileSchema ?? schema
    self.entities = entities
    self.isNative = isNative
    self.dialect = dialect
    keyTables = KeyTables(
      entities.map { entity in
        if case .rowid = entity.key { return nil }
        return KeyTable(isOfWholeRows: entity.key == .wholeRow, budget: dialect.keyBudget)
      }, budget: dialect.keyBudget)
  }
}

extension SchemaMapping {
  /// The mapping without indexes of words, so that every text is searched. Keys are those of this mapping.
  package var withoutWordIndexes: SchemaMapping {
    var mapping = self
    mapping.entities = ByEntity(
      entities.map { entity in
        var entity = entity
        entity.slots = BySlot(
          entity.slots.map { slot in
            guard case .attribute(var column) = slot else { return slot }
            column.wordIndex = nil
            return .attribute(column)
          })
        return entity
      })
    return mapping
  }

  /// The tables that are indexes of words, in lower case.
  package var wordTableNames: Set<String> {
    var names: Set<String> = []
    for case .attribute(let column) in entities.flatMap(\.slots) {
      if let index = column.wordIndex { names.insert(index.table.lowercased()) }
    }
    return names
  }
}

/// The column that distributes the rows of a table over machines.
package struct TableDistribution: Hashable, Sendable {
  /// The first part of the primary key.
  package let column: String
  /// Whether they are actually distributed, and not only ordered by that column.
  package let isSpread: Bool

  package init(column: String, isSpread: Bool) {
    self.column = column
    self.isSpread = isSpread
  }
}

/// The mapping of one entity to its table or view.
package struct EntityMapping: Sendable {
  package let table: String
  /// The prefix of the table's name in SQL, with a dot, if the name alone does not resolve.
  package var namespace: String?
  package let kind: EntityInformation.Kind
  package let key: KeyMapping
  package internal(set) var slots: BySlot<SlotMapping>
  /// The `CREATE` statement of a third-party file, for display.
  package var declaration: String?
  /// Whether keys of deleted rows are never used again (`AUTOINCREMENT`).
  package var isAutoincrement = false
  /// The reason why its rows cannot be read: the end of a sentence. nil if they can.
  package var unreadableReason: String?
  /// All columns of the table in its order, for rows that are their own key.
  package var allColumns: [String] = []
  /// The slot of the attribute that is the integer primary key itself, in third-party files.
  package var keySlot: Slot?
  /// Order columns of other entities' ordered relationships that are in this table.
  package var orderColumns: [String] = []
  /// How its rows are distinguished from those of the other entities of its family in the same table; nil for
  /// an entity without a family.
  package var family: FamilyMapping?
  /// How the rows of the table are distributed over machines, in native tables.
  package var distribution: TableDistribution?
  /// The checks of its cells on reading, in third-party files under a model's classes.
  package var cellRules: [CellRule] = []

  package init(
    table: String, namespace: String? = nil, kind: EntityInformation.Kind, key: KeyMapping,
    slots: BySlot<SlotMapping>,
    declaration: String? = nil, isAutoincrement: Bool = false, unreadableReason: String? = nil,
    allColumns: [String] = [], keySlot: Slot? = nil, orderColumns: [String] = [],
    family: FamilyMapping? = nil, cellRules: [CellRule] = []
  ) {
    self.table = table
    self.namespace = namespace
    self.kind = kind
    self.key = key
    self.slots = slots
    self.declaration = declaration
    self.isAutoincrement = isAutoincrement
    self.unreadableReason = unreadableReason
    self.allColumns = allColumns
    self.keySlot = keySlot
    self.orderColumns = orderColumns
    self.family = family
    self.cellRules = cellRules
  }
}

extension EntityMapping {
  /// The name of the table in statements.
  package var qualifiedTable: SQLFragment { SQLFragment(table: table, in: namespace) }

  /// Whether columns determine the machine of a row, so that no statement may change them.
  package func isPlace(_ columns: [String]) -> Bool {
    guard let distribution, distribution.isSpread else { return false }
    return columns.contains { $0.isExactly(distribution.column) }
  }

  /// The column of the key if no property shows it: in native tables.
  package var hiddenKey: String? {
    guard case .rowid(let name) = key, allColumns.isEmpty, keySlot == nil else { return nil }
    return name
  }

  /// The attributes whose columns the database fills in when they are left out.
  package var computedDefaults: [Slot] {
    slots.indices.filter { slots[$0].attributeColumn?.hasComputedDefault ?? false }
  }

  /// Whether a slot is stored in columns that identify the rows of a third-party table.
  package func isKeyPart(slot: Slot) -> Bool {
    if slot == keySlot { return true }
    guard case .columns(let names) = key else { return false }
    switch slots[slot] {
    case .attribute(let column): return names.place(ofName: column.name) != nil
    case .toOne(let foreign): return !names.allSatisfy { foreign.names.place(ofName: $0) == nil }
    case .toManyForeignKey, .toManyJoin: return false
    }
  }
}

/// The identity of the rows of a table.
package enum KeyMapping: Sendable, Hashable {
  /// The rowid, by a name that refers to it.
  case rowid(String)
  /// The primary key of a `WITHOUT ROWID` table.
  case columns([String])
  /// All columns and an occurrence number: for views, and tables without a better key.
  case wholeRow
}

/// The storage of one slot.
package enum SlotMapping: Sendable, Hashable {
  case attribute(Column)
  case toOne(ForeignKey)
  /// The destination's to-one relationship in `inverseSlot` holds this one.
  case toManyForeignKey(inverseSlot: Slot, orderColumn: String?)
  case toManyJoin(JoinTable)

  /// The columns of the entity's own table that store it.
  package var columns: [Column] {
    switch self {
    case .attribute(let column): [column]
    case .toOne(let foreign): foreign.columns
    case .toManyForeignKey, .toManyJoin: []
    }
  }

  /// The column of an attribute.
  package var attributeColumn: Column? {
    if case .attribute(let column) = self { column } else { nil }
  }

  /// Whether saving writes its columns: those that are neither computed nor written by other properties.
  package var isWritable: Bool {
    switch self {
    case .attribute(let column): !column.isGenerated
    case .toOne(let foreign): foreign.isWritable
    case .toManyForeignKey, .toManyJoin: false
    }
  }

  /// Whether something else writes its columns.
  package var isComputed: Bool { !columns.isEmpty && !isWritable }
}

/// Columns that hold the key of a row elsewhere.
package struct ForeignKey: Sendable, Hashable {
  package var columns: [Column]
  package var destination: EntityIndex
  package let reference: KeyReference
  /// Whether saving writes the columns; not when attributes or other relationships own them.
  package var isWritable = true
  /// Whether an index finds the rows with a given key.
  package var isIndexed = true

  package init(
    columns: [Column], destination: EntityIndex, reference: KeyReference, isWritable: Bool = true,
    isIndexed: Bool = true
  ) {
    self.columns = columns
    self.destination = destination
    self.reference = reference
    self.isWritable = isWritable
    self.isIndexed = isIndexed
  }

  package var names: [String] { columns.map(\.name) }
}

/// The values of foreign key columns: the part of the destination row that they refer to.
package enum KeyReference: Sendable, Hashable {
  /// Its rowid.
  case rowid
  /// The primary key of a `WITHOUT ROWID` table, in its order.
  case primaryKey
  /// Other unique columns.
  case columns([String])
}

extension JoinTable {
  /// The name of the table in statements.
  package var qualifiedTable: SQLFragment { SQLFragment(table: table, in: namespace) }
}

extension SQLFragment {
  fileprivate init(table: String, in namespace: String?) {
    self = namespace.map { "\(name: $0).\(name: table)" } ?? "\(name: table)"
  }
}

/// A table of pairs, seen from one of its sides.
package struct JoinTable: Sendable, Hashable {
  package var table: String
  /// The prefix of the table's name in SQL, with a dot, if the name alone does not resolve.
  package var namespace: String?
  package var ownColumns: [String]
  package let ownReference: KeyReference
  package var otherColumns: [String]
  package let otherReference: KeyReference
  /// The column of this side's order.
  package var orderColumn: String?
  /// The column of the other side's order.
  package var otherOrderColumn: String?
  /// Whether a pair counts in both directions: for a relationship that is its own inverse.
  package var isSymmetric = false
  /// Whether the file allows the same pair twice.
  package var mayRepeat = false
  /// Whether an index finds the pairs of an owner.
  package var isIndexed = true

  package init(
    table: String, namespace: String? = nil, ownColumns: [String], ownReference: KeyReference,
    otherColumns: [String],
    otherReference: KeyReference, orderColumn: String? = nil, otherOrderColumn: String? = nil,
    isSymmetric: Bool = false, mayRepeat: Bool = false, isIndexed: Bool = true
  ) {
    self.table = table
    self.namespace = namespace
    self.ownColumns = ownColumns
    self.ownReference = ownReference
    self.otherColumns = otherColumns
    self.otherReference = otherReference
    self.orderColumn = orderColumn
    self.otherOrderColumn = otherOrderColumn
    self.isSymmetric = isSymmetric
    self.mayRepeat = mayRepeat
    self.isIndexed = isIndexed
  }
}
