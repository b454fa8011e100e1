/// The column of an attribute.
package struct Column: Sendable, Hashable {
  package var name: String
  package var affinity: Affinity = .blob
  /// Whether the file computes it.
  package var isGenerated = false
  /// Whether it compares byte by byte by default.
  package var isBinary = true
  /// Whether it can hold no other storage class than its affinity's (and NULL).
  package var isStrict = false
  /// Whether the file computes its default with an expression when an insert omits it.
  package var hasComputedDefault = false
  package var isNullable = true
  /// Its type, in engines whose columns have one type each.
  package var type: SQLType?
  /// The texts that its type allows, in their order; nil if the type does not list them.
  package var cases: [String]?
  /// The folder of a Core Data store for values in separate files: the first byte of each value then tells
  /// where it is.
  package var externalFolder: String?
  /// The index of its words; nil if there is none.
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

/// The kind of a column's values: SQLite's column affinity, to which it converts stored values
/// (<https://www.sqlite.org/datatype3.html#type_affinity>).
package enum Affinity: Sendable, Hashable {
  case integer, real, numeric, text, blob

  package var isNumeric: Bool { self == .integer || self == .real || self == .numeric }
}
