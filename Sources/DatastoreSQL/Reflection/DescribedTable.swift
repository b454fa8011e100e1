import Basics
package import DatastoreCore

/// A table or view as its database declares it, for `Reflector`.
package protocol DescribedTable: Sendable {
  associatedtype Column: DescribedColumn

  /// What its entity is called.
  var name: String { get }
  /// What the database calls it.
  var storedName: String { get }
  /// The prefix of that name, with a dot; nil where there is nothing.
  var namespace: String? { get }
  var kind: EntityInformation.Kind { get }
  var declaration: String? { get }
  /// Why it is not read: the end of a sentence. nil for all that can be.
  var unreadableReason: String? { get }
  var columns: [Column] { get }
  var indexes: [DescribedIndex] { get }
  var foreignKeys: [DescribedReference] { get set }
  /// The columns of the primary key in its order.
  var primaryKey: [String] { get }
  var key: KeyMapping { get }
  /// The column that is the integer key itself.
  var rowidColumn: String? { get }
  /// Whether keys of deleted rows are never used again.
  var isAutoincrement: Bool { get }
  /// Whether its rows cannot be changed, whatever it is.
  var isReadOnly: Bool { get }

  /// A name as names are distinguished: in lower case where capitals make no difference.
  static func distinguished(_ name: String) -> String
  func mapped(_ column: Column) -> DatastoreSQL.Column
  func attributeType(of column: Column) -> AttributeType
  /// What new rows get, where that is a value of its own.
  func fallback(of column: Column) -> Value
  /// Whether what a column holds equals what it refers to just as the database compares it.
  func refersExactly(_ column: Column, to referenced: Column, of target: Self) -> Bool
  /// Whether the database compares what two columns hold, whatever that is.
  func isComparable(_ column: Column, to referenced: Column, of target: Self) -> Bool
  /// Whether rows that are referred to by columns that are not their key can be followed.
  func isFound(by columns: [String]) -> Bool
}

package protocol DescribedColumn: Sendable {
  var name: String { get }
  /// As the database declares it, or as someone has said.
  var shownType: String { get }
  var isNotNull: Bool { get }
  var isGenerated: Bool { get }
  /// Its default, or what it is computed by, as the database declares it.
  var defaultText: String? { get }
}

package struct DescribedIndex: Hashable, Sendable {
  package let columns: [String]
  package let isUnique: Bool
  /// Whether it is the index of the primary key.
  package let isPrimaryKey: Bool

  package init(columns: [String], isUnique: Bool, isPrimaryKey: Bool) {
    self.columns = columns
    self.isUnique = isUnique
    self.isPrimaryKey = isPrimaryKey
  }
}

/// A foreign key as it is declared, its actions as SQL calls them.
package struct DescribedReference: Hashable, Sendable {
  package let table: String
  package let columns: [String]
  /// Empty where the declaration leaves them out: the primary key.
  package let referenced: [String]
  package let onDelete: String
  package let onUpdate: String

  package init(
    table: String, columns: [String], referenced: [String], onDelete: String,
    onUpdate: String = "NO ACTION"
  ) {
    self.table = table
    self.columns = columns
    self.referenced = referenced
    self.onDelete = onDelete
    self.onUpdate = onUpdate
  }
}

extension DescribedTable {
  package var storedName: String { name }
  package var namespace: String? { nil }

  package func isComparable(_ column: Column, to referenced: Column, of target: Self) -> Bool {
    true
  }

  package func column(_ name: String) -> Column? {
    let wanted = Self.distinguished(name)
    return columns.first { Self.distinguished($0.name) == wanted }
  }

  /// The same table with the relationships that someone has accepted, as if they were declared. The database
  /// knows nothing of them, so a row that others refer to is not deleted.
  package func adding(_ annotations: SchemaAnnotations) -> Self {
    var table = self
    for column in columns {
      guard let (reference, decision) = annotations.relationship(of: column.name, in: name),
        decision == .accepted,
        !foreignKeys.contains(where: { $0.columns.isExactly([column.name]) })
      else { continue }
      table.foreignKeys.append(
        DescribedReference(
          table: reference.table, columns: [column.name], referenced: [reference.column],
          onDelete: "NO ACTION"))
    }
    return table
  }

  /// Whether columns together are unique, by the primary key or an index.
  package func isUnique(_ names: [String]) -> Bool {
    let names = Set(names.map(Self.distinguished))
    if names == Set(primaryKey.map(Self.distinguished)) { return true }
    return indexes.contains { $0.isUnique && Set($0.columns.map(Self.distinguished)) == names }
  }

  /// Whether rows are found by the first of the columns without reading all of them.
  package func isIndexed(_ names: [String]) -> Bool {
    guard let first = names.first.map(Self.distinguished) else { return false }
    if primaryKey.first.map(Self.distinguished) == first { return true }
    return indexes.contains { $0.columns.first.map(Self.distinguished) == first }
  }
}
