import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Lists that are ordered by rank: only the store knows it.
@Suite("Lists by rank") @MainActor
struct RankedListTests {
  final class Note: DatastoreObject {
    @Attribute.NotOptional(searchable: true) var text: String
    @Attribute.NotOptional var year: Int = 2000
  }

  private let folder: TemporaryDirectory
  private let url: URL
  private let statements = Lock<[String]>([])

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("notes.sqlite")
  }

  /// Notes with one to eight apples among 20 words, in two years, and as many without any.
  private func open() async throws -> SwiftDatastore {
    let statements = statements
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Note.self), url: url,
      options: .init(traceSQL: { sql in statements.withLock { $0.append(sql) } }))
    try await datastore.newContext().perform { context in
      try context.insertMany(Note.self, from: 0..<16) { number in
        let apples = number < 8 ? number * 5 % 8 + 1 : 0
        let words =
          Array(repeating: "apple", count: apples)
          + Array(repeating: "pear", count: 20 - apples)
        return [
          .init(\.$text, words.joined(separator: " ")), .init(\.$year, 2000 + number % 2),
        ]
      }
    }
    return datastore
  }

  /// Numbers of the rows, as the sqlite3 program ranks them.
  private func ranked(_ order: String = "bm25(Note_words), w.rowid") throws -> [Int64] {
    try SQLiteCommand.run(
      """
      SELECT w.rowid FROM Note_words AS w JOIN Note AS n ON n._id = w.rowid \
      WHERE Note_words MATCH 'apple' ORDER BY \(order)
      """, on: url
    ).split(separator: "\n").compactMap { Int64($0) }
  }

  private func settle(_ controller: FetchedObjectsController<Note>) async {
    await drainMainQueue()
    await controller.settled()
  }

  private func list(
    _ controller: FetchedObjectsController<Note>
  ) -> [Int64] { controller.list.keys.map(\.rawValue) }

  private var query: From<Note> {
    From<Note>().where(.search(\.$text, "apple")).orderBy(.rank)
  }

  @Test("A list is in the order of the store, also in sections, in parts and in a publisher")
  func reading() async throws {
    let datastore = try await open()
    let view = datastore.sharedViewContext
    let controller = FetchedObjectsController(viewContext: view, query)
    try await controller.performFetch()
    #expect(try list(controller) == ranked())
    let yearly = FetchedObjectsController(viewContext: view, query.sectionBy(\.$year))
    try await yearly.performFetch()
    #expect(try list(yearly) == ranked("n.year, bm25(Note_words), w.rowid"))
    #expect(yearly.numberOfSections == 2)
    let part = FetchedObjectsController(viewContext: view, query.offset(2).limit(3))
    try await part.performFetch()
    #expect(try list(part) == Array(ranked()[2..<5]))
    let first = FetchedObjectsController(viewContext: view, query)
    try await first.fetchFirstRows(3)
    #expect(try list(first) == Array(ranked().prefix(3)))
    let publisher = ListPublisher(viewContext: view, query)
    try await publisher.refetch(query)
    #expect(
      try publisher.snapshot.itemIDs.map(\.key.rawValue) == ranked())
    try datastore.close()
  }

  // Promise: a list by rank is stale, or is read at every keystroke → saved texts, rows that come or go,
  // other processes: read again; staged changes and other attributes: not.
  // Also: `RankedListTests.merging`, `RankedListTests.sections`
  @Test("Staged changes move nothing but what comes and goes; saving them ranks the list again")
  func staging() async throws {
    let datastore = try await open()
    let view = datastore.sharedViewContext
    let controller = FetchedObjectsController(viewContext: view, query)
    try await controller.performFetch()
    var expected = try ranked()
    let objects = (0..<controller.numberOfFetchedObjects).compactMap { controller.object(at: $0) }
    // Its words are not in the index yet.
    objects[5].text = "apple apple apple apple"
    objects[1].text = "pears"
    objects[3].year = 1990
    let new: Note = try view.createObject()
    new.text = "apple"
    statements.withLock { $0 = [] }
    await settle(controller)
    expected.remove(at: 1)
    #expect(list(controller) == expected + [new.key.rawValue])
    #expect(statements.withLock { $0.allSatisfy { !$0.contains("MATCH") } })
    #expect(try view.fetch(query).map(\.key.rawValue) == list(controller))
    #expect(
      try view.fetch(query.offset(4).limit(3)).map(\.key.rawValue) == Array(list(controller)[4..<7])
    )

    try view.saveChanges()
    await settle(controller)
    #expect(try list(controller) == ranked())
    #expect(list(controller).first == objects[5].key.rawValue)
    #expect(list(controller).contains(new.key.rawValue))
    try datastore.close()
  }

  @Test("In sections, what is staged goes to the end of another section, and else stays")
  func sections() async throws {
    let datastore = try await open()
    let view = datastore.sharedViewContext
    let sectioned = query.sectionBy(\.$year)
    let controller = FetchedObjectsController(viewContext: view, sectioned)
    try await controller.performFetch()
    var keys = list(controller)
    let objects = keys.indices.compactMap { controller.object(at: $0) }
    objects[0].year = 2001
    objects[2].text = "apple"
    await settle(controller)
    keys.append(keys.removeFirst())
    #expect(list(controller) == keys)
    #expect(controller.numberOfObjects(inSection: 0) == 3)
    #expect(controller.numberOfObjects(inSection: 1) == 5)
    let again = FetchedObjectsController(viewContext: view, sectioned)
    try await again.performFetch()
    #expect(list(again) == keys)
    #expect(
      try view.fetch(
        From<Note>().where(.search(\.$text, "apple")).orderBy(.asc(\.$year), .rank)
      ).map(\.key.rawValue) == keys)
    try datastore.close()
  }

  @Test("What another context or program saves ranks the list again, unless it is no text of it")
  func merging() async throws {
    let datastore = try await open()
    let controller = FetchedObjectsController(viewContext: datastore.sharedViewContext, query)
    try await controller.performFetch()
    var changes: [String] = []
    controller.observeChanges { change in
      switch change {
      case .inserted(let note, _): changes.append("+\(note.key.rawValue)")
      case .updated(let note, _): changes.append("=\(note.key.rawValue)")
      case .moved(let note, _, _): changes.append("~\(note.key.rawValue)")
      case .deleted: changes.append("-")
      }
    }
    let before = list(controller)
    statements.withLock { $0 = [] }
    let (last, first) = (try #require(before.last), before[0])
    try await datastore.newContext().perform { context in
      let notes = try context.fetch(From<Note>().where(\.$year == 2001))
      for note in notes { note.year = 2002 }
      try context.saveChanges()
    }
    await settle(controller)
    #expect(list(controller) == before)
    #expect(statements.withLock { $0.allSatisfy { !$0.contains("MATCH") } })
    #expect(changes.allSatisfy { $0.hasPrefix("=") } && changes.count == 4)

    changes = []
    try await datastore.newContext().perform { context in
      let notes = try context.fetch(From<Note>())
      notes.first { $0.key.rawValue == last }?.text = "apple apple apple"
      try context.saveChanges()
    }
    await settle(controller)
    #expect(try list(controller) == ranked())
    #expect(changes == ["~\(last)"])
    #expect(list(controller).first == last)

    try SQLiteCommand.run(
      "PRAGMA busy_timeout = 5000; DELETE FROM Note WHERE _id = \(first); "
        + "UPDATE Note SET text = 'an apple' WHERE _id = 12;", on: url)
    #expect(try datastore.checkForExternalChanges())
    await settle(controller)
    #expect(try list(controller) == ranked())
    #expect(list(controller).contains(12) && !list(controller).contains(first))
    try datastore.close()
  }
}
