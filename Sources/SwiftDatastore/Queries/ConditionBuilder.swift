/// Conditions written one below the other, in `Where.all { }` and `Where.any { }`.
///
/// The compiler checks each line separately. So a long condition compiles as fast as its parts, and a
/// misspelt property is reported in its line; in one expression of nine parts with `&&` the compiler gives up
/// after seconds, unless each property begins with its class (`\Employee.$name`).
@resultBuilder
public enum ConditionBuilder<T: DatastoreObject> {
  /// A line with a condition.
  public static func buildExpression(_ condition: Where<T>) -> [Where<T>] { [condition] }

  /// A line with an optional condition; nil is left out.
  public static func buildExpression(_ condition: Where<T>?) -> [Where<T>] {
    condition.map { [$0] } ?? []
  }

  public static func buildBlock(_ parts: [Where<T>]...) -> [Where<T>] { Array(parts.joined()) }

  public static func buildOptional(_ part: [Where<T>]?) -> [Where<T>] { part ?? [] }

  public static func buildEither(first part: [Where<T>]) -> [Where<T>] { part }

  public static func buildEither(second part: [Where<T>]) -> [Where<T>] { part }

  public static func buildArray(_ parts: [[Where<T>]]) -> [Where<T>] { Array(parts.joined()) }

  public static func buildLimitedAvailability(_ part: [Where<T>]) -> [Where<T>] { part }
}

extension Where {
  /// True when all of the conditions are; true if there are none.
  ///
  /// ```swift
  /// let people: [Employee] = try context.fetch(
  ///   where: .all {
  ///     \.$isRemote == true
  ///     if let search { .like(\.$name, "*\(search)*") }
  ///     Where.any {
  ///       \.$age > 60
  ///       \.$manager == nil
  ///     }
  ///   })
  /// ```
  ///
  /// A line that begins with a dot would continue the line above it: hence `Where.any`.
  ///
  /// - Parameter conditions: one condition per line; `if`, `switch` and `for` choose among them.
  /// - Throws: the error of the closure.
  public static func all(
    @ConditionBuilder<T> _ conditions: () throws -> [Where]
  ) rethrows -> Where {
    try conditions().combinedByAnd()
  }

  /// True when any of the conditions is; false if there are none.
  ///
  /// - Parameter conditions: one condition per line; `if`, `switch` and `for` choose among them.
  /// - Throws: the error of the closure.
  public static func any(
    @ConditionBuilder<T> _ conditions: () throws -> [Where]
  ) rethrows -> Where {
    try conditions().combinedByOr()
  }
}
