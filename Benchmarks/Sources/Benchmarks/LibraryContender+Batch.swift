import Dispatch
import SwiftDatastore

extension LibraryContender {
  private static let properties = [
    "name", "surname", "age", "salary", "position", "department", "hired", "email",
  ]

  static func insert(
    in context: SwiftDatastoreContext.Closure, rows: Int
  ) throws -> Double {
    let values = (0..<rows).map { EmployeeValues(row: $0) }
    var watch = Stopwatch()
    try watch.time {
      _ = try context.insertMany(
        entityName: "Employee", properties: properties,
        values.lazy.map { values in
          [
            .text(values.name), .text(values.surname), .integer(Int64(values.age)),
            .real(values.salary), .integer(Int64(values.position)), .integer(values.department),
            .real(values.hired), .text(values.email),
          ]
        })
    }
    return watch.seconds
  }

  /// Seconds until the store is changed and two other contexts have taken it in: the view context, and
  /// one that has fetched a tenth of the table.
  func batchSeconds(for work: Work) async throws -> Double {
    let other = datastore.newContext()
    let held = Held()
    try await other.perform { context in
      held.employees = try context.fetch(where: \.$salary > EmployeeValues.tenthSalary)
    }
    let seconds = try await datastore.newContext().perform { context in
      var watch = Stopwatch()
      try watch.time {
        if work == .updateMany {
          try context.updateMany(
            Employee.self, where: \.$salary > EmployeeValues.tenthSalary,
            propertiesToUpdate: [.init(\.$age, 40)])
        } else {
          try context.deleteMany(
            Employee.self, where: \.$salary > EmployeeValues.tenthSalary)
        }
        let isInformed = DispatchSemaphore(value: 0)
        other.perform { _ in
        } completion: {
          isInformed.signal()
        }
        DispatchQueue.main.async { isInformed.signal() }
        isInformed.wait()
        isInformed.wait()
      }
      return watch.seconds
    }
    try await other.perform { _ in held.employees = [] }
    return seconds
  }

  /// Keeps objects of a context; touched on its queue only.
  private final class Held: @unchecked Sendable {
    var employees: [Employee] = []
  }
}
