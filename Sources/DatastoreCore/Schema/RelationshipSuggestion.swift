/// A relationship that names and values suggest, but no foreign key of a file declares.
package struct RelationshipSuggestion: Hashable, Sendable, Codable {
  /// The referring table and column.
  package let table: String
  package let column: String
  /// The table and column they refer to.
  package let reference: SchemaAnnotations.Reference
  /// The numbers of values checked, and of those found.
  package let valueCount: Int
  package let foundCount: Int
  /// Whether all values of the column were checked, and not only some from both ends of the table.
  package let isComplete: Bool
  /// The user's decision; nil if there is none yet.
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

  /// `orders.customer_id → customer.id`, with another arrow for terminals without Unicode.
  package func title(arrow: String = "→") -> String {
    "\(table).\(column) \(arrow) \(reference.table).\(reference.column)"
  }

  /// `312 of 312 values are found in customer.id`.
  package var evidence: String {
    "\(foundCount) of \(valueCount) \(isComplete ? "values" : "sampled values") are found in "
      + "\(reference.table).\(reference.column)"
  }
}
