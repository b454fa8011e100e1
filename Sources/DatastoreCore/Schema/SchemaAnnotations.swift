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

  /// By table and column.
  var dates: [String: [String: Dates]] = [:]
  /// By table and column.
  var relationships: [String: [String: Relationship]] = [:]
  /// By entity: the properties by whose values its objects are called.
  var labels: [String: [String]] = [:]
  /// By entity and property: what its numbers are measured in.
  var units: [String: [String: String]] = [:]
  /// By table and column: the type that it would have been declared with.
  var types: [String: [String: String]] = [:]
  /// Entities that lists leave out.
  var hidden: Set<String> = []

  package init() {}

  package var isEmpty: Bool { self == SchemaAnnotations() }

  /// What was said of a column; nil where its name and values decide.
  package func dates(of column: String, in table: String) -> Dates? { dates[table]?[column] }

  /// Says what a column holds; nil lets its name and values decide.
  package mutating func setDates(_ choice: Dates?, of column: String, in table: String) {
    dates[table, default: [:]][column] = choice
    if dates[table]?.isEmpty ?? false { dates[table] = nil }
  }
}

extension SchemaAnnotations {
  /// What was said of a relationship of a column; nil where nothing was.
  package func relationship(
    of column: String, in table: String
  ) -> (reference: Reference, decision: Decision)? {
    relationships[table]?[column].map { ($0.reference, $0.decision) }
  }

  /// Says whether a column refers to another one; nil takes back what was said.
  package mutating func setRelationship(
    _ decision: Decision?, of column: String, in table: String, to reference: Reference
  ) {
    relationships[table, default: [:]][column] = decision.map {
      Relationship(reference: reference, decision: $0)
    }
    if relationships[table]?.isEmpty ?? false { relationships[table] = nil }
  }

  private enum CodingKeys: String, CodingKey {
    case dates, relationships, labels, units, types, hidden
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    dates =
      try container.decodeIfPresent([String: [String: Dates]].self, forKey: .dates) ?? [:]
    relationships =
      try container.decodeIfPresent([String: [String: Relationship]].self, forKey: .relationships)
      ?? [:]
    labels = try container.decodeIfPresent([String: [String]].self, forKey: .labels) ?? [:]
    units = try container.decodeIfPresent([String: [String: String]].self, forKey: .units) ?? [:]
    types = try container.decodeIfPresent([String: [String: String]].self, forKey: .types) ?? [:]
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
