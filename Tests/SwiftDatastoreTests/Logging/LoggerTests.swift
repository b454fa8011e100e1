import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// The events that a logger receives; without a logger they cost nothing.
@Suite("Logging")
struct LoggerTests {
  private final class Recorder: DatastoreLogger {
    let level: DatastoreEvent.Level
    private let recorded = Lock<[DatastoreEvent]>([])

    init(_ level: DatastoreEvent.Level) {
      self.level = level
    }

    func log(_ event: DatastoreEvent) { recorded.withLock { $0.append(event) } }

    /// Removes and returns the events since the last call.
    func take() -> [DatastoreEvent] {
      recorded.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  private let directory: TemporaryDirectory
  private var file: URL { directory.url.appending(path: "logged.sqlite") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func open(_ recorder: Recorder) throws -> SwiftDatastore {
    var options = SwiftDatastore.Options(faultFailed: { _ in })
    options.logger = recorder
    return try SwiftDatastore(dataModel: TestModel.make(), url: file, options: options)
  }

  /// The sentences without the times, which differ from run to run.
  private func sentences(_ events: [DatastoreEvent]) -> [String] {
    events.map { "\($0)".replacing(#/ in \d+\.\d ms/#, with: "") }
  }

  // Promise: a logger slows programs that have none → no logger, no clock, no text: events are made by
  // autoclosures after a level check.
  // Also: `EventLog`; levels:  (reads are not made below `trace`)
  @Test("Opening, saving and batch operations, with counts, author, file and time")
  func changes() async throws {
    let recorder = Recorder(.notice)
    let datastore = try open(recorder)
    let opened = recorder.take()
    #expect(sentences(opened) == ["Opened \(file.path)."] && opened[0].level == .notice)
    try await datastore.newContext().perform { context in
      context.transactionAuthor = "import"
      for name in ["Ann", "Bob"] {
        let employee: Employee = try context.createObject()
        employee.name = name
      }
      try context.saveChanges()
      let ann = try #require(try context.fetchFirst(From<Employee>().where(\.$name == "Ann")))
      ann.age = 40
      try context.saveChanges()
      try context.saveChanges()
      context.transactionAuthor = nil
      try context.updateMany(From<Employee>(), propertiesToUpdate: [.init(\.$age, 50)])
      try context.deleteMany(From<Employee>().where(\.$name == "Bob"))
    }
    let events = recorder.take()
    #expect(
      sentences(events) == [
        "Saved 2 new, 0 changed and 0 deleted objects by import.",
        "Saved 0 new, 1 changed and 0 deleted objects by import.",
        "Changed 2 rows at once.", "Changed 1 rows at once.",
      ], "nothing was saved the third time; reading is below this level")
    #expect(events.allSatisfy { $0.path == file.path && $0.level == .notice })
    #expect(events.allSatisfy { ($0.duration ?? .seconds(-1)) >= .zero })
  }

  @Test("Reading: queries as they are written, with the number of rows; faults; merges")
  func reading() async throws {
    let recorder = Recorder(.trace)
    let datastore = try open(recorder)
    let other = datastore.newContext()
    try await other.perform { _ in }
    let id = try await datastore.write { context in
      let ann: Employee = try context.createObject()
      ann.name = "Ann"
      ann.desk = try context.createObject()
      return ann.objectID
    }
    // Its turn comes after that of the merge.
    try await other.perform { _ in }
    let writing = recorder.take()
    #expect(
      sentences(writing.filter { $0.level > .trace })
        == ["Opened \(file.path).", "Saved 2 new, 0 changed and 0 deleted objects."])
    #expect(sentences(writing).contains("Took in 2 rows of another context."))
    try await datastore.newContext().perform { context in
      let old = From<Employee>().where(\.$age < 60).orderBy(.asc(\.$name)).limit(5)
      let ann = try #require(try context.fetch(old).first)
      #expect(ann.desk?.number == 0)
      _ = try context.count(old)
      _ = try context.rows(old.select(\.$name))
      _ = try context.fetchIDs(old)
    }
    let query = "FROM Employee WHERE age < 60 ORDER BY name LIMIT 5"
    #expect(
      sentences(recorder.take()) == [
        "Read 1 rows: \(query).", "Read 1 faults of Desk.", "Read 1 rows: count(*) \(query).",
        "Read 1 rows: SELECT name \(query).", "Read 1 rows: SELECT SELF \(query).",
      ])
    try await datastore.newContext().perform { context in
      let ann: Employee = try context.object(with: id)
      #expect(ann.name == "Ann")
    }
    #expect(sentences(recorder.take()) == ["Read 1 faults of Employee."])
    let controller = await FetchedObjectsController(
      viewContext: datastore.sharedViewContext, From<Employee>().orderBy(.asc(\.$name)))
    try await controller.performFetch()
    #expect(sentences(recorder.take()) == ["Read 1 rows: FROM Employee ORDER BY name."])
  }

  // Promise: a logger is called under the lock of the store → after it, on the thread that did the work.
  // Also: (it saves from inside a transaction)
  @Test("Conflicts, how they were settled, and transactions that run again")
  func conflicts() async throws {
    let recorder = Recorder(.warning)
    let datastore = try open(recorder)
    try await datastore.write { context in
      let ann: Employee = try context.createObject()
      ann.name = "Ann"
    }
    let rival = datastore.newLocalContext()
    // Thrown: the first one saves the property that the second one has staged.
    let loser = datastore.newLocalContext()
    try Self.raise(loser, to: 30)
    try Self.raise(rival, to: 31)
    try rival.saveChanges()
    #expect(throws: ConflictError.self) { try loser.saveChanges() }
    let thrown = recorder.take()
    guard case .conflict(let error, .error)? = thrown.first?.kind, thrown.count == 1 else {
      Issue.record("\(thrown)")
      return
    }
    #expect(thrown[0].level == .warning && "\(thrown[0])" == "\(error)")
    // Settled.
    loser.mergePolicy = .objectTrump
    try loser.saveChanges()
    let settled = recorder.take()
    #expect(settled.count == 1 && "\(settled)".contains("Settled by objectTrump: "))
    // Run again.
    let runs = Lock(0)
    try await datastore.write { context in
      try Self.raise(context, to: 50)
      if runs.withLock({
        $0 += 1
        return $0
      }) == 1 {
        let meanwhile = datastore.newLocalContext()
        try Self.raise(meanwhile, to: 51)
        try meanwhile.saveChanges()
      }
    }
    let again = recorder.take()
    #expect(runs.withLock { $0 } == 2)
    guard case .retried(attempt: 1, _)? = again.last?.kind else {
      Issue.record("\(again)")
      return
    }
  }

  private static func raise(_ context: some ObjectContext, to age: Int) throws {
    let ann: Employee? = try context.fetchFirst()
    ann?.age = age
  }

  @Test("Failures: saving, and values that cannot be read")
  func failures() async throws {
    let recorder = Recorder(.error)
    let datastore = try open(recorder)
    let id = try await datastore.write { context in
      let ann: Employee = try context.createObject()
      ann.name = "Ann"
      ann.desk = try context.createObject()
      return ann.objectID
    }
    try await datastore.newContext().perform { context in
      let nameless: Employee = try context.createObject()
      #expect(throws: ValidationError.self) { try context.saveChanges() }
      context.deleteObject(nameless)
    }
    let saving = recorder.take()
    #expect(saving.count == 1 && "\(saving)".contains("Changes could not be saved: "))
    try await datastore.newContext().perform { context in
      let ann: Employee = try context.object(with: id)
      try datastore.close()
      _ = ann.desk
    }
    let reading = recorder.take()
    #expect(
      reading.allSatisfy { $0.level == .error }
        && "\(reading)".contains("A value could not be read: "))
  }

