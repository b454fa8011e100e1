/// One entity as its store knows it.
package struct EntityInformation: Sendable, Codable {
  /// What the store calls a table.
  package enum Kind: String, Sendable, Codable {
    case table, view, virtual
    /// A view whose rows are kept until they are computed again.
    case materializedView = "materialized view"
    /// A table that another server or a program holds.
    case foreignTable = "foreign table"
    /// A table whose rows are spread over others.
    case partitionedTable = "partitioned table"

    /// Whether it holds rows of its own, in any kind of table.
    package var isTable: Bool {
      switch self {
      case .table, .foreignTable, .partitionedTable: true
      case .view, .virtual, .materializedView: false
      }
    }
  }

  package let kind: Kind
  /// The name of the table or view.
  package let table: String
  /// The `CREATE` statement, of stores that are not ours.
  package let declaration: String?
  package let isReadOnly: Bool
  /// Whether its keys are integers of the store itself, so that they mean something outside of it.
  package let hasRowids: Bool
  /// Whether a key identifies its rows.
  package let hasKey: Bool
  /// The index that has the words of an attribute, by the attribute's name: what is found in one index is
  /// ranked.
  package let wordIndexes: [String: String]
  /// What is known to fail when it is saved.
  package let refusedWrites: RefusedWrites

  package init(
    kind: Kind, table: String, declaration: String?, isReadOnly: Bool, hasRowids: Bool,
    hasKey: Bool = true, wordIndexes: [String: String] = [:],
    refusedWrites: RefusedWrites = RefusedWrites()
  ) {
    self.kind = kind
    self.table = table
    self.declaration = declaration
    self.isReadOnly = isReadOnly
    self.hasRowids = hasRowids
    self.hasKey = hasKey
    self.wordIndexes = wordIndexes
    self.refusedWrites = refusedWrites
  }
}

/// One index of a table.
package struct IndexInformation: Sendable, Hashable, Codable {
  package let name: String
  /// Its columns in order; nil is an expression.
  package let columns: [String?]
  package let isUnique: Bool
  /// Whether it holds only rows that meet a condition.
  package let isPartial: Bool

  package init(name: String, columns: [String?], isUnique: Bool, isPartial: Bool) {
    self.name = name
    self.columns = columns
    self.isUnique = isUnique
    self.isPartial = isPartial
  }
}
