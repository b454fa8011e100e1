public import DatastoreCore

extension ObjectContext {
  /// A condition from text in the NSPredicate format language.
  ///
  /// ```swift
  /// let found: [Employee] = try context.fetch(
  ///   where: context.condition("age > %@ AND name BEGINSWITH[c] %@", .of(30), .of("t")))
  /// ```
  ///
  /// - Throws: like `Where.init(format:arguments:in:)`.
  public func condition<T: DatastoreObject>(
    _ format: String, _ arguments: PredicateArgument...
  ) throws -> Where<T> {
    try Where(format: format, arguments: arguments, in: core.graph.schema)
  }
}
