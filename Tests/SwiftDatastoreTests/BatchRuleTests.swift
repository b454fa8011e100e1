import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

private struct Size: Codable, Sendable, Equatable {
  var width: Int
}

private final class Crate: DatastoreObject {
  @Attribute.NotOptional(unique: true) var label: String = ""
  @Attribute.Coded var size: Size?
  @Relationship.ToMany(minimumCount: 2, maximumCount: 3) var bottles: Set<Bottle>
}

private final class Bottle: DatastoreObject {
  @Attribute.NotOptional var number: Int = 0
  @Attribute.NotOptional var year: Int16 = 0
  @Attribute.Optional(validate: .matches("[A-Z].*")) var grape: String?
  @Attribute.NotOptional var serial: UInt64 = 0
  @Relationship.ToOne(inverse: \.$bottles) var crate: Crate?
}

/// The rules of the model hold for batch operations as for objects.
@Suite("Rules of batch operations")
struct BatchRuleTests {
  /// Crates `full` with three bottles and `half` with two; bottle 6 in none.
  private func filled(_ engine: TestEngine) async throws -> SwiftDatastore {
    let datastore = try engine.makeDatastore(
      SwiftDatastoreModel(from: Crate.self, Bottle.self))
    try await datastore.write { context in
      let full: Crate = try context.createObject()
      full.label = "full"
      full.size = Size(width: 7)
      let half: Crate = try context.createObject()
      half.label = "half"
      for number in 1...6 {
        let bottle: Bottle = try context.createObject()
        bottle.number = number
        bottle.year = number < 4 ? 1999 : 2001
        bottle.grape = number.isMultiple(of: 2) ? "Pinot" : nil
        bottle.crate = number < 4 ? full : number < 6 ? half : nil
      }
    }
    return datastore
  }

  private func bottles(_ context: SwiftDatastoreContext.Closure) throws -> [String: [Int]] {
    var found: [String: [Int]] = [:]
    for crate in try context.fetch() as [Crate] {
      found[crate.label] = crate.bottles.map(\.number).sorted()
    }
    return found
  }

