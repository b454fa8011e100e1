/// A store's description of one entity.
package struct EntityInformation: Sendable, Codable {
  /// The kind of a table.
  package enum Kind: String, Sendable, Codable {
    case table, view, virtual
    /// A view whose rows are stored until they are computed again.
    case materializedView = "materialized view"
    /// A table in another server or program.
    case foreignTable = "foreign table"
    /// A table whose rows are distributed over others.
    case partitionedTable = "partitioned table"

    /// Whether it holds rows itself, in any kind of table.
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
  /// The `CREATE` statement, for third-party stores.
  package let declaration: String?
  package let isReadOnly: Bool
  /// Whether its keys are integers of the store itself, so that they are valid outside of it.
  package let hasRowids: Bool
  /// Whether a key identifies its rows.
  package let hasKey: Bool
  /// The index of an attribute's words, by the attribute's name: matches in one index are ranked.
  package let wordIndexes: [String: String]
  /// Writes that are known to fail.
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
