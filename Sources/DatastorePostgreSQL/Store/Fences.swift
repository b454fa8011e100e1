#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// Which statements a server that keeps tables on several machines has refused to join.
///
/// It joins tables that are distributed alike by what they are distributed by, and small ones; the others
/// only once they were read by themselves, whole. So a statement is sent as it is first, and with such fences
/// where that is refused; the next one of the same text at once.
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
  /// Runs `body` with a statement, and with a fenced one where the server refuses to join what that reads.
  ///
  /// - Parameters:
  ///   - prepare: is called before a statement that may be refused.
  ///   - recover: makes a transaction go on after that; false where it cannot.
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
  /// Whether it is what a server refuses, or fails to plan, that keeps tables on several machines, where it
  /// does.
  var isOfDistribution: Bool { ["0A000", "XX000"].contains(code) && !isOfPlan }
}
#endif
