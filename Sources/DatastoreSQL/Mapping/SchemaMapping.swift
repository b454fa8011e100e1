import Basics
package import DatastoreCore

/// How the entities of a schema meet the tables of a database.
///
/// The one place where kinds of databases differ: tables that we created (`native(_:dialect:)`), and tables
/// of other programs, which an engine reads from the database, also under the classes of a model. Everything
/// above works on slots and `Int64` keys.
package struct SchemaMapping: Sendable {
  package let schema: Schema
  /// What the database itself has: less than `schema` where it is one of several stores.
  package let fileSchema: Schema
  package private(set) var entities: ByEntity<EntityMapping>
  /// Whether the tables are of our own making.
  package let isNative: Bool
  /// The words of the engine that keeps the tables.
  package let dialect: any SQLDialect
  /// Interned keys of entities that have no integer key, by entity index.
  package let keyTables: KeyTables
  /// The tables that cannot be written as others can, by their names in lower case.
  package var refusals: [String: TableRefusal] = [:]

  /// - Parameter fileSchema: what the database itself has; `schema` without it.
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
  /// Without indexes of words: every text is looked at. Keys are those of this mapping.
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

/// By what the rows of a table are distributed over machines.
package struct TableDistribution: Hashable, Sendable {
  /// The first part of the primary key.
  package let column: String
  /// Whether they are distributed indeed, and not only in the order of that column.
  package let isSpread: Bool

  package init(column: String, isSpread: Bool) {
    self.column = column
    self.isSpread = isSpread
  }
}

/// How one entity meets its table or view.
package struct EntityMapping: Sendable {
  package let table: String
  /// The prefix of the table's name in SQL, with a dot, where that is not found by itself.
  package var namespace: String?
  package let kind: EntityInformation.Kind
  package let key: KeyMapping
  /// By slot.
  package internal(set) var slots: BySlot<SlotMapping>
  /// The `CREATE` statement of a third-party file, for display.
  package var declaration: String?
  /// Whether keys of deleted rows are never used again (`AUTOINCREMENT`).
  package var isAutoincrement = false
  /// Why its rows are not read: the end of a sentence. nil for all that can be.
  package var unreadableReason: String?
  /// All columns of the table in its order, for rows that are their own key.
  package var allColumns: [String] = []
  /// The slot of the attribute that is the integer primary key itself, in third-party files.
  package var keySlot: Slot?
  /// Order columns of other entities' ordered relationships that live in this table.
  package var orderColumns: [String] = []
  /// How its rows are distinguished from those of the other entities of its family, which share the table;
  /// nil for an entity without a family.
  package var family: FamilyMapping?
  /// By what the rows of the table are distributed over machines, in tables of our own.
  package var distribution: TableDistribution?
  /// What its cells are checked for when they are read, in third-party files under a model's classes.
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
  /// The table as statements call it.
  package var qualifiedTable: SQLFragment { SQLFragment(table: table, in: namespace) }

  /// Whether columns say on which machine a row is, which no statement may change.
  package func isPlace(_ columns: [String]) -> Bool {
    guard let distribution, distribution.isSpread else { return false }
    return columns.contains { $0.isExactly(distribution.column) }
  }

  /// The column of the key where no property shows it: in tables of our own.
  package var hiddenKey: String? {
    guard case .rowid(let name) = key, allColumns.isEmpty, keySlot == nil else { return nil }
    return name
  }

  /// Whether a slot is stored in columns that distinguish the rows of a third-party table.
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

/// What distinguishes the rows of a table.
package enum KeyMapping: Sendable, Hashable {
  /// The rowid, under a name that reaches it.
  case rowid(String)
  /// The primary key of a `WITHOUT ROWID` table.
  case columns([String])
  /// All columns and an occurrence number: views, and tables that offer nothing better.
  case wholeRow
}

/// Where the value of one slot is stored.
package enum SlotMapping: Sendable, Hashable {
  case attribute(Column)
  case toOne(ForeignKey)
  /// The destination's to-one relationship in `inverseSlot` holds this one.
  case toManyForeignKey(inverseSlot: Slot, orderColumn: String?)
  case toManyJoin(JoinTable)
}

/// Columns that hold the key of a row elsewhere.
package struct ForeignKey: Sendable, Hashable {
  package var columns: [Column]
  package let destination: EntityIndex
  package let reference: KeyReference
  /// Whether saving writes the columns; not when attributes or other relationships own them.
  package var isWritable = true
  /// Whether the rows that hold a given key are found by an index.
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

  /// The names of the columns.
  package var names: [String] { columns.map(\.name) }
}

/// What foreign columns hold of the row they lead to.
package enum KeyReference: Sendable, Hashable {
  /// Its rowid.
  case rowid
  /// Its primary key, of a `WITHOUT ROWID` table, in that order.
  case primaryKey
  /// Other unique columns of it.
  case columns([String])
}

extension JoinTable {
  /// The table as statements call it.
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
  /// The prefix of the table's name in SQL, with a dot, where that is not found by itself.
  package var namespace: String?
  package var ownColumns: [String]
  package let ownReference: KeyReference
  package var otherColumns: [String]
  package let otherReference: KeyReference
  /// Where this side's order is kept.
  package var orderColumn: String?
  /// Where the other side's order is kept.
  package var otherOrderColumn: String?
  /// Whether a pair counts for both directions: a relationship that is its own inverse.
  package var isSymmetric = false
  /// Whether the file allows the same pair twice.
  package var mayRepeat = false
  /// Whether the pairs of an owner are found by an index.
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
