import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Opening a file with classes of another version than it was made with.
@Suite("Opening a store of another version")
struct MigrationOpeningTests {
  enum V1 {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var age: Int = 0
      @Attribute.Optional var tel: String?
    }
  }

  /// With one property more.
  enum Added {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var age: Int = 0
      @Attribute.Optional var tel: String?
      @Attribute.Optional var email: String?
    }
  }

  /// With other names.
  enum Renamed {
    final class Human: DatastoreObject {
      @Attribute.NotOptional(renamedFrom: "name") var fullName: String
      @Attribute.NotOptional var age: Int = 0
      @Attribute.Optional(renamedFrom: "tel") var phone: String?

      override class var renamedFrom: String? { "Person" }
    }
  }

  /// With a type that has another stored form.
  enum Retyped {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var age: String
      @Attribute.Optional var tel: String?
    }
  }

  /// Without telephones.
  enum Removed {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var age: Int = 0
    }
  }

  /// With a number that is made for each object; the closure cancels the task that waits for it.
  enum Numbered {
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var age: Int = 0
      @Attribute.Optional var tel: String?
      @Attribute.NotOptional(initial: { Numbered.next() }) var number: Int
    }

    struct State {
      var count = 0
      var task: Task<SwiftDatastore, any Error>?
    }

    static let state = Lock(State())

    static func next() -> Int {
      let (number, task) = state.withLock { state in
        state.count += 1
        return (state.count, state.count == 60_000 ? state.task : nil)
      }
      task?.cancel()
      return number
    }
  }

  private let folder: TemporaryDirectory
  private let url: URL

  /// A file of the first version with three people.
  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("people.sqlite")
    try SwiftDatastore(dataModel: SwiftDatastoreModel(from: V1.Person.self), url: url).close()
    try SQLiteFile.make(
      at: url,
      """
      INSERT INTO Person (_id, name, age, tel) VALUES (1, 'Ann', 36, '12'), (2, 'Bob', 45, NULL), \
      (3, 'Cid', 7, '007')
      """)
  }

  private func addCrowd() throws {
    try SQLiteFile.make(
      at: url,
      """
      WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 120000) \
      INSERT INTO Person (_id, name, age) SELECT i, 'P' || i, i FROM n
      """)
  }

  private func dump() throws -> String { try SQLiteCommand.run(".dump", on: url) }

  @Test("A property more is there at once, and every row is kept")
  func added() async throws {
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Added.Person.self), url: url)
    try await datastore.newContext().perform { context in
      let people: [Added.Person] = try context.fetch(orderBy: [.asc(\.$name)])
      #expect(people.map(\.name) == ["Ann", "Bob", "Cid"])
      #expect(people.map(\.age) == [36, 45, 7])
      #expect(people.map(\.tel) == ["12", nil, "007"])
      #expect(people.map(\.email) == [nil, nil, nil])
      people[0].email = "ann@example.org"
      try context.saveChanges()
    }
    try datastore.close()
    #expect(
      try SQLiteCommand.run("SELECT name, age, tel, email FROM Person ORDER BY _id", on: url)
        == "Ann|36|12|ann@example.org\nBob|45||\nCid|7|007|")
  }

  @Test("Other names are found again by their former ones")
  func renamed() async throws {
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Renamed.Human.self), url: url)
    try await datastore.newContext().perform { context in
      let people: [Renamed.Human] = try context.fetch(
        where: \.$phone != nil, orderBy: [.asc(\.$fullName)])
      #expect(people.map(\.fullName) == ["Ann", "Cid"])
      #expect(people.map(\.phone) == ["12", "007"])
    }
    try datastore.close()
    #expect(
      try SQLiteCommand.run("SELECT _id, fullName, age, phone FROM Human ORDER BY _id", on: url)
        == "1|Ann|36|12\n2|Bob|45|\n3|Cid|7|007")
    // Nothing is left to be done.
    let model = try SwiftDatastoreModel(from: Renamed.Human.self)
    #expect(try SwiftDatastore.requiredMigrations(of: url, dataModel: model).kind == .none)
    try SwiftDatastore(dataModel: model, url: url, migration: .none).close()
  }

  @Test("What writes rows is refused where the program would wait, with what to call instead")
  func refused() throws {
    let before = try dump()
    let model = try SwiftDatastoreModel(from: Retyped.Person.self)
    let error = try #require(throws: MigrationError.self) {
      try SwiftDatastore(dataModel: model, url: url)
    }
    #expect(
      error.description
        == "\(url.path) was made from another version of the model and was not migrated: Person.age "
        + "changes from integer64 to string; that writes rows, which takes time: open it with "
        + "`try await SwiftDatastore.open(…)`, or pass `migration: .lossless`. Nothing was changed."
    )
    #expect(try dump() == before)
    // A read-only opening and one without migration migrate nothing.
    for isReadOnly in [true, false] {
      let mismatch = try #require(throws: StoreError.self) {
        try SwiftDatastore(dataModel: model, url: url, readOnly: isReadOnly, migration: .none)
      }
      guard case .schemaMismatch(url.path, _) = mismatch else {
        Issue.record(mismatch)
        continue
      }
    }
    #expect(throws: StoreError.self) {
      try SwiftDatastore(dataModel: model, url: url, readOnly: true, migration: .lossless)
    }
    #expect(try dump() == before)
    #expect(try folder.names() == ["people.sqlite"])
    try SwiftDatastore(dataModel: model, url: url, migration: .lossless).close()
    #expect(
      try SQLiteCommand.run("SELECT age, typeof(age) FROM Person ORDER BY _id", on: url)
        == "36|text\n45|text\n7|text")
  }

  @MainActor private final class Heard {
    var states: [MigrationProgress] = []
  }

  @Test("Rows are written in the background, and progress counts them")
  func background() async throws {
    try addCrowd()
    let heard = Heard()
    let datastore = try await SwiftDatastore.open(
      dataModel: SwiftDatastoreModel(from: Retyped.Person.self), url: url
    ) { heard.states.append($0) }
    await drainMainQueue()
    let states = await heard.states
    #expect(states.first?.phase == .checking)
    #expect(states.last?.phase == .finishing)
    let copying = states.filter { $0.phase == .copying }
    #expect(copying.count >= 3)
    #expect(copying.allSatisfy { $0.entity == "Person" && $0.rowsTotal == 120_000 })
    #expect(copying.map(\.rowsDone) == copying.map(\.rowsDone).sorted())
    #expect(copying.last?.rowsDone == 120_000)
    try await datastore.newContext().perform { context in
      let people: [Retyped.Person] = try context.fetch(
        where: \.$age == "7", orderBy: [.asc(\.$name)])
      #expect(people.map(\.name) == ["Cid", "P7"])
    }
    try datastore.close()
    // 1 to 120,000 but for the ages of the first three.
    let ages = 7_200_060_000 - 6 + 36 + 45 + 7
    #expect(
      try SQLiteCommand.run("SELECT count(*), sum(age), min(typeof(age)) FROM Person", on: url)
        == "120000|\(ages)|text")
    // Nothing was lost, so no copy was made.
    #expect(try folder.names() == ["people.sqlite"])
  }

  @Test("Values are lost only where that is declared, and the old file is kept beside it then")
  func losses() async throws {
    let before = try dump()
    let model = try SwiftDatastoreModel(from: Removed.Person.self)
    let error = try await #require(throws: MigrationError.self) {
      try await SwiftDatastore.open(dataModel: model, url: url)
    }
    #expect(
      error.obstacles == [
        .loss(
          MigrationLoss(
            entity: "Person", property: "tel", count: 2, reason: .propertyRemoved))
      ])
    let sentence = """
      \(url.path) was made from another version of the model and was not migrated: 2 values of Person.tel would \
      be lost, since the model does not have it; if that is meant, declare it with `removes: ["Person.tel"]` in \
      the version of the model, or with `migration: .declared(["Person.tel"])`. Nothing was changed.
      """
    #expect(error.description == sentence)
    #expect(try dump() == before)
    #expect(try folder.names() == ["people.sqlite"])
    let datastore = try await SwiftDatastore.open(
      dataModel: model, url: url, migration: .declared(["Person.tel"]))
    try await datastore.newContext().perform { context in
      let people: [Removed.Person] = try context.fetch(orderBy: [.asc(\.$name)])
      #expect(people.map(\.name) == ["Ann", "Bob", "Cid"])
    }
    try datastore.close()
    #expect(
      try SQLiteCommand.run("SELECT name FROM pragma_table_info('Person') ORDER BY cid", on: url)
        == "_id\nname\nage")
    #expect(try folder.names() == ["people.before-migration.sqlite", "people.sqlite"])
    let copy = folder.file("people.before-migration.sqlite")
    #expect(try SQLiteCommand.run(".dump", on: copy) == before)
    // It is a store that the old classes open.
    try SwiftDatastore(dataModel: SwiftDatastoreModel(from: V1.Person.self), url: copy).close()
  }

  @Test("The copy goes where one says, over no other file, or nowhere")
  func backups() async throws {
    let before = try dump()
    let model = try SwiftDatastoreModel(from: Removed.Person.self)
    let place = folder.file("old.sqlite")
    try folder.write("mine", to: "old.sqlite")
    await #expect(throws: StoreError.fileExists(path: place.path)) {
      try await SwiftDatastore.open(
        dataModel: model, url: url, migration: .declared(.all), backup: .at(place))
    }
    #expect(try String(contentsOf: place, encoding: .utf8) == "mine")
    #expect(try dump() == before)
    try FileManager.default.removeItem(at: place)
    let second = folder.file("second.sqlite")
    try FileManager.default.copyItem(at: url, to: second)
    try await SwiftDatastore.open(
      dataModel: model, url: url, migration: .declared(.all), backup: .at(place)
    ).close()
    #expect(try SQLiteCommand.run(".dump", on: place) == before)
    try await SwiftDatastore.open(
      dataModel: model, url: second, migration: .declared(.all), backup: .none
    ).close()
    #expect(try folder.names() == ["old.sqlite", "people.sqlite", "second.sqlite"])
  }

  @Test("What is to be done is told without changing the file")
  func required() throws {
    let before = try Data(contentsOf: url)
    let retyped = try SwiftDatastore.requiredMigrations(
      of: url, dataModel: SwiftDatastoreModel(from: Retyped.Person.self))
    #expect(retyped.kind == .lossless)
    #expect(retyped.losses.isEmpty && retyped.obstacles.isEmpty)
    let person = try #require(retyped.entities.first)
    #expect(retyped.entities.count == 1 && person.entity == "Person")
    #expect(person.rows == 3 && person.rowsToWrite == 3)
    #expect(
      person.changes.map(\.description) == [
        "Person.age changes from integer64 to string",
        // It has no default value any more.
        "rules of Person.age change",
      ])
    let removed = try SwiftDatastore.requiredMigrations(
      of: url, dataModel: SwiftDatastoreModel(from: Removed.Person.self))
    #expect(removed.kind == .loss && removed.hasMigration)
    #expect(
      removed.losses.map(\.description) == [
        "2 values of Person.tel would be lost, since the model does not have it"
      ])
    let renamed = try SwiftDatastore.requiredMigrations(
      of: url, dataModel: SwiftDatastoreModel(from: Renamed.Human.self))
    #expect(renamed.kind == .instant && renamed.rowsToWrite == 0)
    let same = try SwiftDatastore.requiredMigrations(
      of: url, dataModel: SwiftDatastoreModel(from: V1.Person.self))
    #expect(!same.hasMigration && same.entities.isEmpty)
    let missing = try SwiftDatastore.requiredMigrations(
      of: folder.file("none.sqlite"), dataModel: SwiftDatastoreModel(from: V1.Person.self))
    #expect(missing.kind == .none)
    #expect(try Data(contentsOf: url) == before)
    #expect(try folder.names() == ["people.sqlite"])
  }

  @Test("A task that is cancelled in the middle leaves the old file")
  func cancelled() async throws {
    try addCrowd()
    let before = try dump()
    let url = self.url
    let model = try SwiftDatastoreModel(from: Numbered.Person.self)
    let task = Task {
      while Numbered.state.withLock({ $0.task == nil }) { await Task.yield() }
      return try await SwiftDatastore.open(dataModel: model, url: url)
    }
    Numbered.state.withLock { $0.task = task }
    await #expect(throws: CancellationError.self) { try await task.value }
    // It was in the middle.
    #expect(Numbered.state.withLock { 60_000..<120_000 ~= $0.count })
    #expect(try dump() == before)
    #expect(try folder.names() == ["people.sqlite"])
    Numbered.state.withLock { $0 = Numbered.State() }
    try await SwiftDatastore.open(dataModel: model, url: url).close()
    #expect(
      try SQLiteCommand.run("SELECT count(DISTINCT number) FROM Person", on: url) == "120000")
  }

  @Test("A store in memory, and one that is made, are of the newest version")
  func new() async throws {
    let model = try SwiftDatastoreModel(from: Renamed.Human.self)
    let made = folder.file("new.sqlite")
    for datastore in [
      try SwiftDatastore(inMemory: model),
      try await SwiftDatastore.open(dataModel: model, url: made),
    ] {
      try await datastore.newContext().perform { context in
        let person: Renamed.Human = try context.createObject()
        person.fullName = "Dan"
        try context.saveChanges()
        let found: Renamed.Human? = try context.fetchFirst(where: \.$fullName == "Dan")
        #expect(found === person)
      }
      try datastore.close()
    }
    #expect(
      try SQLiteCommand.run("SELECT count(*) FROM _datastore WHERE key GLOB 'history:*'", on: made)
        == "0")
  }

  @Test(
    "A store that is to be made again where it differs is empty then, and kept where it does not")
  func recreating() async throws {
    try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: V1.Person.self), url: url, migration: .recreating
    ).close()
    #expect(try SQLiteCommand.run("SELECT count(*) FROM Person", on: url) == "3")
    try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Retyped.Person.self), url: url, migration: .recreating
    ).close()
    #expect(try SQLiteCommand.run("SELECT count(*) FROM Person", on: url) == "0")
  }
}
