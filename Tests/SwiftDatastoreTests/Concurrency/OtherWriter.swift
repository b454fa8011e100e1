import DatastoreCore
import DatastoreTestSupport
import Foundation

/// The sqlite3 program, which counts, renames, inserts and deletes as the contexts do.
final class OtherWriter: Sendable {
  private let program: Lock<SQLiteProgram>
  private let ledger: Ledger
  private let marks = Lock(0)

  init(_ url: URL, _ ledger: Ledger) throws {
    let program = try SQLiteProgram(url)
    _ = program.run(".timeout 20000\nPRAGMA foreign_keys = ON;")
    self.program = Lock(program)
    self.ledger = ledger
  }

  func step(_ seeded: SeededRandom) {
    var random = seeded
    let mark = marks.withLock { marks in
      marks += 1
      return marks
    }
    let row =
      "(SELECT _id FROM Employee ORDER BY _id LIMIT 1 "
      + "OFFSET abs(\(random.below(1_000))) % (SELECT count(*) FROM Employee))"
    switch random.below(8) {
    case 0...2:
      if let key = run("UPDATE Employee SET age = age + 1 WHERE _id = \(row)") {
        ledger.add([.counted(key)])
      }
    case 3:
      _ = run("UPDATE Employee SET name = '\(random.below(100)) far \(mark)' WHERE _id = \(row)")
    case 4...6:
      let age = random.below(100)
      let values = "(randomblob(16), '\(random.below(100)) far \(mark)', 0, \(age))"
      if let key = run("INSERT INTO Employee (id, name, salary, age) VALUES \(values)") {
        ledger.add([.inserted(key, age: age, position: nil)])
      }
    default:
      // Refused for managers. The greatest key would be given out again.
      let others = "_id < (SELECT max(_id) FROM Employee)"
      if let key = run("DELETE FROM Employee WHERE _id = \(row) AND \(others)") {
        ledger.add([.deleted(key)])
      }
    }
  }

  /// The key of the row that was changed, if there was one.
  private func run(_ statement: String) -> RowKey? {
    let answer = program.withLock { $0.run("\(statement) RETURNING _id") }
    return answer.count == 1 ? Int64(answer[0]).map { RowKey($0) } : nil
  }
}