  @Test("A migration is told with its versions and rows, and what another process has written")
  func migrations() async throws {
    let versioned = directory.url.appending(path: "versions.sqlite")
    func open(
      _ model: SwiftDatastoreModel, _ recorder: Recorder
    ) throws -> SwiftDatastore {
      var options = SwiftDatastore.Options()
      options.logger = recorder
      return try SwiftDatastore(
        dataModel: model, url: versioned, options: options, migration: .lossless)
    }
    let recorder = Recorder(.notice)
    do {
      let datastore = try open(
        SwiftDatastoreModel(version: "1", from: First.Note.self), recorder)
      try await datastore.write { context in
        let note: First.Note = try context.createObject()
        note.text = "5"
      }
    }
    _ = recorder.take()
    let datastore = try open(SwiftDatastoreModel(version: "2", from: Second.Note.self), recorder)
    let events = recorder.take()
    #expect(events.count == 2 && sentences(events)[0].hasPrefix("Migrated 1 to 2, "))
    #expect(try !datastore.checkForExternalChanges())
    _ = try SQLiteFile.output(of: "UPDATE Note SET text = 'x'", at: versioned)
    #expect(try datastore.checkForExternalChanges())
    #expect(sentences(recorder.take()) == ["Another process has written the store."])
  }
}

private enum First {
  final class Note: DatastoreObject {
    @Attribute.NotOptional var text: String = ""
  }
}

private enum Second {
  final class Note: DatastoreObject {
    @Attribute.NotOptional var text: String = ""
    @Attribute.Optional var remark: String?
  }
}
