import Basics
package import DatastoreCore

/// A table or view as declared in its database, for `Reflector`.
package protocol DescribedTable: Sendable {
  associatedtype Column: DescribedColumn

  /// The name of its entity.
  var name: String { get }
  /// Its name in the database.
  var storedName: String { get }
  /// The prefix of that name, with a dot; nil if there is none.
  var namespace: String? { get }
  var kind: EntityInformation.Kind { get }
  var declaration: String? { get }
  /// The reason why it cannot be read: the end of a sentence. nil if it can.
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
  /// Whether its rows cannot be changed, regardless of its kind.
  var isReadOnly: Bool { get }

  /// A name in the form that distinguishes it from others: in lower case if case makes no difference.
  static func distinguished(_ name: String) -> String
  func mapped(_ column: Column) -> DatastoreSQL.Column
  func attributeType(of column: Column) -> AttributeType
  /// The default in new rows, if it is a constant.
  func fallback(of column: Column) -> Value
  /// Whether equality of a column and its referenced column is exactly that of the database's comparison.
  func refersExactly(_ column: Column, to referenced: Column, of target: Self) -> Bool
  /// Whether the database can compare two columns, whatever their values.
  func isComparable(_ column: Column, to referenced: Column, of target: Self) -> Bool
  /// Whether rows can be found by referenced columns that are not their key.
  func isFound(by columns: [String]) -> Bool
}

package protocol DescribedColumn: Sendable {
  var name: String { get }
  /// The type declared by the database, or by an annotation.
  var shownType: String { get }
  var isNotNull: Bool { get }
  var isGenerated: Bool { get }
  /// Its default, or its generating expression, as declared.
  var defaultText: String? { get }
}

extension DescribedColumn {
  /// Its declared default, unless that is `NULL`, or `NULL::text`, which is none.
  package var declaredDefault: String? {
    defaultText.flatMap { $0.uppercased() == "NULL" || $0.begins(with: "NULL::") ? nil : $0 }
  }
}

package struct DescribedIndex: Hashable, Sendable {
  package let columns: [String]
  package let isUnique: Bool
  package let isPrimaryKey: Bool

  package init(columns: [String], isUnique: Bool, isPrimaryKey: Bool) {
    self.columns = columns
    self.isUnique = isUnique
    self.isPrimaryKey = isPrimaryKey
  }
}

/// A declared foreign key, with its actions in SQL.
package struct DescribedReference: Hashable, Sendable {
  package let table: String
  package let columns: [String]
  /// Empty if the declaration omits them: the primary key.
  package let referenced: [String]
  package let onDelete: String
  package let onUpdate: String
  /// Whether it is checked when a transaction ends.
  package var isDeferred: Bool

  package init(
    table: String, columns: [String], referenced: [String], onDelete: String,
    onUpdate: String = "NO ACTION", isDeferred: Bool = false
  ) {
    self.table = table
    self.columns = columns
    self.referenced = referenced
    self.onDelete = onDelete
    self.onUpdate = onUpdate
    self.isDeferred = isDeferred
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

  /// The table with the relationships that someone has accepted, as if they were declared. The database knows
  /// nothing of them, so a row that others refer to is not deleted.
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

  /// Whether an index finds rows by the first of the columns.
  package func isIndexed(_ names: [String]) -> Bool {
    guard let first = names.first.map(Self.distinguished) else { return false }
    if primaryKey.first.map(Self.distinguished) == first { return true }
    return indexes.contains { $0.columns.first.map(Self.distinguished) == first }
  }
}
