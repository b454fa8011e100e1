#if PostgreSQL
import SwiftDatastore
import SwiftDatastorePostgreSQL

/// This library, through its public interface.
struct LibraryServerContender: ServerContender {
  static let name = LibraryContender.name

  private let contender: LibraryContender

  init(database: String, rows: Int) throws {
    let datastore = try SwiftDatastore(
      dataModel: LibraryContender.makeDataModel(), postgreSQL: "dbname=\(database)")
    contender = LibraryContender(datastore, rows: rows)
  }

  func close() throws { try contender.close() }

  /// Makes the tables, and the rows that others refer to.
  func makeDepartments() async throws {
    try await LibraryContender.makeDepartments(in: contender.datastore)
  }

  /// The connection for saving is opened when it is needed first.
  func prepare(for work: ServerWork) async throws {
    guard work.writes else { return }
    try await contender.datastore.write { context in
      let department: Department = try context.createObject()
      department.name = "Another one"
    }
  }

  func seconds(for work: ServerWork) async throws -> Double {
    let same: Work
    switch work {
    case .keys: return try await keys()
    case .mixedSave: return try await save()
    case .insertMany: same = .insertMany
    case .createAndSave: same = .createAndSave
    case .fetchAll: same = .fetchAll
    case .filtered: same = .filtered
    case .sortedKeys: same = .sortedKeys
    case .firstFifty: same = .firstFifty
    case .sectionTable: same = .sectionTable
    case .together: same = .together
    case .updateAndSave: same = .updateAndSave
    case .deleteAndSave: same = .deleteAndSave
    }
    guard let seconds = try await contender.seconds(for: same) else {
      preconditionFailure("the library does every work")
    }
    return seconds
  }

  private func keys() async throws -> Double {
    try await contender.datastore.newContext().perform { context in
      var watch = Stopwatch()
      use(try watch.time { try context.fetchIDs(Employee.self) })
      return watch.seconds
    }
  }

  private func save() async throws -> Double {
    let rows = contender.rows
    let mix = MixedSave(rows: rows)
    let ids = try await contender.identifiers(mix.raised + mix.renamed + mix.deleted)
    return try await contender.datastore.newContext().perform { context in
      let employees: [Employee] = try context.objects(with: ids)
      let departments: [Department] = try context.fetch()
      var watch = Stopwatch()
      try watch.time {
        for employee in employees[..<2_000] {
          employee.salary += 1
          employee.age += 1
        }
        for (number, employee) in employees[2_000..<4_000].enumerated() {
          employee.surname = MergeMeasurement.surname(number)
        }
        for employee in employees[4_000...] { context.deleteObject(employee) }
        for values in mix.new {
          let employee: Employee = try context.createObject()
          employee.set(values, department: departments[Int(values.department) - 1])
        }
        try context.saveChanges()
      }
      return watch.seconds
    }
  }
}
#endif
