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
      if let (id, _) = run("UPDATE Employee SET age = age + 1 WHERE _id = \(row)") {
        ledger.add([.counted(id)])
      }
    case 3:
      _ = run("UPDATE Employee SET name = '\(random.below(100)) far \(mark)' WHERE _id = \(row)")
    case 4...6:
      let age = random.below(100)
      let values = "(randomblob(16), '\(random.below(100)) far \(mark)', 0, \(age))"
      if let (id, key) = run("INSERT INTO Employee (id, name, salary, age) VALUES \(values)") {
        ledger.add([.inserted(id, key, age: age, position: nil)])
      }
    default:
      // Refused for managers.
      if let (id, _) = run("DELETE FROM Employee WHERE _id = \(row)") {
        ledger.add([.deleted(id)])
      }
    }
  }

  /// The UUID and the key of the row that was changed, if there was one.
  private func run(_ statement: String) -> (UUID, RowKey)? {
    let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
    let text = parts.map { "substr(hex(id), \($0), \($1))" }.joined(separator: " || '-' || ")
    let lines = program.withLock { $0.run("\(statement) RETURNING \(text), _id") }
    guard lines.count == 1, case let fields = lines[0].split(separator: "|"), fields.count == 2,
      let id = UUID(uuidString: String(fields[0])), let key = Int64(fields[1])
    else { return nil }
    return (id, RowKey(key))
  }
}
