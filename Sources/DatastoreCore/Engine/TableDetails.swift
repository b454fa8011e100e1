/// A third-party store's description of a table beyond its entity.
package struct TableDetails: Sendable, Hashable, Codable {
  /// One column, including foreign keys, which are relationships in entities.
  package struct Column: Sendable, Hashable, Codable {
    package let name: String
    /// The declared type; empty if there is none.
    package let declaredType: String
    package let isNotNull: Bool
    /// Its position in the primary key from 1; nil when it is not part of it.
    package let keyPosition: Int?
    /// The declared default.
    package let defaultText: String?
    package let isGenerated: Bool
    /// The foreign keys that it is part of.
    package let references: [Reference]

    package init(
      name: String, declaredType: String, isNotNull: Bool, keyPosition: Int?,
      defaultText: String?, isGenerated: Bool, references: [Reference]
    ) {
      self.name = name
      self.declaredType = declaredType
      self.isNotNull = isNotNull
      self.keyPosition = keyPosition
      self.defaultText = defaultText
      self.isGenerated = isGenerated
      self.references = references
    }
  }

  package struct Reference: Sendable, Hashable, Codable {
    /// The table and the column, such as `customers(id)`.
    package let target: String
    /// The effect on the row when the destination is deleted, such as `CASCADE`.
    package let onDelete: String

    package init(target: String, onDelete: String) {
      self.target = target
      self.onDelete = onDelete
    }
  }

  package struct Trigger: Sendable, Hashable, Codable {
    package let name: String
    package let sql: String

    package init(name: String, sql: String) {
      self.name = name
      self.sql = sql
    }
  }

  package let columns: [Column]
  package let isWithoutRowid: Bool
  package let isStrict: Bool
  /// The conditions of its `CHECK (…)` constraints, brackets included.
  package let checks: [String]
  package let triggers: [Trigger]
  /// The `CREATE` statement.
  package let sql: String?

  package init(
    columns: [Column], isWithoutRowid: Bool, isStrict: Bool, checks: [String],
    triggers: [Trigger], sql: String?
  ) {
    self.columns = columns
    self.isWithoutRowid = isWithoutRowid
    self.isStrict = isStrict
    self.checks = checks
    self.triggers = triggers
    self.sql = sql
  }
}
