package import DatastoreCore

/// What an expression of SQL is, for engines in which each has one type; SQLite's columns hold values of any.
package struct SQLType: Sendable, Hashable {
  /// The kinds that values are made of, and compared as.
  package enum Kind: Sendable, Hashable {
    case boolean, integer, real, decimal, text, bytes, uuid
    /// A point in time.
    case instant
    /// A day with a time, or without, wherever it is.
    case localTime, day
    /// A type of the engine that is read as its text.
    case other
    /// The key of rows whose key is not an integer: the columns that it is made of.
    case key(EntityIndex, parts: [SQLFragment])
  }

  package let kind: Kind
  package var mayBeNull: Bool
  /// What the engine calls it, to write values that an index of such a column finds; nil for expressions.
  package let name: String?
  /// Whether numbers may be NaN, which is read as NULL: in foreign tables.
  package var mayBeNaN = false

  package init(_ kind: Kind, mayBeNull: Bool = true, name: String? = nil, mayBeNaN: Bool = false) {
    self.kind = kind
    self.mayBeNull = mayBeNull
    self.name = name
    self.mayBeNaN = mayBeNaN
  }

  /// Whether it is the key of rows whose key is not an integer.
  package var isKey: Bool {
    if case .key = kind { true } else { false }
  }

  /// What `count` gives.
  package static let count = SQLType(.integer, mayBeNull: false)
  /// The keys of rows that are there.
  package static let key = SQLType(.integer, mayBeNull: false)
}
