import Foundation
import SwiftDatastore

/// This library, through its public interface.
final class LibraryContender: Contender, Sendable {
  static let name = "SwiftDatastore"

  let datastore: SwiftDatastore
  let rows: Int

  init(file: URL, rows: Int) throws {
    datastore = try Self.open(file)
    self.rows = rows
  }

  init(_ datastore: SwiftDatastore, rows: Int) {
    self.datastore = datastore
    self.rows = rows
  }

  static func makeDataModel() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(from: Department.self, Employee.self, Badge.self, Member.self)
  }

  private static func open(_ file: URL) throws -> SwiftDatastore {
    try SwiftDatastore(dataModel: makeDataModel(), url: file)
  }

  func close() throws { try datastore.close() }

  /// Makes the file that everybody measures on: its tables, and the rows that others refer to.
  static func makeFile(_ file: URL) async throws {
    let datastore = try open(file)
    try await makeDepartments(in: datastore)
    try datastore.close()
  }

  static func makeDepartments(in datastore: SwiftDatastore) async throws {
    try await datastore.write { context in
      for number in 0..<EmployeeValues.departments {
        let department: Department = try context.createObject()
        department.name = "Department \(number)"
      }
    }
  }

  func seconds(for work: Work) async throws -> Double? {
    switch work {
    case .controllerList: return try listSeconds(groupBy: true)
    case .sortedKeys: return try listSeconds(groupBy: false)
    case .controllerMerge: return try await mergeSeconds()
    default: break
    }
    let rows = rows
    var ids: [DatastoreObjectID] = []
    switch work {
    case .updateAndSave, .deleteAndSave, .oneByOne, .together:
      ids = try await identifiers(EmployeeValues.keys(of: rows))
    case .updateMany, .deleteMany: return try await batchSeconds(for: work)
    case .transactions: return try await transactionSeconds()
    default: break
    }
    return try await datastore.newContext().perform { [ids] context in
      try Self.seconds(for: work, in: context, rows: rows, ids: ids)
    }
  }

  private static func seconds(
    for work: Work, in context: SwiftDatastoreContext.Closure, rows: Int,
    ids: [DatastoreObjectID]
  ) throws -> Double? {
    switch work {
    case .createAndSave: return try create(in: context, rows: rows)
    case .insertMany: return try insert(in: context, rows: rows)
    case .fetchAll:
      return try fetch(in: context) { try context.fetch() }
    case .firstFifty:
      return try fetch(in: context) {
        try context.fetch(orderBy: [.desc(\.$salary)], limit: 50)
      }
    case .filtered:
      return try fetch(in: context) {
        try context.fetch(where: \.$salary > EmployeeValues.highSalary)
      }
    case .sectionTable:
      var watch = Stopwatch()
      use(
        try watch.time {
          try context.aggregates(.count(), of: Employee.self, groupBy: \.$position)
        })
      return watch.seconds
    case .updateAndSave: return try update(ids, in: context)
    case .deleteAndSave: return try delete(ids, in: context)
    case .oneByOne:
      var watch = Stopwatch()
      try watch.time {
        for id in ids {
          let employee: Employee = try context.object(with: id)
          use(employee)
        }
      }
      return watch.seconds
    case .together:
      var watch = Stopwatch()
      let employees: [Employee] = try watch.time { try context.objects(with: ids) }
      use(employees)
      return watch.seconds
    case .findOrCreate: return try findOrCreate(in: context)
    case .importObjects, .importMore: return try importMembers(work.importCount, in: context)
    case .upsert: return try upsertMembers(rows, in: context)
    case .controllerList, .controllerMerge, .sortedKeys, .updateMany, .deleteMany, .transactions:
      return nil
    }
  }

  private static func create(
    in context: SwiftDatastoreContext.Closure, rows: Int
  ) throws -> Double {
    let departments: [Department] = try context.fetch()
    var watch = Stopwatch()
    for start in stride(from: 0, to: rows, by: 10_000) {
      let batch = (start..<min(start + 10_000, rows)).map { EmployeeValues(row: $0) }
      try watch.time {
        for values in batch {
          let employee: Employee = try context.createObject()
          employee.set(values, department: departments[Int(values.department) - 1])
        }
        try context.saveChanges()
      }
    }
    return watch.seconds
  }

  private static func fetch(
    in context: SwiftDatastoreContext.Closure, _ body: () throws -> [Employee]
  ) throws -> Double {
    var watch = Stopwatch()
    use(
      try watch.time {
        let employees = try body()
        var sum = 0.0
        for employee in employees {
          sum += Double(employee.age) + employee.salary + Double(employee.name.utf8.count)
        }
        return (employees, sum)
      })
    return watch.seconds
  }

  private static func update(
    _ ids: [DatastoreObjectID], in context: SwiftDatastoreContext.Closure
  ) throws -> Double {
    let employees: [Employee] = try context.objects(with: ids)
    var watch = Stopwatch()
    try watch.time {
      for (number, employee) in employees.enumerated() { employee.salary = Double(number) }
      try context.saveChanges()
    }
    return watch.seconds
  }

  private static func delete(
    _ ids: [DatastoreObjectID], in context: SwiftDatastoreContext.Closure
  ) throws -> Double {
    let employees: [Employee] = try context.objects(with: ids)
    var watch = Stopwatch()
    try watch.time {
      for employee in employees { context.deleteObject(employee) }
      try context.saveChanges()
    }
    return watch.seconds
  }

  /// The identifiers of keys, in their order: an identifier is only to be had from the store.
  func identifiers(_ keys: [Int64]) async throws -> [DatastoreObjectID] {
    try await datastore.newContext().perform { context in
      let all = try context.fetchIDs(Employee.self)
      let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key.rawValue, $0) })
      return keys.compactMap { byKey[$0] }
    }
  }

  func bytesPerObject() async throws -> Double? {
    // Buffers that last are there when the second fetch is weighed.
    let first = datastore.newContext()
    try await first.perform { context in
      let employees: [Employee] = try context.fetch()
      use(employees)
    }
    return try await datastore.newContext().perform { context in
      let before = Memory.allocatedBytes
      let employees: [Employee] = try context.fetch()
      let after = Memory.allocatedBytes
      use(first)
      return Double(after - before) / Double(employees.count)
    }
  }
}
