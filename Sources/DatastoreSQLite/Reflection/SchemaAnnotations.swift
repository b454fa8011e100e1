package import DatastoreCore

/// What somebody has said of a file that the file itself does not say: what is kept outside of it, and
/// holds whenever it is opened.
package struct SchemaAnnotations: Hashable, Sendable, Codable {
  /// What is known of the dates of a column.
  package enum Dates: Hashable, Sendable {
    /// They are stored in this way, whatever name and values look like.
    case stored(DateConvention)
    /// There are none: its values are shown as they are.
    case plain
  }

  /// By table and column.
  private var dates: [String: [String: Dates]] = [:]

  package init() {}

  package var isEmpty: Bool { dates.isEmpty }

  /// What was said of a column; nil where its name and values decide.
  package func dates(of column: String, in table: String) -> Dates? { dates[table]?[column] }

  /// Says what a column holds; nil lets its name and values decide.
  package mutating func setDates(_ choice: Dates?, of column: String, in table: String) {
    dates[table, default: [:]][column] = choice
    if dates[table]?.isEmpty ?? false { dates[table] = nil }
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
