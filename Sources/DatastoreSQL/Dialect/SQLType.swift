package import DatastoreCore

/// The type of an SQL expression, for engines in which each has one; SQLite's columns hold values of any
/// type.
package struct SQLType: Sendable, Hashable {
  /// The kinds of values, which determine comparisons.
  package enum Kind: Sendable, Hashable {
    case boolean, integer, real, decimal, text, bytes, uuid
    /// A point in time.
    case instant
    /// A date with or without a time, without a zone.
    case localTime, day
    /// A type of the engine that is read as its text.
    case other
    /// The key of rows whose key is not an integer: its columns.
    case key(EntityIndex, parts: [SQLFragment])
  }

  package let kind: Kind
  package var mayBeNull: Bool
  /// The engine's name of the type, for writing values that an index of such a column finds; nil for
  /// expressions.
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

  package static let count = SQLType(.integer, mayBeNull: false)
  /// The type of keys of existing rows.
  package static let key = SQLType(.integer, mayBeNull: false)
}
