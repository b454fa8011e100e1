/// What a third-party store says of a table beyond what its entity has.
package struct TableDetails: Sendable, Hashable, Codable {
  /// One column, foreign keys included, which entities have as relationships.
  package struct Column: Sendable, Hashable, Codable {
    package let name: String
    /// As it is declared; empty where it is not.
    package let declaredType: String
    package let isNotNull: Bool
    /// Its place in the primary key from 1; nil when it is not part of it.
    package let keyPosition: Int?
    /// The default as it is declared.
    package let defaultText: String?
    package let isGenerated: Bool
    /// Those of the foreign keys that it is a part of.
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
    /// What happens to the row when that is deleted, such as `CASCADE`.
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
  /// What is in the brackets of its `CHECK (…)`, brackets included.
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
