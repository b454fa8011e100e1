/// A relationship that no foreign key of a file declares, but names and values suggest.
package struct RelationshipSuggestion: Hashable, Sendable, Codable {
  /// The table and the column that refer.
  package let table: String
  package let column: String
  /// What they refer to.
  package let reference: SchemaAnnotations.Reference
  /// Values that were looked at, and those among them that are found.
  package let valueCount: Int
  package let foundCount: Int
  /// Whether all values of the column were looked at, and not only some from both ends of the table.
  package let isComplete: Bool
  /// What the user has said of it; nil as long as that is nothing.
  package let decision: SchemaAnnotations.Decision?

  package init(
    table: String, column: String, reference: SchemaAnnotations.Reference, valueCount: Int,
    foundCount: Int, isComplete: Bool, decision: SchemaAnnotations.Decision?
  ) {
    self.table = table
    self.column = column
    self.reference = reference
    self.valueCount = valueCount
    self.foundCount = foundCount
    self.isComplete = isComplete
    self.decision = decision
  }

  /// `orders.customer_id → customer.id`, with another arrow where there is none of Unicode.
  package func title(arrow: String = "→") -> String {
    "\(table).\(column) \(arrow) \(reference.table).\(reference.column)"
  }

  /// `312 of 312 values are found in customer.id`.
  package var evidence: String {
    "\(foundCount) of \(valueCount) \(isComplete ? "values" : "sampled values") are found in "
      + "\(reference.table).\(reference.column)"
  }
}
