import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

@testable import SwiftDatastore

// Promise: a store refuses its part of a save (trigger, unique value, full disk, lock, read-only, broken
// reference, conflict) → both files as before, everything staged; the save works when the reason is gone.
// Also: `RandomStoresTests` (random, against a model in memory)
@Suite("Several stores: a save over both is in both, or in none")
struct MultiStoreCommitTests {
  /// An obstacle that prevents one of the stores from saving.
  enum Fault: CaseIterable {
    case trigger, sameUniqueValue, fullDisk, lock
  }

  /// One of the two stores.
  enum Side: CaseIterable {
    case kept, cache
  }

  private let files: DividedFiles

  init() throws { files = try DividedFiles() }

  private func url(_ side: Side) -> URL { side == .kept ? files.kept : files.cache }

  /// Stages an object in each store.
  private static func stage(_ number: Int, in context: some ObjectContext) throws {
    let author: Poet = try context.createObject()
    author.name = "author \(number)"
    let book: Poem = try context.createObject()
    (book.title, book.author) = ("book", author)
    let sheet: Sheet = try context.createObject()
    sheet.number = number
    let photo: Photo = try context.createObject()
    (photo.text, photo.sheet) = ("photo", sheet)
  }

  @Test("A save over both notes in both which it was; one over one notes nothing")
  func notes() throws {
    let datastore = try files.open()
    let context = datastore.newLocalContext()
    let author: Poet = try context.createObject()
    author.name = "alone"
    try context.saveChanges()
    #expect(try files.notes() == ["", ""])
    for number in 1...3 {
      try Self.stage(number, in: context)
      let saved = try context.saveChanges()
      #expect(saved.insertedCount == 4)
      let notes = try files.notes()
      #expect(notes[0] == notes[1] && notes[0].hasPrefix("\(number) "), "\(notes)")
    }
    #expect(try datastore.incompleteSaves().isEmpty)
    #expect(try SQLiteFile.output(of: "SELECT count(*) FROM Poet", at: files.kept) == "4\n")
    #expect(try SQLiteFile.output(of: "SELECT count(*) FROM Sheet", at: files.cache) == "3\n")
  }

