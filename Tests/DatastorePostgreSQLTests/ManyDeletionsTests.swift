#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// Many rows that were fetched together are deleted: those that someone has changed since are conflicts.
@Suite("Deletion of many rows")
struct ManyDeletionsTests {
  let store: PostgreSQLStore
  let address: PostgreSQLAddress
  /// Someone else.
  let other: PostgreSQLConnection

  init() throws {
    let server = try PostgreSQLServer.shared()
    address = try PostgreSQLAddress(server.address(of: server.makeDatabase()))
    store = try PostgreSQLStore(CompanySchema.schema, at: address, named: "company")
    var others = address
    others.searchPath = ["company"]
    other = try PostgreSQLConnection(others)
  }

  private func run(_ sql: String) throws { try other.run(PostgreSQLStatement(sql)) }

  private func count() throws -> Int { try store.count(FetchRequest(entity: "Employee")) }

  private func fill(_ count: Int = 600) throws {
    try run(
      """
      INSERT INTO "Employee" ("_id", "name", "age") \
      SELECT n, 'E' || n, n % 7 FROM generate_series(1, \(count)) AS n
      """)
  }

  /// The deletion of all rows that a request finds, as they were found.
  private func deletion(
    _ entity: String = "Employee"
  ) throws -> EntityChanges {
    let found = try store.fetch(FetchRequest(entity: entity))
    var changes = EntityChanges(entity: try #require(store.schema.entity(named: entity)).index)
    for page in found {
      for row in 0..<page.rowCount {
        changes.deleted.append(
          RowDeletion(key: page.key(ofRow: row), original: page, originalRow: row))
      }
    }
    return changes
  }

  private func changeSet(_ changes: EntityChanges...) -> ChangeSet {
    var set = ChangeSet()
    set.entities = changes
    return set
  }

  @Test("One that someone has changed since it was read is a conflict, and all stay")
  func conflict() throws {
    try fill()
    let set = changeSet(try deletion())
    try run(#"UPDATE "Employee" SET "age" = 40 WHERE "_id" = 333"#)
    let error = #expect(throws: ConflictError.self) { try store.save(set) }
    #expect(error?.conflicts.map(\.key) == [333])
    #expect(error?.conflicts.first?.wasToBeDeleted == true)
    #expect(error?.conflicts.first?.properties.map(\.theirs) == [40])
    #expect(try count() == 600)
  }

  @Test("One that was being changed while it was read is a conflict, too")
  func runningTransaction() throws {
    try fill()
    try run("BEGIN")
    try run(#"UPDATE "Employee" SET "age" = 40 WHERE "_id" = 333"#)
    let set = changeSet(try deletion())
    try run("COMMIT")
    let error = #expect(throws: ConflictError.self) { try store.save(set) }
    #expect(error?.conflicts.map(\.key) == [333])
    #expect(try count() == 600)
  }

  @Test("Rows whose references go with what is deleted at the same time are no conflicts")
  func references() throws {
    var changes = Changes(store)
    let companies = try (0..<300).map {
      try changes.insert("Company", ["name": .text("C\($0)")])
    }
    for number in 0..<600 {
      try changes.insert(
        "Employee", ["name": .text("E\(number)"), "company": .key(companies[number % 300])])
    }
    try changes.save()
    for order in [false, true] {
      let (companies, employees) = (try deletion("Company"), try deletion())
      let set = order ? changeSet(companies, employees) : changeSet(employees, companies)
      // To be rolled back.
      let error = #expect(throws: ConflictError.self) {
        try run(#"UPDATE "Company" SET "name" = 'other' WHERE "name" = 'C7'"#)
        return try store.save(set)
      }
      #expect(error?.conflicts.map(\.entity) == ["Company"])
      try run(#"UPDATE "Company" SET "name" = 'C7' WHERE "name" = 'other'"#)
    }
    let set = changeSet(try deletion("Company"), try deletion())
    let waits = store.waitCount
    _ = try store.save(set)
    #expect(store.waitCount == waits + 1)
    #expect(try count() == 0)
    #expect(try store.count(FetchRequest(entity: "Company")) == 0)
  }

  // Promise: many rows are deleted, and someone else has written, is writing or writes some of them → those,
  // and no others, are conflicts.
  // Also: (seed printed)
  @Test("What a save finds is what comparing finds, whatever others do and whenever")
  func agreement() throws {
    var random = SeededRandom(seed: RandomCases.seed())
    for round in 0..<20 {
      try run(#"DELETE FROM "Employee""#)
      try fill(300)
      let isOpen = Bool.random(using: &random)
      func change() throws {
        let first = Int.random(in: 1...300, using: &random)
        let value = Bool.random(using: &random) ? #""age""# : "50"
        let statement =
          Int.random(in: 0..<5, using: &random) == 0
          ? #"DELETE FROM "Employee" WHERE "_id" = \#(first)"#
          : #"UPDATE "Employee" SET "age" = \#(value) WHERE "_id" BETWEEN \#(first) AND \#(first + 3)"#
        try run(statement)
      }
      if isOpen { try run("BEGIN") }
      if Bool.random(using: &random) { try change() }
      let changes = try deletion()
      if isOpen { try run(Bool.random(using: &random) ? "COMMIT" : "ROLLBACK") }
      if Bool.random(using: &random) { try change() }
      let stored = try store.rows(entity: changes.entity, keys: changes.deleted.map(\.key))
      var expected: Set<RowKey> = []
      let originals = Dictionary(uniqueKeysWithValues: changes.deleted.map { ($0.key, $0) })
      for page in stored {
        for row in 0..<page.rowCount {
          let deletion = try #require(originals[page.key(ofRow: row)])
          let original = try #require(deletion.original)
          let isSame = (0..<page.columnCount).allSatisfy {
            page.value(row: row, slot: Slot($0))
              == original.value(row: deletion.originalRow, slot: Slot($0))
          }
          if !isSame { expected.insert(deletion.key) }
        }
      }
      var found: Set<RowKey> = []
      do {
        _ = try store.save(changeSet(changes))
      } catch let error as ConflictError {
        found = Set(error.conflicts.map(\.key))
      }
      #expect(found == expected, "round \(round), seed \(random.seed)")
      #expect(try count() == (expected.isEmpty ? 0 : stored.reduce(0) { $0 + $1.rowCount }))
    }
  }
}
#endif
