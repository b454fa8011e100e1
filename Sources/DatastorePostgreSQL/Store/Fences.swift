#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// The statements that a server which keeps tables on several machines has refused to join.
///
/// It joins tables that are distributed by the same property, on that property, and small tables; other
/// tables only after it has read each by itself, whole. A statement is therefore sent unchanged first, and
/// with such fences if it is refused; the next one with the same text is fenced at once.
struct Fences {
  /// Texts of statements; some thousands at most.
  private var refused: Set<String> = []

  private static let mostTexts = 4_000

  func contains(_ statement: PostgreSQLStatement) -> Bool { refused.contains(statement.text) }

  mutating func insert(_ statement: PostgreSQLStatement) {
    if refused.count >= Self.mostTexts { refused.removeAll() }
    refused.insert(statement.text)
  }
}

extension PostgreSQLStore {
  /// Runs `body` with a statement, and with a fenced one if the server refuses to join its tables.
  ///
  /// - Parameters:
  ///   - prepare: called before a statement that may be refused.
  ///   - recover: makes a transaction continue after that; false if it cannot.
  func fencing<Result>(
    _ statement: PostgreSQLStatement, preparing prepare: () throws -> Void = {},
    recovering recover: () throws -> Bool = { true },
    _ body: (PostgreSQLStatement) throws -> Result
  ) throws -> Result {
    guard isSpread, let fenced = statement.fenced else { return try body(statement) }
    if fences.withLock({ $0.contains(statement) }) { return try body(fenced) }
    try prepare()
    do {
      return try body(statement)
    } catch {
      let failure = error as? PostgreSQLFailure ?? (error as? any FailureOfServer)?.failure
      guard failure?.isOfDistribution ?? false, try recover() else { throw error }
      fences.withLock { $0.insert(statement) }
      return try body(fenced)
    }
  }
}

extension PostgreSQLFailure {
  /// Whether it may be the refusal of a statement that a server with tables on several machines cannot plan.
  var isOfDistribution: Bool { ["0A000", "XX000"].contains(code) && !isOfPlan }
}
#endif
