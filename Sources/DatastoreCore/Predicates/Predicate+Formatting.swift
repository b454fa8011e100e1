extension Predicate: CustomStringConvertible {
  /// The text form, with constants as they are stored. Reads back to an equal tree where the schema
  /// does not turn a constant into another (lists of one or no condition become plain ones).
  public var description: String { PredicateFormatter(context: nil).text(self) }

  /// The text form, with constants as their attributes mean them: dates, UUIDs, `TRUE` and `FALSE`.
  ///
  /// `parse` gives back an equal tree, given that the predicate is valid for the entity, that its
  /// constants have the stored form of their attributes, and that each `and` and `or` has at least
  /// two parts. O(size).
  public func formatted(entity: Entity, in schema: Schema) -> String {
    PredicateFormatter(context: (entity, schema)).text(self)
  }
}

extension Predicate.Operand: CustomStringConvertible {
  /// The text form, with constants as they are stored: `tasks.@count`.
  public var description: String { PredicateFormatter(context: nil).text(self, as: .constant) }
}

extension SortDescriptor: CustomStringConvertible {
  /// The text form, which `SortDescriptor.parse` reads.
  public var description: String {
    operand.description + options.text + (ascending ? "" : " desc")
  }
}
