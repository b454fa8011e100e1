import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

private final class Customer: DatastoreObject {
  @Attribute.NotOptional var name: String = "new"
  @Attribute.NotOptional var made: Int = 0
  @Attribute.Virtual var label = ""

  override class var entityName: String { "Human" }

  required init(managedObject: ManagedObjectLogic) {
    super.init(managedObject: managedObject)
    label = "made by init"
  }

  override func objectDidCreate() { made += 1 }
}

private final class Everything: DatastoreObject {
  @Attribute.NotOptional var int: Int = .min
  @Attribute.NotOptional var int8: Int8 = .min
  @Attribute.NotOptional var int16: Int16 = .min
  @Attribute.NotOptional var int32: Int32 = .min
  @Attribute.NotOptional var int64: Int64 = .max
  @Attribute.NotOptional var uint: UInt = 7
  @Attribute.NotOptional var uint8: UInt8 = .max
  @Attribute.NotOptional var uint16: UInt16 = .max
  @Attribute.NotOptional var uint32: UInt32 = .max
  @Attribute.NotOptional var uint64: UInt64 = UInt64(Int64.max)
  @Attribute.NotOptional var double: Double = 0.1
  @Attribute.NotOptional var float: Float = 0.1
  @Attribute.NotOptional var bool: Bool = true
  @Attribute.NotOptional var string: String = "Zoë \u{0} 李"
  @Attribute.NotOptional var date: Date = Date(timeIntervalSinceReferenceDate: 0.123456789)
  @Attribute.NotOptional var day: CalendarDate = CalendarDate(year: 1872, month: 11, day: 30)
  @Attribute.NotOptional var data: Data = Data([0, 255])
  @Attribute.NotOptional(initial: { UUID() }) var uuid: UUID
  @Attribute.Optional var url: URL?
  @Attribute.NotOptional var decimal: Decimal = 0
  @Attribute.Enum var position: Position?
  @Attribute.Coded var coded: [String: Int]?
}