  @Test("Counts of relationships: too many, too few, and none", arguments: TestEngine.allCases)
  func counts(engine: TestEngine) async throws {
    try await filled(engine).newContext().perform { context in
      let full: Crate = try #require(try context.fetchFirst(where: \.$label == "full"))
      let half: Crate = try #require(try context.fetchFirst(where: \.$label == "half"))
      let before = try bottles(context)
      let tooMany = try #require(throws: ValidationError.self) {
        try context.updateMany(
          Bottle.self, where: \.$number == 6, propertiesToUpdate: [.init(\.$crate, full)])
      }
      #expect(
        tooMany.faults == [
          .init(entity: "Crate", key: full.key, property: "bottles", reason: .tooMany(maximum: 3))
        ])
      let tooFew = try #require(throws: ValidationError.self) {
        try context.updateMany(
          Bottle.self, where: \.$number == 4, propertiesToUpdate: [.init(\.$crate, nil)])
      }
      #expect(
        tooFew.faults == [
          .init(entity: "Crate", key: half.key, property: "bottles", reason: .tooFew(minimum: 2))
        ])
      #expect(throws: ValidationError.self) {
        try context.deleteMany(Bottle.self, where: \.$number == 5)
      }
      #expect(throws: ValidationError.self) {
        try context.insertMany(Bottle.self, from: 7...8) {
          [.init(\.$number, $0), .init(\.$crate, half)]
        }
      }
      #expect(try bottles(context) == before && context.count(Bottle.self) == 6)
      // No object is always allowed, and so is any number within the limits.
      #expect(try context.deleteMany(Bottle.self, where: \.$number == 1) == 1)
      #expect(
        try context.updateMany(
          Bottle.self, where: \.$crate == half, propertiesToUpdate: [.init(\.$crate, nil)]) == 2)
      #expect(
        try context.updateMany(
          Bottle.self, where: \.$number == 6, propertiesToUpdate: [.init(\.$crate, full)]) == 1)
      #expect(try bottles(context) == ["full": [2, 3, 6], "half": []])
    }
  }

  // Promise: a condition that a server cannot decide chooses rows to be changed → they are found in memory,
  // inside of the transaction that changes them.
  @Test(
    "Conditions that no server decides by our rules, or that it has no room to compute",
    arguments: TestEngine.allCases)
  func conditions(engine: TestEngine) async throws {
    try await filled(engine).newContext().perform { context in
      let pinots: Where<Bottle> = .matches(\.$grape, "P.*(?=t).")
      #expect(
        try context.updateMany(
          Bottle.self, where: pinots && \.$number > 2, propertiesToUpdate: [.init(\.$year, 1950)])
          == 2)
      let old: [Bottle] = try context.fetch(where: \.$year == 1950, orderBy: [.asc(\.$number)])
      #expect(old.map(\.number) == [4, 6])
      // Through a relationship, and with partners that change.
      let half: Crate = try #require(try context.fetchFirst(where: \.$label == "half"))
      let full = try Where<Bottle>(
        format: "crate.label MATCHES 'fu.*'", in: context.core.graph.schema)
      #expect(throws: ValidationError.self) {
        try context.updateMany(
          Bottle.self, where: full, propertiesToUpdate: [.init(\.$crate, half)])
      }
      let huge = try Where<Bottle>(
        format: "number * 1.0e308 * 10 > 5", in: context.core.graph.schema)
      #expect(
        try context.updateMany(
          Bottle.self, where: huge && full, propertiesToUpdate: [.init(\.$year, 1960)]) == 3)
      #expect(try context.count(Bottle.self, where: \.$year == 1960) == 3)
      #expect(try context.deleteMany(Bottle.self, where: pinots && \.$number == 6) == 1)
      #expect(try context.deleteMany(Bottle.self, where: huge) == 5)
      #expect(try context.count(Bottle.self) == 0)
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }

  // Promise: a unique value that another object has → the error names entity, property and object, on files
  // and servers.
  @Test(
    "Who has a value that must be another object's only is named, with the property",
    arguments: TestEngine.allCases)
  func sameValue(engine: TestEngine) async throws {
    try await filled(engine).newContext().perform { context in
      let again: Crate = try context.createObject()
      again.label = "full"
      var error = #expect(throws: StoreError.self) { try context.saveChanges() }
      #expect(error == .notUnique(entity: "Crate", properties: ["label"], key: again.key))
      again.label = "new"
      let second: Crate = try context.createObject()
      second.label = "new"
      error = #expect(throws: StoreError.self) { try context.saveChanges() }
      guard case .notUnique("Crate", ["label"], let key?) = error else {
        Issue.record("\(error.debugDescription)")
        return
      }
      #expect([again.key, second.key].contains(key))
      context.revertChanges()
      let half: Crate = try #require(try context.fetchFirst(where: \.$label == "half"))
      half.label = "full"
      error = #expect(throws: StoreError.self) { try context.saveChanges() }
      #expect(error == .notUnique(entity: "Crate", properties: ["label"], key: half.key))
      context.revertChanges()
    }
  }

  @Test("Values: missing, twice, too great", arguments: TestEngine.allCases)
  func values(engine: TestEngine) async throws {
    try await filled(engine).newContext().perform { context in
      #expect(throws: StoreError.self) {
        try context.updateMany(Crate.self, propertiesToUpdate: [.init(\.$label, "same")])
      }
      #expect(throws: StoreError.self) {
        try context.updateMany(Bottle.self, propertiesToUpdate: [.init(\.$year, nil)])
      }
      let error = try #require(throws: StoreError.self) {
        try context.updateMany(Bottle.self, propertiesToUpdate: [.init(\.$serial, .max)])
      }
      #expect("\(error)".contains("18446744073709551615") && "\(error)".contains("“serial”"))
      #expect(throws: ValidationError.self) {
        try context.insertMany(Bottle.self, from: [1]) { _ in [.init(\.$serial, .max)] }
      }
      // An existing row, and a new one.
      for number in [6, 7] {
        let broken = try #require(throws: ValidationError.self) {
          try context.upsert(Bottle.self, from: [number], key: \.$number) {
            [.init(\.$number, $0), .init(\.$serial, .max), .init(\.$grape, "pinot")]
          }
        }
        #expect(broken.faults.map(\.property) == ["serial", "grape"])
      }
      #expect(try context.count(Bottle.self) == 6)
      #expect(try context.count(Bottle.self, where: \.$serial == 0) == 6)
    }
  }

  @Test(
    "A one-to-one relationship is given to one object; all partners follow",
    arguments: TestEngine.allCases)
  func oneToOne(engine: TestEngine) async throws {
    let datastore = try engine.makeDatastore(TestModel.make())
    let other = datastore.newContext()
    try await datastore.newContext().perform { context in
      var employees: [Employee] = []
      var desks: [Desk] = []
      for index in 0..<3 {
        let employee: Employee = try context.createObject()
        employee.name = "e\(index)"
        let desk: Desk = try context.createObject()
        desk.number = index
        employee.desk = index < 2 ? desk : nil
        employees.append(employee)
        desks.append(desk)
      }
      try context.saveChanges()
      func pairs() -> [Int?] { employees.map { $0.desk?.number } }
      func owners() -> [String?] { desks.map { $0.employee?.name } }
      let several = try #require(throws: StoreError.self) {
        try context.updateMany(Employee.self, propertiesToUpdate: [.init(\.$desk, desks[2])])
      }
      #expect("\(several)".hasPrefix("3 objects of Employee meet the condition, but only one"))
      #expect(pairs() == [0, 1, nil])
      // e0 leaves desk 0 and moves to desk 1, which e1 loses.
      #expect(
        try context.updateMany(
          Employee.self, where: \.$desk == desks[0], propertiesToUpdate: [.init(\.$desk, desks[1])])
          == 1)
      #expect(pairs() == [1, nil, nil] && owners() == [nil, "e0", nil])
      // From the other side.
      #expect(
        try context.updateMany(
          Desk.self, where: \.$number == 2, propertiesToUpdate: [.init(\.$employee, employees[0])])
          == 1)
      #expect(pairs() == [2, nil, nil] && owners() == [nil, nil, "e0"])
      #expect(
        try context.updateMany(
          Desk.self, where: \.$number == 9, propertiesToUpdate: [.init(\.$employee, employees[1])])
          == 0)
      #expect(context.core.graph.brokenInvariants() == [] && !context.hasChanges)
    }
    try await other.perform { context in
      let employees: [Employee] = try context.fetch(orderBy: [.asc(\.$name)])
      #expect(employees.map { $0.desk?.number } == [2, nil, nil])
      let desks: [Desk] = try context.fetch(orderBy: [.asc(\.$number)])
      #expect(desks.map { $0.employee?.name } == [nil, nil, "e0"])
    }
  }

  @Test("Coded attributes without objects", arguments: TestEngine.allCases)
  func codedProperties(engine: TestEngine) async throws {
    try await filled(engine).newContext().perform { context in
      let rows = try context.fetch(
        Crate.self, properties: [.init(\.$label), .init(\.$size)], orderBy: [.asc(\.$label)])
      #expect(rows[0]["size"] as? Size == Size(width: 7))
      #expect(rows[1].keys.contains("size") == false && rows[1]["label"] as? String == "half")
      #expect(
        try context.updateMany(
          Crate.self, where: \.$label == "half",
          propertiesToUpdate: [.init(\.$size, Size(width: 9))]) == 1)
      let half: Crate = try #require(try context.fetchFirst(where: \.$label == "half"))
      #expect(half.size == Size(width: 9))
    }
  }

  @Test(
    "Groups by more than one attribute, with a condition on the groups",
    arguments: TestEngine.allCases)
  func groups(engine: TestEngine) async throws {
    try await filled(engine).newContext().perform { context in
      let groups = try context.aggregates(
        .count(), .sum(\.$number), of: Bottle.self, groupBy: [.init(\.$year), .init(\.$grape)])
      #expect(groups.map { $0.group[\.$year] } == [1999, 1999, 2001, 2001])
      #expect(groups.map { $0.group[\.$grape] } == [nil, "Pinot", nil, "Pinot"])
      #expect(groups.map(\.values.0) == [2, 1, 1, 2])
      #expect(groups.map(\.values.1) == [4, 2, 5, 10])
      let large = try context.aggregates(
        .maximum(\.$number), of: Bottle.self, groupBy: [.init(\.$grape), .init(\.$year)],
        where: \.$number > 1,
        having: [Having(.count(), .greaterThan, 1), Having(.sum(\.$number), .lessThan, 11)])
      #expect(large.count == 1 && large.first?.values == 6)
      #expect(large.first?.group[\.$year] == 2001 && large.first?.group[\.$grape] == "Pinot")
      let all = try context.aggregates(.average(\.$number), of: Bottle.self, groupBy: [])
      #expect(all.map(\.values) == [3.5])
    }
  }

  @Test(
    "Whole numbers that no store has are refused when they are saved",
    arguments: TestEngine.allCases)
  func greatNumbers(engine: TestEngine) async throws {
    try await filled(engine).newContext().perform { context in
      let bottle: Bottle = try #require(try context.fetchFirst(where: \.$number == 6))
      bottle.serial = UInt64(Int64.max)
      try context.saveChanges()
      bottle.serial = .max
      #expect(bottle.serial == .max, "staged as it is")
      let error = try #require(throws: ValidationError.self) { try context.saveChanges() }
      #expect(
        error.faults == [
          .init(
            entity: "Bottle", key: bottle.key, property: "serial",
            reason: .tooGreat(value: "18446744073709551615"))
        ])
      #expect(
        "\(error)".contains("the greatest whole number that can be saved is 9223372036854775807"))
      #expect(bottle.serial == .max && context.hasChanges, "nothing is lost")
      func numbers(_ condition: Where<Bottle>) throws -> [Int] {
        try context.fetch(where: condition, orderBy: [.asc(\.$number)]).map(\.number)
      }
      // In memory, with the staged value among them, and in the store.
      #expect(try numbers(\.$serial > 5) == [6] && numbers(\.$serial == .max) == [6])
      context.revertChanges()
      #expect(bottle.serial == UInt64(Int64.max))
      #expect(try numbers(\.$serial > 5) == [6] && numbers(\.$serial >= UInt64(Int64.max)) == [6])
      #expect(try numbers(\.$serial < .max) == [1, 2, 3, 4, 5, 6])
      #expect(try numbers(\.$serial == .max) == [] && numbers(\.$serial > .max) == [])
    }
  }
}
