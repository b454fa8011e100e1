package import DatastoreCore

/// How the entities of a schema meet the tables of a file.
///
/// The one place where kinds of files differ: tables that we created (`native(_:)`) and tables of any
/// other SQLite file (`reflected(from:)`), also under the classes of a model (`fitted(_:to:at:)`).
/// Everything above works on slots and `Int64` keys.
package struct SchemaMapping: Sendable {
  package let schema: Schema
  /// By entity index.
  package let entities: [EntityMapping]
  /// Whether the tables are of our own making.
  package let isNative: Bool
  /// The tables of a third-party file that it was made from, and the version of the file's schema then.
  var tables: [FileTable] = []
  /// What was said of that file.
  var annotations: SchemaAnnotations?
  var schemaVersion: Int64?
  /// What other tools have made otherwise than a native file says of itself: the ends of a sentence.
  package var differences: [String] = []
  /// Interned keys of entities that have no integer key, by entity index.
  let keyTables: KeyTables

  init(schema: Schema, entities: [EntityMapping], isNative: Bool) {
    self.schema = schema
    self.entities = entities
    self.isNative = isNative
    keyTables = KeyTables(
      entities.map { entity in
        if case .rowid = entity.key { return nil }
        return KeyTable(isOfWholeRows: entity.key == .wholeRow)
      })
  }
}

/// How one entity meets its table or view.
package struct EntityMapping: Sendable {
  package let table: String
  package let kind: EntityInformation.Kind
  package let key: KeyMapping
  /// By slot.
  package let slots: [SlotMapping]
  /// The `CREATE` statement of a third-party file, for display.
  package var declaration: String?
  /// Whether keys of deleted rows are never used again (`AUTOINCREMENT`).
  var isAutoincrement = false
  /// Why its rows are not read: the end of a sentence. nil for all that can be.
  var unreadableReason: String?
  /// All columns of the table in its order, for rows that are their own key.
  var allColumns: [String] = []
  /// The slot of the attribute that is the integer primary key itself, in third-party files.
  package internal(set) var keySlot: Int?
  /// Order columns of other entities' ordered relationships that live in this table.
  var orderColumns: [String] = []
  /// How its rows are told from those of the other entities of its family, which share the table; nil
  /// for an entity without a family.
  var family: FamilyMapping?
  /// What its cells are checked for when they are read, in third-party files under a model's classes.
  var cellRules: [CellRule] = []
}

extension EntityMapping {
  /// Whether a slot is stored in columns that distinguish the rows of a third-party table.
  func isKeyPart(slot: Int) -> Bool {
    if slot == keySlot { return true }
    guard case .columns(let names) = key else { return false }
    switch slots[slot] {
    case .attribute(let column): return names.contains(column.name)
    case .toOne(let foreign): return !names.allSatisfy { !foreign.names.contains($0) }
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
  case toManyForeignKey(inverseSlot: Int, orderColumn: String?)
  case toManyJoin(JoinTable)
}

/// A column that holds an attribute.
package struct Column: Sendable, Hashable {
  package let name: String
  var affinity: Affinity = .blob
  /// Whether the file computes it.
  package var isGenerated = false
  /// Whether it compares byte by byte unless told otherwise.
  var isBinary = true
  /// Whether it can hold no other storage class than its affinity's (and NULL).
  var isStrict = false
  /// Whether the file fills it in with an expression when an insert leaves it out.
  var hasComputedDefault = false
  var isNullable = true
}

/// What SQLite converts stored values to: <https://www.sqlite.org/datatype3.html#type_affinity>.
package enum Affinity: Sendable, Hashable {
  case integer, real, numeric, text, blob

  var isNumeric: Bool { self == .integer || self == .real || self == .numeric }
}

/// Columns that hold the key of a row elsewhere.
package struct ForeignKey: Sendable, Hashable {
  let columns: [Column]
  let destination: Int
  let reference: KeyReference
  /// Whether saving writes the columns; not when attributes or other relationships own them.
  var isWritable = true
  /// Whether the rows that hold a given key are found by an index.
  var isIndexed = true

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

/// A table of pairs, seen from one of its sides.
package struct JoinTable: Sendable, Hashable {
  package let table: String
  let ownColumns: [String]
  let ownReference: KeyReference
  let otherColumns: [String]
  let otherReference: KeyReference
  /// Where this side's order is kept.
  var orderColumn: String?
  /// Where the other side's order is kept.
  var otherOrderColumn: String?
  /// Whether a pair counts for both directions: a relationship that is its own inverse.
  var isSymmetric = false
  /// Whether the file lets the same pair stand twice.
  var mayRepeat = false
  /// Whether the pairs of an owner are found by an index.
  var isIndexed = true
}
