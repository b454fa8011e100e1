/// A column that holds an attribute.
package struct Column: Sendable, Hashable {
  package var name: String
  package var affinity: Affinity = .blob
  /// Whether the file computes it.
  package var isGenerated = false
  /// Whether it compares byte by byte by default.
  package var isBinary = true
  /// Whether it can hold no other storage class than its affinity's (and NULL).
  package var isStrict = false
  /// Whether the file fills it in with an expression when an insert leaves it out.
  package var hasComputedDefault = false
  package var isNullable = true
  /// What it holds, where the engine's columns have one type each.
  package var type: SQLType?
  /// The texts that its type allows, in their order; nil where it does not list them.
  package var cases: [String]?
  /// The folder with values in files of their own, in a Core Data store: then the first byte of each value
  /// says where it is.
  package var externalFolder: String?
  /// Where its words are looked up; nil where they are not kept.
  package var wordIndex: WordIndex?

  package init(
    name: String, affinity: Affinity = .blob, isGenerated: Bool = false, isBinary: Bool = true,
    isStrict: Bool = false, hasComputedDefault: Bool = false, isNullable: Bool = true,
    type: SQLType? = nil
  ) {
    self.name = name
    self.affinity = affinity
    self.isGenerated = isGenerated
    self.isBinary = isBinary
    self.isStrict = isStrict
    self.hasComputedDefault = hasComputedDefault
    self.isNullable = isNullable
    self.type = type
  }
}

/// What kind of values a column holds: SQLite's column affinity, to which it converts what is stored
/// (<https://www.sqlite.org/datatype3.html#type_affinity>).
package enum Affinity: Sendable, Hashable {
  case integer, real, numeric, text, blob

  package var isNumeric: Bool { self == .integer || self == .real || self == .numeric }
}
