/// A column of an answer.
package struct AnswerColumn: Sendable, Hashable {
  package let name: String
  /// What its values mean.
  package let type: AttributeType
  /// How the column of another program's file stores dates.
  package var dates: DateConvention?
  /// Whether the file computes it, so that nothing can be inserted there.
  package var isGenerated: Bool
  /// What the column of a table is declared as, where it is one and SQL was typed; nil for what is computed.
  package var declaredType: String?

  package init(
    name: String, type: AttributeType, dates: DateConvention? = nil, isGenerated: Bool = false
  ) {
    self.name = name
    self.type = type
    self.dates = dates
    self.isGenerated = isGenerated
  }
}
