import DatastoreTestSupport
import SwiftDatastore
import Testing

extension AppliedListTrial {
  /// The changes by the sqlite3 program, each step a commit of its own, and the moment when they are noticed.
  enum OtherProcess: Sendable {
    case change(Int)
    case pay(Int)
    case delete(Int)
    /// Takes the next key, which a context may have given to a new object already.
    case insert
    case notice

    static func draw(_ random: inout SeededRandom) -> OtherProcess {
      switch random.below(10) {
      case 0, 1: .change(random.below(100))
      case 2: .pay(random.below(30))
      case 3: .delete(random.below(30))
      case 4, 5: .insert
      default: .notice
      }
    }
  }

  func perform(_ step: OtherProcess) throws {
    marks += 1
    switch step {
    case .change(let number):
      run("UPDATE Employee SET name = 'far\(marks)', age = \(marks % 6) WHERE \(row(number))")
    case .pay(let number):
      run("UPDATE Employee SET salary = \(marks).25 WHERE \(row(number))")
    case .delete(let number): run("DELETE FROM Employee WHERE \(row(number))")
    case .insert:
      run(
        "INSERT INTO Employee (id, name, salary, age) "
          + "VALUES (randomblob(16), 'far\(marks)', 0, \(marks % 6))")
    case .notice: try datastore.checkForExternalChanges()
    }
  }

  private func row(_ number: Int) -> String { "_id = \(employees[number].key.rawValue)" }

  private func run(_ statement: String) {
    let answer = program.run(statement)
    #expect(answer == [], "\(statement)")
  }
}
