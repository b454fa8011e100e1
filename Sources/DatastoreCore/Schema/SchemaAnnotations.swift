/// Annotations of a file that the file itself does not contain: they are kept outside of it, and apply
/// whenever it is opened.
package struct SchemaAnnotations: Hashable, Sendable, Codable {
  /// The dates of a column.
  package enum Dates: Hashable, Sendable {
    /// The dates are stored in this way, whatever name and values suggest.
    case stored(DateConvention)
    /// The column has no dates: its values are shown unchanged.
    case plain
  }

  /// The destination of a column that no foreign key declares.
  package struct Reference: Hashable, Sendable, Codable {
    package let table: String
    package let column: String

    package init(table: String, column: String) {
      self.table = table
      self.column = column
    }
  }

  /// The user's decision about a suggested relationship.
  package enum Decision: String, Hashable, Sendable, Codable {
    /// It is a relationship.
    case accepted
    /// It is no relationship, and should not be suggested again.
    case refused
  }

  struct Relationship: Hashable, Sendable, Codable {
    let reference: Reference
    let decision: Decision
  }

  var dates = ByColumn<Dates>()
  var relationships = ByColumn<Relationship>()
  /// By entity: the properties whose values name its objects.
  var labels: [String: [String]] = [:]
  /// By entity and property: the unit of its numbers.
  var units = ByColumn<String>()
  /// The type that a column should have been declared with.
  var types = ByColumn<String>()
  /// Entities that lists leave out.
  var hidden: Set<String> = []

  package init() {}

  package var isEmpty: Bool { self == SchemaAnnotations() }

  /// The annotation of a column's dates; nil if its name and values decide.
  package func dates(of column: String, in table: String) -> Dates? { dates[table, column] }

  /// Sets the dates of a column; nil lets its name and values decide.
  package mutating func setDates(_ choice: Dates?, of column: String, in table: String) {
    dates[table, column] = choice
  }
}

extension SchemaAnnotations {
  /// The decision about a relationship of a column; nil if there is none.
  package func relationship(
    of column: String, in table: String
  ) -> (reference: Reference, decision: Decision)? {
    relationships[table, column].map { ($0.reference, $0.decision) }
  }

  /// Sets whether a column refers to another one; nil removes the decision.
  package mutating func setRelationship(
    _ decision: Decision?, of column: String, in table: String, to reference: Reference
  ) {
    relationships[table, column] = decision.map {
      Relationship(reference: reference, decision: $0)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case dates, relationships, labels, units, types, hidden
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func column<Said>(_ key: CodingKeys) throws -> ByColumn<Said> {
      try container.decodeIfPresent(ByColumn<Said>.self, forKey: key) ?? ByColumn()
    }
    dates = try column(.dates)
    relationships = try column(.relationships)
    units = try column(.units)
    types = try column(.types)
    labels = try container.decodeIfPresent([String: [String]].self, forKey: .labels) ?? [:]
    hidden = try container.decodeIfPresent(Set<String>.self, forKey: .hidden) ?? []
  }
}

/// Encoded as the name of the convention, or `none`.
extension SchemaAnnotations.Dates: Codable {
  package init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    if name == "none" {
      self = .plain
    } else {
      self = .stored(try DateConvention(from: decoder))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .plain:
      var container = encoder.singleValueContainer()
      try container.encode("none")
    case .stored(let convention): try convention.encode(to: encoder)
    }
  }
}
