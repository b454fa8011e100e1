import Foundation
import SwiftDatastore

/// Measures lists of a class that two files hold beside the same rows in one file, by turns.
@MainActor
struct StoreBenchmarks {
  let rows: Int
  let runs: Int

  /// The work with the rows, and its repetitions for one figure.
  private struct Work {
    let title: String
    var times = 1
    let body: (SwiftDatastore) throws -> Int
  }

  private static let sorted = From<Employee>().orderBy(.asc(\.$surname), .asc(\.$name))

  private static let works = [
    Work(title: "fetch all, sorted") { try $0.newLocalContext().fetch(sorted).count },
    Work(title: "fetch all, by key") {
      try $0.newLocalContext().fetch(From<Employee>()).count
    },
    Work(title: "first fifty, sorted", times: 5) {
      try $0.newLocalContext().fetch(sorted.limit(50)).count
    },
    Work(title: "first fifty, by an index", times: 200) {
      try $0.newLocalContext().fetch(From<Badge>().orderBy(.asc(\.$number)).limit(50)).count
    },
    Work(title: "keys, sorted") { try $0.newLocalContext().fetchIDs(sorted).count },
    Work(title: "one by a condition", times: 500) {
      try $0.newLocalContext().fetch(From<Badge>().where(\.$number == 4_711)).count
    },
    Work(title: "groups with counts and means", times: 5) {
      try $0.newLocalContext().aggregates(
        .count(), .average(\.$salary), of: Employee.self, groupBy: \.$position
      ).count
    },
  ]

  func run() throws {
    let files = try Files()
    do {
      try measure(files)
    } catch {
      try? files.remove()
      throw error
    }
    try files.remove()
  }

  private func measure(_ files: Files) throws {
    let model = try SwiftDatastoreModel(
      from: Department.self, Badge.self, Member.self, Employee.self)
    let one = try datastore(model, files, ["one"])
    let two = try datastore(model, files, ["first", "second"])
    print("| \(rows) rows | one file | two files | ratio |\n|---|---|---|---|")
    for work in Self.works {
      var figures: [[Double]] = [[], []]
      for run in 0..<runs {
        for turn in 0..<2 {
          let place = (run + turn) % 2
          figures[place].append(try seconds(work, [one, two][place]))
        }
      }
      let medians = figures.map { $0.sorted()[$0.count / 2] }
      let text = medians.map { String(format: "%.2f ms", $0 * 1_000) }
      print(
        "| \(work.title) | \(text[0]) | \(text[1]) | "
          + String(format: "%.2f |", medians[1] / medians[0]))
    }
    try one.close()
    try two.close()
  }

  private func seconds(_ work: Work, _ datastore: SwiftDatastore) throws -> Double {
    let began = ContinuousClock.now
    for _ in 0..<work.times { _ = try work.body(datastore) }
    let (whole, parts) = (ContinuousClock.now - began).components
    return (Double(whole) + Double(parts) / 1e18) / Double(work.times)
  }

  /// The rows by turns in each of some files.
  private func datastore(
    _ model: SwiftDatastoreModel, _ files: Files, _ names: [String]
  ) throws -> SwiftDatastore {
    let stores = names.map {
      StoreDescription.file(
        files.empty.deletingLastPathComponent().appendingPathComponent("\($0).sqlite"))
    }
    let datastore = try SwiftDatastore(dataModel: model, stores: stores)
    let context = datastore.newLocalContext()
    for (place, store) in stores.enumerated() {
      try context.assigning(to: store) {
        let department: Department = try context.createObject()
        department.name = "Department"
        for row in 0..<rows where row % stores.count == place {
          let employee: Employee = try context.createObject()
          employee.set(EmployeeValues(row: row), department: department)
          let badge: Badge = try context.createObject()
          badge.number = row
        }
      }
      try context.saveChanges()
    }
    return datastore
  }
}
