import DatastoreCore
import DatastoreTestSupport
import Testing

/// A request as people write it, and the rows that it finds.
struct AnsweredRequest: Sendable, CustomTestStringConvertible {
  let shown: String
  let entity: String
  let condition: String?
  let oracle: String
  let rows: [String]

  /// - Parameters:
  ///   - shown: the paths whose values are the rows, with commas between them.
  ///   - oracle: SQL for which the sqlite3 program must list the same rows.
  init(
    _ shown: String = "name", of entity: String, where condition: String? = nil, oracle: String,
    is rows: [String]
  ) {
    self.shown = shown
    self.entity = entity
    self.condition = condition
    self.oracle = oracle
    self.rows = rows
  }

  var testDescription: String { condition ?? "\(shown) of \(entity)" }
}

extension GoldenFile {
  func expect(_ request: AnsweredRequest) async throws {
    let paths = request.shown.split(separator: ",").map {
      $0.split(separator: ".").map(String.init)
    }
    let question = ValuesQuestion(
      of: paths, in: try self.request(request.entity, request.condition))
    let rows = try await store.answer(question).map(GoldenText.row)
    #expect(rows == request.rows)
    try expectFound(rows, by: request.oracle)
  }
}
