import Foundation
import SwiftDatastore

/// Measures lists, objects and structs as values: what a snapshot costs, what a difference, and how long
/// structs take in and out beside rows of the C API.
@MainActor
struct ValueBenchmarks {
  let rows: Int
  let runs: Int

  private struct Line {
    let title: String
    let goal: String
    var figures: [Double] = []
  }

  func run() async throws {
    let files = try Files()
    do {
      try await LibraryContender.makeFile(files.empty)
      try FileManager.default.copyItem(at: files.empty, to: files.full)
      let filler = try RawContender(file: files.full, rows: rows)
      _ = try await filler.seconds(for: .createAndSave)
      try filler.close()
      print("| \(rows) rows | median | least | goal |\n|---|---|---|---|")
      try await lists(files)
      try await objects(files)
      try await structs(files)
    } catch {
      try? files.remove()
      throw error
    }
    try files.remove()
  }

  private func report(_ title: String, _ figures: [Double], _ unit: String, goal: String) {
    let sorted = figures.sorted()
    let text = [sorted[sorted.count / 2], sorted[0]].map { String(format: "%.2f \(unit)", $0) }
    print("| \(title) | \(text[0]) | \(text[1]) | \(goal) |")
  }

  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    let began = ContinuousClock.now
    try body()
    let (whole, parts) = (ContinuousClock.now - began).components
    return Double(whole) + Double(parts) / 1e18
  }

  private func lists(_ files: Files) async throws {
    let contender = try LibraryContender(file: files.full, rows: rows)
    let publisher = ListPublisher<Employee>(
      viewContext: contender.datastore.sharedViewContext, orderBy: [.asc(\.$surname)])
    try await publisher.performFetch()
    var taken: [ListSnapshot<Employee>] = []
    taken.reserveCapacity(1_000)
    var figures: [Double] = []
    for _ in 0..<runs {
      taken.removeAll(keepingCapacity: true)
      figures.append(
        seconds { for _ in 0..<1_000 { taken.append(publisher.snapshot) } } * 1_000)
    }
    report("snapshot of the list", figures, "µs", goal: "50 µs")
    let before = Memory.allocatedBytes
    let copy = publisher.snapshot
    var edited = copy
    edited.delete([copy.itemIDs[rows / 2]])
    print(
      "| a snapshot beside one that was changed once | \(Memory.allocatedBytes - before) bytes | | |"
    )
    figures = []
    var moves: [Double] = []
    for run in 0..<runs {
      let old = publisher.snapshot
      var new = old
      var moved = old
      for number in 0..<10 {
        let place = (number * 7_919 + run * 104_729) * 31 % (rows - 1)
        new.delete([old.itemIDs[place]])
        moved.move(old.itemIDs[place], after: old.itemIDs[(place + rows / 2) % rows])
      }
      figures.append(seconds { use(new.difference(from: old)) } * 1e3)
      moves.append(seconds { use(moved.difference(from: old)) } * 1e3)
    }
    report("difference of 10 deletions", figures, "ms", goal: "1 ms")
    report("difference of 10 moves", moves, "ms", goal: "1 ms")
    figures = (0..<runs).map { _ in seconds { use(copy == publisher.snapshot) } * 1e6 }
    report("comparing copies", figures, "µs", goal: "")
    use(edited)
    try contender.close()
  }

  private func objects(_ files: Files) async throws {
    let contender = try LibraryContender(file: files.full, rows: rows)
    let view = contender.datastore.sharedViewContext
    let some: [Employee] = try view.fetch(limit: 10_000)
    var figures: [Double] = []
    for _ in 0..<runs {
      figures.append(seconds { for object in some { use(ObjectSnapshot(of: object)) } } * 100)
    }
    report("snapshot of an object in memory", figures, "µs", goal: "1 µs")
    let before = Memory.allocatedBytes
    let publishers = some.map { view.publisher(of: $0) }
    let bytes = Double(Memory.allocatedBytes - before) / Double(some.count)
    report("a publisher above its object", [bytes], "bytes", goal: "200 bytes")
    use(publishers)
    try contender.close()
  }

  private func structs(_ files: Files) async throws {
    var figures: [String: [Double]] = [:]
    for _ in 0..<runs {
      try await raw(.fetchAll, files, &figures)
      try await raw(.createAndSave, files, &figures)
      let reader = try LibraryContender(file: files.full, rows: rows)
      let view = reader.datastore.sharedViewContext
      figures["out, Codable", default: []].append(
        try seconds { use(try view.fetch(CodedEmployee.self)) })
      figures["out, by hand", default: []].append(
        try seconds { use(try view.fetch(PlainEmployee.self)) })
      try reader.close()
      figures["in, Codable", default: []].append(try insert(files) { CodedEmployee($0) })
      figures["in, by hand", default: []].append(try insert(files) { PlainEmployee($0) })
    }
    for (title, base, goal) in [
      ("out, Codable", Work.fetchAll, "4"), ("out, by hand", .fetchAll, "1.6"),
      ("in, Codable", .createAndSave, "3"), ("in, by hand", .createAndSave, "2"),
    ] {
      let raw = figures[base.rawValue, default: []].sorted()
      report(
        "structs \(title), times \(base.rawValue) of the C API",
        figures[title, default: []].map { $0 / raw[raw.count / 2] }, "", goal: goal)
    }
  }

  private func raw(_ work: Work, _ files: Files, _ figures: inout [String: [Double]]) async throws {
    let contender = try RawContender(file: try files.file(for: work), rows: rows)
    if let seconds = try await contender.seconds(for: work) {
      figures[work.rawValue, default: []].append(seconds)
    }
    try contender.close()
  }

  private func insert<V: DatastoreValue>(
    _ files: Files, _ make: (EmployeeValues) -> V
  ) throws -> Double {
    let contender = try LibraryContender(file: try files.file(for: .createAndSave), rows: rows)
    let view = contender.datastore.sharedViewContext
    var total = 0.0
    for start in stride(from: 0, to: rows, by: 10_000) {
      var values = (start..<min(rows, start + 10_000)).map { make(EmployeeValues(row: $0)) }
      total += try seconds { try view.saveAll(&values) }
    }
    try contender.close()
    return total
  }
}

/// An employee that is coded by its keys.
private struct CodedEmployee: DatastoreValue, Codable {
  typealias Object = Employee
  var name: String
  var surname: String
  var age: Int
  var salary: Double
  var position: Int
  var hired: Date
  var email: String

  init(_ values: EmployeeValues) {
    name = values.name
    surname = values.surname
    age = values.age
    salary = values.salary
    position = values.position
    hired = Date(timeIntervalSinceReferenceDate: values.hired)
    email = values.email
  }
}

/// The same, which says itself what goes where.
private struct PlainEmployee: DatastoreValue {
  var name: String
  var surname: String
  var age: Int
  var salary: Double
  var position: Int
  var hired: Date
  var email: String

  init(_ values: EmployeeValues) {
    name = values.name
    surname = values.surname
    age = values.age
    salary = values.salary
    position = values.position
    hired = Date(timeIntervalSinceReferenceDate: values.hired)
    email = values.email
  }

  init(_ object: Employee) {
    name = object.name
    surname = object.surname
    age = object.age
    salary = object.salary
    position = object.position
    hired = object.hired
    email = object.email
  }

  func assign(to object: Employee, in context: any ObjectContext) {
    object.name = name
    object.surname = surname
    object.age = age
    object.salary = salary
    object.position = position
    object.hired = hired
    object.email = email
  }
}
