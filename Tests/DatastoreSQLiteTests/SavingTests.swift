import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Saving to native files")
struct SavingTests {
  let folder: TemporaryDirectory
  let store: SQLiteStore

  init() throws {
    folder = try TemporaryDirectory()
    store = try SQLiteStore(CompanySchema.schema, at: folder.file("company.db"))
  }

  @Test("Rows of every value class come back as they were")
  func roundTrip() throws {
    let texts: [Value] = [
      .text(""), .text("a\0b"), .text("Ünïcödé 🎈"), .null,
      .text(String(repeating: "x", count: 70_000)),
    ]
    let integers: [Value] = [.integer(.min), .integer(.max), .integer(0), .null, .integer(-1)]
    let reals: [Value] = [.real(-.infinity), .real(.infinity), .real(0.1), .null, .real(0x1p-1074)]
    let blobs: [Value] = [
      .blob(Data()), .blob(Data([0, 255, 0])), .blob(Data(count: 3_000_000)), .null,
      .blob(Data([1])),
    ]
    var changes = Changes(store)
    var keys: [RowKey] = []
    for index in texts.indices {
      keys.append(
        try changes.insert(
          "Employee",
          [
            "name": texts[index], "age": integers[index], "salary": reals[index],
            "photo": blobs[index],
          ]))
    }
    try changes.save()
    let rows = try store.values(
      FetchRequest(entity: "Employee"), "name", "age", "salary", "photo")
    for index in texts.indices {
      #expect(rows[index] == [texts[index], integers[index], reals[index], blobs[index]])
      let row = try #require(try store.row("Employee", keys[index]))
      #expect(row["photo"] == blobs[index])
    }
  }

  @Test("NaN is stored as NULL, the only thing SQLite knows for it")
  func notANumber() throws {
    var changes = Changes(store)
    let key = try changes.insert("Employee", ["salary": .real(.nan)])
    try changes.save()
    #expect(try store.row("Employee", key)?["salary"] == .null)
  }

  @Test("Text of invalid UTF-8 keeps its bytes")
  func invalidText() throws {
    let entity = try #require(store.schema.entity(named: "Employee"))
    let bytes: [UInt8] = [0x61, 0xFF, 0xFE, 0x62]
    let page = RowPage(columnCount: entity.slotCount)
    page.appendRow(key: 7)
    bytes.withUnsafeBufferPointer { page.setBytes($0, tag: .text, row: 0, slot: 0) }
    page.seal()
    var changes = ChangeSet()
    var employees = EntityChanges(entity: entity.index)
    employees.inserted = [page]
    changes.entities = [employees]
    _ = try store.save(changes)
    let read = try #require(try store.rows(entity: entity.index, keys: [7]).first)
    #expect(read.tag(row: 0, slot: 0) == .text)
    #expect(Array(read.bytes(row: 0, slot: 0)) == bytes)
  }

  @Test("A file is read again by another store with the same model")
  func reopening() throws {
    var changes = Changes(store)
    let company = try changes.insert("Company", ["name": "Acme"])
    let employee = try changes.insert("Employee", ["name": "Ann", "company": .key(company)])
    try changes.save()
    try store.close()
    #expect(try folder.names() == ["company.db"])
    let again = try SQLiteStore(CompanySchema.schema, at: folder.file("company.db"))
    #expect(try again.row("Employee", employee)?["company"] == .key(company))
    #expect(try again.related("Company", "employees", company) == [employee])
    #expect(try again.makeKey(entity: 1) == employee + 1)
  }

  @Test("Ordered relationships keep their order, many-to-many ones both directions")
  func relationships() throws {
    var changes = Changes(store)
    let ann = try changes.insert("Employee", ["name": "Ann"])
    let bob = try changes.insert("Employee", ["name": "Bob"])
    let tasks = try (0..<3).map {
      try changes.insert("Task", ["title": .text("T\($0)"), "owner": .key(ann)])
    }
    let red = try changes.insert("Tag", ["label": "red"])
    let blue = try changes.insert("Tag", ["label": "blue"])
    try changes.order("Employee", "tasks", ann, [tasks[2], tasks[0], tasks[1]])
    try changes.link("Employee", "tags", ann, red)
    try changes.link("Employee", "tags", ann, blue)
    try changes.link("Employee", "tags", bob, blue)
    try changes.save()
    #expect(try store.related("Employee", "tasks", ann) == [tasks[2], tasks[0], tasks[1]])
    #expect(try store.related("Employee", "tags", ann) == [red, blue])
    #expect(try store.related("Tag", "employees", blue) == [ann, bob])
    var removal = ChangeSet()
    var links = LinkChanges(
      entity: 1, slot: try #require(store.schema.entities[1].slot(named: "tags")))
    links.removed = [(ann, blue)]
    removal.links = [links]
    _ = try store.save(removal)
    #expect(try store.related("Tag", "employees", blue) == [bob])
  }

  @Test("A row that changed underneath is a conflict with its three values; nothing is written")
  func conflict() throws {
    var changes = Changes(store)
    let ann = try changes.insert("Employee", ["name": "Ann", "age": 30, "salary": 1.0])
    let bob = try changes.insert("Employee", ["name": "Bob"])
    try changes.save()
    var theirs = Changes(store)
    try theirs.update("Employee", ann, from: ["age": 30], to: ["age": 31])
    try theirs.save()
    var mine = Changes(store)
    try mine.insert("Company", ["name": "Acme"])
    try mine.update(
      "Employee", ann, from: ["age": 30, "salary": 1.0], to: ["age": 40, "salary": 2.0])
    try mine.update("Employee", bob, from: ["name": "Bob"], to: ["name": "Rob"])
    let error = try #require(throws: ConflictError.self) { try mine.save() }
    #expect(
      error.conflicts == [
        Conflict(
          entity: "Employee", key: ann,
          properties: [.init(name: "age", original: 30, mine: 40, theirs: 31)], isDeleted: false)
      ])
    #expect(try store.count(FetchRequest(entity: "Company")) == 0)
    #expect(try store.row("Employee", bob)?["name"] == "Bob")
    var overwriting = Changes(store)
    try overwriting.update(
      "Employee", ann, from: ["age": 30], to: ["age": 40], overwrites: true)
    try overwriting.save()
    #expect(try store.row("Employee", ann)?["age"] == 40)
  }