/// Calls of the library that other tests have no need of.
@Suite("The public surface")
struct SurfaceTests {
  @Test("Names of entities, initialisers and creation")
  func classes() async throws {
    let datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Customer.self))
    #expect(datastore.schema.entities.map(\.name) == ["Human"])
    try await datastore.newContext().perform { context in
      let person: Customer = try context.createObject()
      #expect(person.made == 1 && person.label == "made by init")
      try context.saveChanges()
    }
    try await datastore.newContext().perform { context in
      let person: Customer = try #require(try context.fetchFirst())
      #expect(person.made == 1, "not created again")
      #expect(person.label == "made by init")
      #expect(try context.query("SELECT name FROM Human").map(\.values) == [["new"]])
    }
  }

  @Test("Every type of attribute survives a save, to the last digit")
  func types() async throws {
    let datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Everything.self))
    let url = try #require(URL(string: "https://example.org/a?b=ü#c"))
    let decimal = try #require(Decimal(string: "12345678901234567890.123456789"))
    let uuid = try await datastore.write { context in
      let new: Everything = try context.createObject()
      new.url = url
      new.decimal = decimal
      new.position = .tester
      new.coded = ["a": 1]
      return new.uuid
    }
    try await datastore.newContext().perform { context in
      let read: Everything = try #require(try context.fetchFirst())
      #expect(read.int == .min && read.int8 == .min && read.int16 == .min && read.int32 == .min)
      #expect(read.int64 == .max && read.uint == 7 && read.uint8 == .max)
      #expect(read.uint16 == .max && read.uint32 == .max && read.uint64 == UInt64(Int64.max))
      #expect(read.double == 0.1 && read.float == 0.1 && read.bool)
      #expect(read.string == "Zoë \u{0} 李" && read.data == Data([0, 255]))
      #expect(read.date == Date(timeIntervalSinceReferenceDate: 0.123456789))
      #expect(read.day == CalendarDate("1872-11-30") && "\(read.day)" == "1872-11-30")
      #expect(read.uuid == uuid && read.url == url && read.decimal == decimal)
      #expect(read.position == .tester && read.coded == ["a": 1])
    }
  }

  @Test("Dates without a time are text in the file, sort as days, and are compared as such")
  func calendarDates() async throws {
    let datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Everything.self))
    try await datastore.write { context in
      for text in ["2024-05-01", "0987-01-31", "1999-12-31"] {
        let new: Everything = try context.createObject()
        new.day = try #require(CalendarDate(text))
      }
    }
    let stored = try await datastore.newContext().perform { context in
      try context.query("SELECT day || ' ' || typeof(day) FROM Everything ORDER BY day")
        .map(\.values)
    }
    #expect(stored == [["0987-01-31 text"], ["1999-12-31 text"], ["2024-05-01 text"]])
    let entity = try #require(datastore.schema.entity(named: "Everything"))
    for (text, count) in [
      ("day > \"1999-12-31\"", 1), ("day >= \"1999\"", 2), ("day BEGINSWITH \"1999-12\"", 1),
      ("day = \"1999-12-31T10:00:00Z\"", 0), ("day < CAST(\"2000-01-01\", \"NSDate\")", 2),
    ] {
      let predicate = try Predicate.parse(text, entity: entity, in: datastore.schema)
      let found = try await datastore.newContext().perform { context in
        try context.core.graph.store.fetch(
          FetchRequest(entity: "Everything", predicate: predicate)
        ).reduce(0) { $0 + $1.rowCount }
      }
      #expect(found == count, "\(text)")
    }
    for text in ["31.12.1999", "1999-13", "x", "1999-02-30"] {
      #expect(throws: PredicateSyntaxError.self) {
        try Predicate.parse("day = \"\(text)\"", entity: entity, in: datastore.schema)
      }
      #expect(CalendarDate(text) == nil)
    }
    #expect(
      CalendarDate(year: 2024, month: 2, day: 29) < CalendarDate(year: 2024, month: 3, day: 1))
    #expect(CalendarDate("0000-01-01") == nil && CalendarDate("2024-5-1") == nil)
  }

  @Test("What is staged, object by object, and what is taken back alone")
  func staged() async throws {
    let datastore = try TestModel.file()
    let context = datastore.newContext()
    try await context.perform { context in
      let company: Company = try context.createObject()
      company.name = "A"
      let tom: Employee = try context.createObject()
      tom.name = "Tom"
      let tim: Employee = try context.createObject()
      tim.name = "Tim"
      #expect(context.insertedObjects == [company, tom, tim])
      #expect(tom.changedValues()["name"] == "Tom" && tom.committedValues().isEmpty)
      try context.saveChanges()
      #expect(context.insertedObjects.isEmpty && !context.hasChanges)
      tom.age = 44
      tom.company = company
      tim.phone = "1"
      context.deleteObject(tim)
      let new: Job = try context.createObject()
      new.title = "J"
      #expect(context.insertedObjects == [new] && context.deletedObjects == [tim])
      #expect(context.updatedObjects.contains(tom) && !context.updatedObjects.contains(tim))
      #expect(tom.changedValues() == ["age": 44, "company": .key(company.key)])
      #expect(tom.committedValues(for: ["age", "name"]) == ["age": 18, "name": "Tom"])
      #expect(tom.committedValues()["company"] == .null)
      context.revertChanges(of: tom)
      #expect(tom.age == 18 && tom.company == nil && company.employees.isEmpty)
      #expect(tim.willBeDeleted && new.isInserted && context.hasChanges)
      context.revertChanges(of: tim)
      context.revertChanges(of: new)
      #expect(!context.hasChanges && !tim.isDeleted && tim.phone == nil)
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }

  @Test("Objects are converted between contexts as they are saved, and refreshed")
  @MainActor func convertAndRefresh() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let other = try view.createObject() as Employee
    other.name = "Tom"
    let unsaved = other.objectID
    await #expect(throws: ObjectNotFoundError.self) {
      try await datastore.newContext().perform { _ = try $0.object(with: unsaved) as Employee }
    }
    try view.saveChanges()
    other.phone = "not saved"
    let again: Employee = try view.convert(existingObject: other)
    #expect(again === other)
    let id = other.objectID
    let saved = try await datastore.newContext().perform { context in
      let mine: Employee = try context.object(with: id)
      #expect(mine.phone == nil, "what is staged elsewhere is not carried over")
      mine.phone = "2"
      return try context.saveChanges()
    }
    #expect(saved.updatedCount == 1 && saved.insertedCount == 0 && saved.deletedCount == 0)
    await drainMainQueue()
    #expect(other.phone == "not saved")
    view.refresh(using: saved)
    #expect(other.phone == "2" && !view.hasChanges)
    other.phone = "3"
    view.refresh(other)
    #expect(other.phone == "2")
  }

  @Test("A limit of 0 is none, and offsets beyond the end find nothing")
  func limits() async throws {
    let datastore = try TestModel.inMemory()
    try await datastore.newContext().perform { context in
      for name in ["a", "b", "c"] { (try context.createObject() as Company).name = name }
      for isSaved in [false, true] {
        if isSaved { try context.saveChanges() }
        func names(_ offset: Int, _ limit: Int) throws -> [String] {
          let found: [Company] = try context.fetch(
            orderBy: [.desc(\.$name)], offset: offset, limit: limit)
          return found.map(\.name)
        }
        #expect(try names(0, 0) == ["c", "b", "a"] && names(1, 0) == ["b", "a"])
        #expect(try names(1, 1) == ["b"] && names(3, 0) == [] && names(9, 5) == [])
      }
    }
  }

  @Test("Observers of every kind of property, on both sides of a relationship, until they end")
  func observers() async throws {
    try await TestModel.inMemory().newContext().perform { context in
      let company: Company = try context.createObject()
      let tom: Employee = try context.createObject()
      let job: Job = try context.createObject()
      let desk: Desk = try context.createObject()
      let tag: Tag = try context.createObject()
      var heard: [String] = []
      func hear<P: EntityProperty>(_ name: String, _ property: P) -> PropertyObservation {
        property.observe { _ in heard.append(name) }
      }
      func changes(_ body: () -> Void) -> [String] {
        heard = []
        body()
        return heard.sorted()
      }
      var tokens = [
        hear("name", tom.$name), hear("phone", tom.$phone), hear("position", tom.$position),
        hear("company", tom.$company), hear("employees", company.$employees),
        hear("tasks", tom.$tasks), hear("owner", job.$owner), hear("desk", tom.$desk),
        hear("employee", desk.$employee), hear("tags", company.$tags),
        hear("companies", tag.$companies),
      ]
      #expect(changes { tom.name = "T" } == ["name"])
      #expect(changes { tom.name = "T" } == ["name"], "also for an equal value")
      #expect(changes { tom.phone = nil } == ["phone"])
      #expect(changes { tom.position = .tester } == ["position"])
      #expect(changes { tom.company = company } == ["company", "employees"])
      #expect(changes { company.employees = [] } == ["company", "employees"])
      #expect(changes { tom.tasks = [job] } == ["owner", "tasks"])
      #expect(changes { job.owner = nil } == ["owner", "tasks"])
      #expect(changes { desk.employee = tom } == ["desk", "employee"])
      #expect(changes { tom.desk = nil } == ["desk", "employee"])
      #expect(changes { tag.companies.insert(company) } == ["companies", "tags"])
      var second = 0
      let other: PropertyObservation = tom.$name.observe { _ in second += 1 }
      #expect(changes { tom.name = "U" } == ["name"] && second == 1, "any number at once")
      tokens[0].cancel()
      #expect(changes { tom.name = "V" } == [] && second == 2)
      tokens.removeAll()
      other.cancel()
      #expect(changes { tom.company = company } == [] && second == 2)
    }
  }

  @Test("Several datastores at once, each with its own file; a test file goes with its datastore")
  func severalStores() async throws {
    let first = try TestModel.file()
    var second: SwiftDatastore? = try TestModel.file()
    let url = try #require(second?.url)
    for (index, datastore) in [first, second].compactMap(\.self).enumerated() {
      try await datastore.write { context in
        for _ in 0...index { (try context.createObject() as Company).name = "\(index)" }
      }
    }
    let id = try await first.newContext().perform { context in
      #expect(try context.count(Company.self) == 1)
      return try context.fetchIDs(Company.self)[0]
    }
    try await second?.newContext().perform { context in
      let count = try context.count(Company.self)
      #expect(count == 2)
      // The same key, of another file.
      #expect(throws: ObjectNotFoundError.self) { _ = try context.object(with: id) as Company }
    }
    #expect(first.url != url && FileManager.default.fileExists(atPath: url.path))
    second = nil
    // Its last context goes on a queue of its own.
    for _ in 0..<1_000_000 where FileManager.default.fileExists(atPath: url.path) {
      await Task.yield()
    }
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test("Closing moves the log into the file and leaves the file alone")
  func closing() async throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("a.db")
    let datastore = try SwiftDatastore(dataModel: TestModel.make(), url: url)
    try await datastore.write { (try $0.createObject() as Company).name = "A" }
    #expect(FileManager.default.fileExists(atPath: url.path + "-wal"))
    try datastore.close()
    #expect(try folder.names() == ["a.db"])
    let again = try SwiftDatastore(dataModel: TestModel.make(), url: url, readOnly: true)
    #expect(try await again.newContext().perform { try $0.count(Company.self) } == 1)
    try again.close()
  }

  @Test("`.app` keeps the file in the user's data directory")
  func appLocation() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let folder = directory.file("data")
      setenv("XDG_DATA_HOME", folder.path, 1)
      let datastore = try SwiftDatastore(dataModel: TestModel.make(), storeName: "mine")
      let expected = folder.appendingPathComponent(ProcessInfo.processInfo.processName)
        .appendingPathComponent("mine.sqlite")
      precondition(datastore.url?.path == expected.path, "\(String(describing: datastore.url))")
      precondition(FileManager.default.fileExists(atPath: expected.path))
      try datastore.close()
      withExtendedLifetime(directory) {}
    }
  }

  @Test("A newer fetch of a controller cancels an older one")
  @MainActor func newerFetch() async throws {
    let datastore = try TestModel.file()
    try await datastore.write { context in
      _ = try context.insertMany(Employee.self, from: 0..<500) { [.init(\.$name, "e\($0)")] }
    }
    let controller = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$name)])
    // Both begin on the main actor, one after the other, before the older one's result can.
    let older = Task { try await controller.performFetch() }
    let newer = Task {
      try await controller.change(where: \.$name == "e7", orderBy: [.asc(\.$age)])
    }
    try await newer.value
    await #expect(throws: CancellationError.self) { try await older.value }
    #expect(controller.numberOfFetchedObjects == 1)
  }
}
