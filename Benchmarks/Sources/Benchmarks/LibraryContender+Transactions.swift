import CMalloc
import SwiftDatastore

extension LibraryContender {
  /// Seconds for transactions that each read and change one value, one after the other.
  func transactionSeconds() async throws -> Double {
    let keys = Array(EmployeeValues.keys(of: rows).prefix(Work.transactionCount))
    let ids = try await identifiers(keys)
    start_counting_instructions()
    defer { stop_counting_instructions() }
    let clock = ContinuousClock()
    let start = clock.now
    for id in ids {
      try await datastore.write { context in
        let employee: Employee = try context.object(with: id)
        employee.salary += 1
      }
    }
    return (clock.now - start) / .seconds(1)
  }

  /// The simplest way, without regard to time: each object is looked for, and created if it does not exist.
  static func findOrCreate(in context: SwiftDatastoreContext.Closure) throws -> Double {
    var watch = Stopwatch()
    try watch.time {
      for number in 0..<Work.badgeCount {
        if let _: Badge = try context.fetchFirst(where: \.$number == number) { continue }
        let badge: Badge = try context.createObject()
        badge.number = number
      }
      try context.saveChanges()
    }
    return watch.seconds
  }
}