  @Test("An update of a row that is gone is a conflict, deleting it again is not")
  func deletedUnderneath() throws {
    var changes = Changes(store)
    let ann = try changes.insert("Employee", ["name": "Ann"])
    try changes.save()
    var deletion = Changes(store)
    try deletion.delete("Employee", ann)
    try deletion.save()
    try deletion.save()
    var update = Changes(store)
    try update.update("Employee", ann, from: ["name": "Ann"], to: ["name": "Anna"])
    let error = try #require(throws: ConflictError.self) { try update.save() }
    #expect(error.conflicts.map(\.isDeleted) == [true])
  }

  @Test("Unsaved properties are not compared: edits of different properties do not conflict")
  func disjointEdits() throws {
    var changes = Changes(store)
    let ann = try changes.insert("Employee", ["name": "Ann", "age": 30])
    try changes.save()
    var theirs = Changes(store)
    try theirs.update("Employee", ann, from: ["age": 30], to: ["age": 31])
    try theirs.save()
    var mine = Changes(store)
    try mine.update("Employee", ann, from: ["name": "Ann"], to: ["name": "Anna"])
    try mine.save()
    #expect(try store.row("Employee", ann)?["age"] == 31)
    #expect(try store.row("Employee", ann)?["name"] == "Anna")
  }

  @Test("Unique values may swap, move along a chain, and move to a new row in one save")
  func uniqueValuesChangePlaces() throws {
    var changes = Changes(store)
    let keys = try ["a", "b", "c"].map { try changes.insert("Employee", ["email": .text($0)]) }
    try changes.save()
    var swap = Changes(store)
    try swap.update("Employee", keys[0], from: ["email": "a"], to: ["email": "b"])
    try swap.update("Employee", keys[1], from: ["email": "b"], to: ["email": "a"])
    try swap.update("Employee", keys[2], from: ["email": "c"], to: ["email": "d"])
    try swap.insert("Employee", ["email": "c"])
    try swap.save()
    #expect(
      try store.values(FetchRequest(entity: "Employee"), "email") == [["b"], ["a"], ["d"], ["c"]])
  }

  @Test("A failed constraint is a sentence with entity, property and key, and writes nothing")
  func constraints() throws {
    var changes = Changes(store)
    try changes.insert("Employee", ["email": "a"])
    try changes.save()
    var again = Changes(store)
    try again.insert("Company", ["name": "Acme"])
    let key = try again.insert("Employee", ["email": "a"])
    let unique = try #require(throws: StoreError.self) { try again.save() }
    #expect(unique == .notUnique(entity: "Employee", properties: ["email"], key: key))
    #expect(try store.count(FetchRequest(entity: "Company")) == 0)
    var missing = Changes(store)
    let company = try missing.insert("Company", [:])
    let required = try #require(throws: StoreError.self) { try missing.save() }
    #expect(required == .missingValue(entity: "Company", property: "name", key: company))
    var dangling = Changes(store)
    let lost = try dangling.insert("Employee", ["company": 99])
    let broken = try #require(throws: StoreError.self) { try dangling.save() }
    #expect(
      broken
        == .brokenReference(
          entity: "Employee", property: "company", key: lost,
          detail: "Employee \(lost) to Company"))
  }

  @Test("A key that another process took is replaced everywhere")
  func takenKeys() throws {
    let other = try SQLiteStore(CompanySchema.schema, at: folder.file("company.db"))
    var mine = Changes(store)
    let company = try mine.insert("Company", ["name": "Mine"])
    let ann = try mine.insert("Employee", ["name": "Ann", "company": .key(company)])
    let task = try mine.insert("Task", ["title": "T", "owner": .key(ann)])
    let tag = try mine.insert("Tag", ["label": "red"])
    try mine.link("Employee", "tags", ann, tag)
    try mine.order("Employee", "tasks", ann, [task])
    var theirs = Changes(other)
    #expect(try theirs.insert("Company", ["name": "Theirs"]) == company)
    #expect(try theirs.insert("Employee", ["name": "Zed"]) == ann)
    try theirs.save()
    let result = try mine.save()
    let newCompany = try #require(result.rekeyed[0]?[company])
    let newAnn = try #require(result.rekeyed[1]?[ann])
    #expect(newCompany != company && newAnn != ann)
    #expect(result.rekeyed[2] == nil)
    #expect(try store.row("Employee", newAnn)?["company"] == .key(newCompany))
    #expect(try store.related("Employee", "tasks", newAnn) == [task])
    #expect(try store.related("Employee", "tags", newAnn) == [tag])
    #expect(try store.row("Company", company)?["name"] == "Theirs")
  }
}
