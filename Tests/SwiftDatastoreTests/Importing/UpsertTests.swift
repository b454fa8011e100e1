import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Records without objects: rows that are there get new values, the others are made.
@Suite("Upserting")
struct UpsertTests {
  @Test(
    "Rows that are there get the values that are named; others have defaults and initial values",
    arguments: TestEngine.allCases)
  func writing(engine: TestEngine) async throws {
    let people = try await People(engine)
    let result = try await people.upsert([
      Line(number: 2, age: 40), Line(number: 9, name: "new"), Line(number: 3, name: "p3"),
    ])
    #expect(result.insertedCount == 1 && result.updatedCount == 2 && result.skippedCount == 0)
    #expect(try people.rows() == ["1|p1|18|01|x", "2|p2|40|02|x", "3|p3|18|03|x", "9|new|18|-|x"])
    let nothing = try await people.upsert([])
    #expect(nothing.insertedCount + nothing.updatedCount + nothing.skippedCount == 0)
  }

  // Promise: a record of `upsert` cannot be taken → nothing is saved; with `faults:` it is left out and the
  // others are written.
  // Also: `UpsertTests.skipping`
  @Test(
    "Without a report the first record that cannot be taken ends the call, and nothing is saved",
    arguments: TestEngine.allCases)
  func stopping(engine: TestEngine) async throws {
    let people = try await People(engine)
    let before = try people.rows()
    let faults: [(Line, String)] = [
      (
        Line(name: "a"),
        "(Person) could not be imported: “number”, by which objects are found, has no value."
      ),
      (
        Line(number: 8, name: "b"),
        "(Person 8) could not be imported: a record before it has the same “number”."
      ),
      (
        Line(number: 7),
        "(Person 7) could not be imported: “name” must have a value, but has none here."
      ),
      (
        Line(number: 7, name: "c", firm: "Hooli"),
        "(Person 7) could not be imported: “firm” is to lead to a Firm with the key “Hooli”, which is not there."
      ),
      (Line(isBroken: true), "(Person) could not be imported: the line is not to be trusted."),
    ]
    for (line, reason) in faults {
      let error = await #expect(throws: ImportFault.self) {
        try await people.upsert([Line(number: 8, name: "new"), Line(number: 1, age: 9), line])
      }
      #expect(error.map { "\($0)" } == "Record 3 \(reason)")
      #expect(try people.rows() == before)
    }
  }

  // Promise: a record of `upsert` says less than its batch, refers to nothing, or repeats a key → the
  // others of the batch are written with their own values.
  // Also: `UpsertTests.references`, `UpsertTests.stopping`
  @Test(
    "With a report, records that cannot be taken are left out, each with its reason",
    arguments: TestEngine.allCases)
  func skipping(engine: TestEngine) async throws {
    let people = try await People(engine)
    let seen = Lock<[String]>([])
    let lines = [
      Line(number: 1, name: "a", firm: "Acme"), Line(number: 1, name: "again"),
      Line(number: 5, name: "e", firm: "Nowhere"), Line(number: 6), Line(name: "none"),
      Line(isBroken: true), Line(number: 7, name: "g", firm: "Initech"),
    ]
    let result = try await people.upsert(lines) { fault, line in
      seen.withLock { $0.append("\(fault.index ?? -1) \(line.name ?? "-")") }
    }
    #expect(Set(seen.withLock(\.self)) == ["1 again", "2 e", "3 -", "4 none", "5 -"])
    #expect(result.insertedCount == 1 && result.updatedCount == 1 && result.skippedCount == 5)
    #expect(
      try people.rows(
        "SELECT p.number, p.name, f.name FROM \"Person\" p LEFT JOIN \"Firm\" f ON p.firm = f._id ORDER BY 1"
      ) == ["1|a|Acme", "2|p2|", "3|p3|", "7|g|Initech"])
    // A report that throws ends the call.
    await #expect(throws: ProductLine.Refusal.self) {
      try await people.upsert([Line(number: 99, name: "z"), Line(number: 98)]) { _, _ in
        throw ProductLine.Refusal()
      }
    }
    #expect(try people.rows("SELECT count(*) FROM \"Person\" WHERE number > 90") == ["0"])
  }

  // Promise: records refer to rows that come later in the same call → led there at the end.
  @Test("Rows refer to others of the call, earlier and later ones", arguments: TestEngine.allCases)
  func references(engine: TestEngine) async throws {
    let people = try await People(engine)
    let seen = Lock<[String]>([])
    let result = try await people.upsert(
      [
        Line(number: 10, name: "j", boss: 12), Line(number: 11, name: "k", boss: 1),
        Line(number: 12, name: "l", boss: 10), Line(number: 2, boss: 12),
        Line(number: 13, name: "m", boss: 77),
      ]
    ) { fault, _ in seen.withLock { $0.append("\(fault)") } }
    #expect(result.insertedCount == 4 && result.updatedCount == 1 && result.skippedCount == 0)
    #expect(
      seen.withLock(\.self) == [
        "Record 5 (Person 13) could not be imported: “boss” is to lead to a Person with the key 77, "
          + "which is not there."
      ])
    #expect(
      try people.rows(
        "SELECT p.number, b.number FROM \"Person\" p LEFT JOIN \"Person\" b ON p.boss = b._id "
          + "WHERE p.number IN (2, 10, 11, 12, 13) ORDER BY 1")
        == ["2|12", "10|12", "11|1", "12|10", "13|"])
  }

  @Test("Contexts and their relationships know what was written", arguments: TestEngine.allCases)
  @MainActor
  func merging(engine: TestEngine) async throws {
    let people = try await People(engine)
    let view = people.datastore.sharedViewContext
    let acme: Firm = try #require(try view.fetchFirst(where: \.$name == "Acme"))
    let first: Person = try #require(try view.fetchFirst(where: \.$number == 1))
    #expect(acme.people.isEmpty)
    try view.upsert(
      Person.self,
      from: [Line(number: 1, age: 77, firm: "Acme"), Line(number: 4, name: "d", firm: "Acme")],
      key: \.$number, Line.properties)
    #expect(first.age == 77 && first.firm === acme)
    #expect(acme.people.map(\.number).sorted() == [1, 4])
    try await people.datastore.newContext().perform { context in
      _ = try context.upsert(
        Person.self, from: [Line(number: 1, firm: "Initech")], key: \.$number, Line.properties)
    }
    await drainMainQueue()
    #expect(acme.people.map(\.number) == [4])
    #expect(first.firm?.name == "Initech")
  }

  @Test(
    "By names, also to the other side of a relationship; nil says nothing",
    arguments: TestEngine.allCases)
  func names(engine: TestEngine) async throws {
    let people = try await People(engine)
    try await people.datastore.newContext().perform { context in
      let rows: [[Value?]] = [
        [1, nil, nil, nil], [2, nil, "Acme", 50], [3, nil, "Acme", nil], [4, "four", "Acme", nil],
      ]
      let result = try context.upsert(
        entityName: "Person", key: "number", properties: ["number", "name", "firm.name", "age"],
        from: rows
      ) { $0 }
      #expect(result.insertedCount == 1 && result.updatedCount == 3)
      for (entity, property) in [
        ("Person", "nobody"), ("Person", "firm.nothing"), ("Person", "reports"),
      ] {
        #expect(throws: StoreError.unknownProperty(entity: "Person", property: property)) {
          try context.upsert(
            entityName: entity, key: "number", properties: [property], from: 1...1
          ) { _ in [1] }
        }
      }
    }
    #expect(
      try people.rows(
        "SELECT p.number, p.name, p.age, f.name FROM \"Person\" p LEFT JOIN \"Firm\" f ON p.firm = f._id ORDER BY 1"
      ) == ["1|p1|18|", "2|p2|50|Acme", "3|p3|18|Acme", "4|four|18|Acme"])
  }

  @Test(
    "Progress is reported and can end the call, and so can the task of a transaction",
    arguments: TestEngine.allCases)
  func stopped(engine: TestEngine) async throws {
    let people = try await People(engine)
    let lines = (100..<12_600).map { Line(number: $0, name: "n") }
    try await people.datastore.newContext().perform { context in
      var seen: [Int] = []
      try context.upsert(
        Person.self, from: lines, key: \.$number, progress: { seen.append($0.completed) },
        Line.properties)
      #expect(seen == (1...12).map { $0 * 1_000 } + [12_500])
      #expect(throws: CancellationError.self) {
        try context.upsert(
          Person.self, from: lines, key: \.$number,
          progress: { if $0.completed == 11_000 { throw CancellationError() } }
        ) { [.init(\.$number, $0.number), .init(\.$name, "other")] }
      }
    }
    #expect(
      try people.rows("SELECT name, count(*) FROM \"Person\" GROUP BY name HAVING count(*) > 1")
        == ["n|12500"]
    )
    let begun = AsyncStream<Void>.makeStream()
    let isCancelled = DispatchSemaphore(value: 0)
    let task = Swift.Task { [people] in
      try await people.datastore.write { context in
        _ = try context.upsert(
          Person.self, from: lines, key: \.$number,
          progress: { progress in
            guard progress.completed == 6_000 else { return }
            begun.continuation.yield()
            isCancelled.wait()
          }
        ) { [.init(\.$number, $0.number), .init(\.$name, "other")] }
      }
    }
    for await _ in begun.stream { break }
    task.cancel()
    isCancelled.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try people.rows("SELECT count(*) FROM \"Person\" WHERE name = 'other'") == ["0"])
  }

  // Promise: a key comes again 5,000 records later → told, for new and old rows.
  @Test(
    "A key that comes again in another batch is found, of new rows and of old ones",
    arguments: TestEngine.allCases)
  func repeatedFarApart(engine: TestEngine) async throws {
    let people = try await People(engine)
    let numbers = Array(1...6_000) + [2, 5_000, 6_001]
    let seen = Lock<[Int]>([])
    let result = try await people.upsert(numbers.map { Line(number: $0, name: "n", age: 1) }) {
      fault, _ in
      seen.withLock { $0.append(fault.index ?? -1) }
    }
    #expect(seen.withLock(\.self) == [6_000, 6_001])
    #expect(result.insertedCount == 5_998 && result.updatedCount == 3 && result.skippedCount == 2)
    #expect(try people.rows("SELECT count(*), sum(age) FROM \"Person\"") == ["6001|6001"])
  }

  @Test(
    "A key of another type that SQLite takes for the same finds the row",
    arguments: [TestEngine.sqlite, .far])
  func equalKeys(engine: TestEngine) async throws {
    let people = try await People(engine)
    let result = try await people.datastore.newContext().perform { context in
      try context.upsert(
        entityName: "Person", key: "number", properties: ["number", "age"], from: ["2"]
      ) { [.text($0), .integer(50)] }
    }
    #expect(result.updatedCount == 1 && result.insertedCount == 0)
    #expect(
      try people.rows("SELECT number, typeof(number) FROM \"Person\" WHERE age = 50") == [
        "2|integer"
      ])
  }

  @Test(
    "Large records are written before a batch is full, each once", arguments: TestEngine.allCases)
  func large(engine: TestEngine) async throws {
    let people = try await People(engine)
    let name = String(repeating: "x", count: 1_500_000)
    let seen = Lock<[Int]>([])
    let numbers: [Int] = [1, 20, 21, 22, 20, 23, 1]
    let lines = numbers.map { (number: Int) in Line(number: number, name: "\(name)\(number)") }
    let result = try await people.upsert(lines) { fault, _ in
      seen.withLock { $0.append(fault.index ?? -1) }
    }
    #expect(seen.withLock(\.self) == [4, 6])
    #expect(result.insertedCount == 4 && result.updatedCount == 1 && result.skippedCount == 2)
    #expect(
      try people.rows(
        "SELECT substr(name, 1500001) FROM \"Person\" WHERE length(name) > 9 ORDER BY number")
        == ["1", "20", "21", "22", "23"])
  }

  /// A trigger that keeps people of more than 99 years out.
  private static func guarding(_ engine: TestEngine) -> String {
    switch engine {
    case .sqlite, .far:
      """
      CREATE TRIGGER guard BEFORE INSERT ON "Person" WHEN new.age > 99
      BEGIN SELECT raise(ABORT, 'too old'); END
      """
    #if PostgreSQL
    case .postgreSQL:
      """
      CREATE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'too old'; END $$;
      CREATE TRIGGER guard BEFORE INSERT ON "Person" FOR EACH ROW WHEN (new.age > 99)
      EXECUTE FUNCTION guard()
      """
    #endif
    }
  }

  @Test("What the store refuses undoes everything", arguments: TestEngine.allCases)
  func refused(engine: TestEngine) async throws {
    let people = try await People(engine)
    let before = try people.rows()
    try people.store.rows(Self.guarding(engine))
    await #expect(throws: StoreError.self) {
      try await people.upsert([Line(number: 1, age: 20), Line(number: 50, name: "old", age: 100)])
    }
    #expect(try people.rows() == before)
  }

  @Test("Random records leave what a dictionary has", arguments: TestEngine.allCases)
  func property(engine: TestEngine) async throws {
    let people = try await People(engine)
    for round in 0..<30 {
      var random = SeededRandom(seed: RandomCases.seed(round))
      var expected: [Int: (name: String, age: Int)] = [:]
      for line in try people.rows("SELECT number, name, age FROM \"Person\"") {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        expected[Int(parts[0]) ?? 0] = (parts[1], Int(parts[2]) ?? 0)
      }
      var lines: [Line] = []
      var skipped = 0
      var used: Set<Int> = []
      for _ in 0..<random.below(300) {
        let line = Line(
          number: random.below(20) == 0 ? nil : random.below(200),
          name: random.below(3) == 0 ? nil : "n\(random.below(9))",
          age: random.below(3) == 0 ? nil : random.below(99))
        lines.append(line)
        guard let number = line.number, !used.contains(number),
          expected[number] != nil || line.name != nil
        else {
          skipped += 1
          continue
        }
        used.insert(number)
        let known = expected[number]
        expected[number] = (line.name ?? known?.name ?? "", line.age ?? known?.age ?? 18)
      }
      let result = try await people.upsert(lines) { _, _ in }
      try #require(result.skippedCount == skipped, "seed \(random.seed)")
      let wanted = expected.sorted { $0.key < $1.key }.map {
        "\($0.key)|\($0.value.name)|\($0.value.age)"
      }
      let found = try people.rows("SELECT number, name, age FROM \"Person\" ORDER BY 1")
      try #require(found == wanted, "seed \(random.seed)")
    }
  }
}
