/// What someone has said of a file that the file itself does not say: what is kept outside of it, and
/// holds whenever it is opened.
package struct SchemaAnnotations: Hashable, Sendable, Codable {
  /// What is known of the dates of a column.
  package enum Dates: Hashable, Sendable {
    /// They are stored in this way, whatever name and values look like.
    case stored(DateConvention)
    /// There are none: its values are shown as they are.
    case plain
  }

  /// What a column refers to that no foreign key declares.
  package struct Reference: Hashable, Sendable, Codable {
    package let table: String
    package let column: String

    package init(table: String, column: String) {
      self.table = table
      self.column = column
    }
  }

  /// What someone has said of a relationship that was suggested.
  package enum Decision: String, Hashable, Sendable, Codable {
    /// It is one.
    case accepted
    /// It is none, and not to be offered again.
    case refused
  }

  struct Relationship: Hashable, Sendable, Codable {
    let reference: Reference
    let decision: Decision
  }

  var dates = ByColumn<Dates>()
  var relationships = ByColumn<Relationship>()
  /// By entity: the properties by whose values its objects are called.
  var labels: [String: [String]] = [:]
  /// By entity and property: what its numbers are measured in.
  var units = ByColumn<String>()
  /// The type that a column would have been declared with.
  var types = ByColumn<String>()
  /// Entities that lists leave out.
  var hidden: Set<String> = []

  package init() {}

  package var isEmpty: Bool { self == SchemaAnnotations() }

  /// What was said of a column; nil where its name and values decide.
  package func dates(of column: String, in table: String) -> Dates? { dates[table, column] }

  /// Says what a column holds; nil lets its name and values decide.
  package mutating func setDates(_ choice: Dates?, of column: String, in table: String) {
    dates[table, column] = choice
  }
}

extension SchemaAnnotations {
  /// What was said of a relationship of a column; nil where nothing was.
  package func relationship(
    of column: String, in table: String
  ) -> (reference: Reference, decision: Decision)? {
    relationships[table, column].map { ($0.reference, $0.decision) }
  }

  /// Says whether a column refers to another one; nil takes back what was said.
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

/// As the name of the convention, or `none`.
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