  @Test(
    "What one store refuses leaves both as they were, and everything staged",
    arguments: Side.allCases, [Fault.trigger, .sameUniqueValue, .fullDisk])
  func faults(side: Side, fault: Fault) throws {
    let datastore = try files.open()
    let context = datastore.newLocalContext()
    try Self.stage(1, in: context)
    try context.saveChanges()
    try begin(fault, in: side, of: datastore)
    let before = try files.contents()
    let notes = try files.notes()
    try Self.stage(2, in: context)
    if fault == .fullDisk { try fill(context) }
    let error = try #require(throws: StoreError.self) { try context.saveChanges() }
    switch (fault, error) {
    case (.trigger, .refused), (.sameUniqueValue, .notUnique): break
    case (.fullDisk, .diskFull(let path)): #expect(path == url(side).path)
    default: Issue.record("\(error)")
    }
    #expect(try files.contents() == before)
    #expect(try files.notes() == notes)
    #expect(try datastore.incompleteSaves().isEmpty)
    #expect(context.hasChanges)
    try end(fault, in: side, of: datastore)
    try context.saveChanges()
    #expect(
      try SQLiteFile.output(of: "SELECT count(*) FROM Poet WHERE name LIKE '% 2'", at: files.kept)
        == "1\n")
    #expect(
      try SQLiteFile.output(of: "SELECT count(*) FROM Sheet WHERE number = 2", at: files.cache)
        == "1\n")
  }

  private func table(_ side: Side) -> String { side == .kept ? "Poet" : "Sheet" }

  private func begin(_ fault: Fault, in side: Side, of datastore: SwiftDatastore) throws {
    switch fault {
    case .trigger:
      try SQLiteCommand.run(
        """
        CREATE TRIGGER refusing BEFORE INSERT ON \(table(side))
        BEGIN SELECT RAISE(ABORT, 'not now'); END
        """, on: url(side))
    case .sameUniqueValue:
      try SQLiteCommand.run(
        side == .kept
          ? "UPDATE Poet SET name = 'author 2'" : "UPDATE Sheet SET number = 2", on: url(side))
    case .fullDisk:
      let pages = try #require(
        Int(
          SQLiteFile.output(of: "PRAGMA page_count", at: url(side))
            .trimmingCharacters(in: .whitespacesAndNewlines)))
      try store(side, of: datastore).limitPages(to: pages)
    case .lock: break
    }
  }

  private func end(_ fault: Fault, in side: Side, of datastore: SwiftDatastore) throws {
    switch fault {
    case .trigger: try SQLiteCommand.run("DROP TRIGGER refusing", on: url(side))
    case .sameUniqueValue:
      try SQLiteCommand.run(
        side == .kept
          ? "UPDATE Poet SET name = 'author 1'" : "UPDATE Sheet SET number = 1", on: url(side))
    case .fullDisk: try store(side, of: datastore).limitPages(to: 1_000_000)
    case .lock: break
    }
  }

  private func store(_ side: Side, of datastore: SwiftDatastore) throws -> SQLiteStore {
    let entity = try #require(datastore.schema.entity(named: table(side)))
    return try #require(
      datastore.coordinator.store.places(of: entity.index).first?.store as? SQLiteStore)
  }

  /// More than fits into the pages that are there.
  private func fill(_ context: some ObjectContext) throws {
    let text = String(repeating: "long ", count: 4_000)
    let books: [Poem] = try context.fetch()
    for book in books { book.title = text }
    let photos: [Photo] = try context.fetch()
    for photo in photos { photo.text = text }
  }

  @Test("A lock that another process holds on one store leaves both", arguments: Side.allCases)
  func locked(side: Side) throws {
    let datastore = try files.open()
    let context = datastore.newLocalContext()
    let before = try files.contents()
    try Self.stage(1, in: context)
    let lock = try SQLiteLock(url(side), forWriting: true)
    #expect(throws: StoreError.locked(path: url(side).path)) { try context.saveChanges() }
    #expect(try files.contents() == before)
    try lock.release()
    try context.saveChanges()
    #expect(try datastore.incompleteSaves().isEmpty)
  }

  @Test("A store that is only read leaves the other one as it was")
  func readOnly() throws {
    try files.open().close()
    let datastore = try SwiftDatastore(
      dataModel: DividedFiles.model(),
      stores: [
        .file(files.kept, configuration: "Kept"),
        .file(files.cache, configuration: "Cache", readOnly: true),
      ])
    let context = datastore.newLocalContext()
    let before = try files.contents()
    try Self.stage(1, in: context)
    #expect(throws: StoreError.readOnly(path: files.cache.path)) { try context.saveChanges() }
    #expect(try files.contents() == before)
    context.revertChanges()
    let author: Poet = try context.createObject()
    author.name = "alone"
    try context.saveChanges()
    #expect(try SQLiteFile.output(of: "SELECT name FROM Poet", at: files.kept) == "alone\n")
  }

  @Test(
    "A reference that would lead nowhere is found before the first commit",
    arguments: Side.allCases)
  func brokenReference(side: Side) throws {
    let datastore = try files.open()
    let context = datastore.newLocalContext()
    try Self.stage(1, in: context)
    try context.saveChanges()
    let author: Poet = try #require(try context.fetchFirst())
    let sheet: Sheet = try #require(try context.fetchFirst())
    // SQLite's own program checks no references by default.
    try SQLiteCommand.run("DELETE FROM \(table(side))", on: url(side))
    let before = try files.contents()
    let book: Poem = try context.createObject()
    book.author = author
    let photo: Photo = try context.createObject()
    photo.sheet = sheet
    let error = try #require(throws: (any Error).self) { try context.saveChanges() }
    #expect(!((error as? StoreError)?.isSavedInPart ?? false), "\(error)")
    #expect(try files.contents() == before)
    #expect(try datastore.incompleteSaves().isEmpty)
  }

  @Test("Conflicts in both stores are told together, and settled together")
  func conflicts() throws {
    let datastore = try files.open()
    let context = datastore.newLocalContext()
    try Self.stage(1, in: context)
    try context.saveChanges()
    let author: Poet = try #require(try context.fetchFirst())
    let photo: Photo = try #require(try context.fetchFirst())
    author.age = 50
    photo.width = 50
    let other = datastore.newLocalContext()
    (try other.object(with: author.objectID) as Poet).age = 7
    (try other.object(with: photo.objectID) as Photo).width = 7
    try other.saveChanges()
    let before = try files.contents()
    let error = try #require(throws: ConflictError.self) { try context.saveChanges() }
    #expect(Set(error.conflicts.map(\.entity)) == ["Poet", "Photo"])
    #expect(try files.contents() == before)
    context.mergePolicy = .objectTrump
    try context.saveChanges()
    #expect(try SQLiteFile.output(of: "SELECT age FROM Poet", at: files.kept) == "50\n")
    #expect(try SQLiteFile.output(of: "SELECT width FROM Clipping", at: files.cache) == "50\n")
  }

  // Promise: two writers save over the same two files at once → the same order of locks everywhere.
  @Test("Two who save over both files at once do not wait for each other for ever")
  func twoWriters() async throws {
    let datastores = [try files.open(), try files.open()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, datastore) in datastores.enumerated() {
        group.addTask {
          for number in 0..<50 {
            try await datastore.write { context in
              try Self.stage(place * 1_000 + number, in: context)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try SQLiteFile.output(of: "SELECT count(*) FROM Poet", at: files.kept) == "100\n")
    #expect(try SQLiteFile.output(of: "SELECT count(*) FROM Sheet", at: files.cache) == "100\n")
    let notes = try files.notes()
    #expect(notes[0] == notes[1])
  }
}
