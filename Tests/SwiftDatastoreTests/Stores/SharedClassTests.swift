import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@Suite("A class in several stores")
struct SharedClassTests {
  private let files: SharedFiles
  private let datastore: SwiftDatastore

  init() throws {
    files = try SharedFiles()
    datastore = try files.open()
  }

  private func labels(_ store: StoreDescription) throws -> String {
    try SQLiteFile.output(
      of: "SELECT group_concat(label) FROM (SELECT label FROM Pebble ORDER BY label)",
      at: #require(store.url)
    ).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func labels(_ context: some ObjectContext) throws -> [Int] {
    try context.fetch(From<Pebble>().orderBy(.asc(\.$label))).map(\.label)
  }

  // Promise: two files have rows of the same number → two objects, two identifiers, two URIs.
  // Also: `SharedClassTests.identifiers`
  @Test("An object is created in the store that is named, and nowhere without a name")
  func creating() throws {
    let context = datastore.newLocalContext()
    let unnamed = #expect(throws: StoreError.self) { _ = try context.createObject() as Pebble }
    #expect(
      "\(try #require(unnamed))".hasPrefix("Pebble is in several stores (\(files.one), "),
      "\(String(describing: unnamed))")
    let shovel: Shovel = try context.createObject()
    shovel.name = "spade"
    #expect(datastore.store(of: shovel.objectID) == files.one)
    let elsewhere = #expect(throws: StoreError.self) {
      _ = try context.createObject(in: files.two) as Shovel
    }
    #expect(
      "\(try #require(elsewhere))"
        == "Shovel is not in \(files.two); the stores that hold it are: \(files.one).")
    let unknown = StoreDescription.file(files.folder.file("none.sqlite"))
    #expect(throws: StoreError.self) { _ = try context.createObject(in: unknown) as Pebble }
    try files.fill(context, files.stores, from: 1)
    try context.saveChanges()
    #expect(try labels(files.one) == "1" && labels(files.two) == "2")
    // All three have the key 1 in their stores.
    let all: [Pebble] = try context.fetch(orderBy: [.desc(\.$label)])
    #expect(all.map(\.label) == [3, 2, 1])
    #expect(Set(all.map(\.objectID)).count == 3)
    #expect(all.map { datastore.store(of: $0.objectID) } == files.stores.reversed())
    for (store, label) in zip(files.stores, 1...3) {
      let found = try context.fetch(From<Pebble>().affectedStores([store]))
      #expect(found.map(\.label) == [label])
      #expect(
        try context.count(From<Pebble>().affectedStores([store]).where(\.$label > 1)) == 1 - 1
          / label)
    }
    let inFiles = try context.fetch(From<Pebble>().affectedStores([files.two, files.one]))
    #expect(inFiles.map(\.label) == [1, 2])
  }

  @Test("Imports and whatever else creates objects are sent to one store as a whole")
  func assigning() throws {
    let context = datastore.newLocalContext()
    try context.assigning(to: files.two) {
      let heap: Heap = try context.createObject()
      heap.name = "hill"
      let pebble: Pebble = try context.createObject()
      (pebble.label, pebble.heap) = (7, heap)
      // Of a class that one store holds, it is that.
      let shovel: Shovel = try context.createObject()
      shovel.name = "spade"
    }
    try context.saveChanges()
    #expect(try labels(files.two) == "7")
    #expect(
      try SQLiteFile.output(of: "SELECT name FROM Shovel", at: #require(files.one.url)) == "spade\n"
    )
    #expect(throws: StoreError.self) { _ = try context.createObject() as Pebble }
  }

  // Promise: a relationship would lead into another file → the save says which, nothing is written.
  @Test("Relationships stay in a store; leading into another one is told when it is saved")
  func relationships() throws {
    let context = datastore.newLocalContext()
    try files.fill(context, files.stores, from: 1)
    let here: Heap = try context.createObject(in: files.two)
    here.name = "here"
    try context.saveChanges()
    let pebbles: [Pebble] = try context.fetch(orderBy: [.asc(\.$label)])
    pebbles[0].heap = here
    pebbles[1].heap = here
    let error = #expect(throws: ValidationError.self) { try context.saveChanges() }
    #expect(
      try #require(error).faults.map(\.reason) == [.acrossStores], "\(String(describing: error))")
    #expect(try #require(error).faults[0].property == "heap")
    pebbles[0].heap = nil
    try context.saveChanges()
    // An object with the same key in another store is another object.
    pebbles[1].below = [pebbles[0]]
    #expect(throws: ValidationError.self) { try context.saveChanges() }
    pebbles[1].below = [pebbles[1]]
    try context.saveChanges()
    let other = try files.open([files.one, files.two]).newLocalContext()
    let found: [Pebble] = try other.fetch(where: \.$heap ~ \.$name == "here")
    #expect(found.map(\.label) == [2] && found[0].heap?.name == "here")
    #expect(found[0].below.map(\.label) == [2] && found[0].above.map(\.label) == [2])
    #expect(found[0].heap?.pebbles.map(\.label) == [2])
    let heap = try #require(found[0].heap)
    let same: [Pebble] = try other.fetch(where: \.$heap == heap)
    #expect(same.map(\.label) == [2])
    #expect(throws: StoreError.self) {
      try other.updateMany(Pebble.self, propertiesToUpdate: [.init(\.$heap, heap)])
    }
  }

  @Test("Identifiers and their texts lead back to the row of their store")
  func identifiers() throws {
    let context = datastore.newLocalContext()
    try files.fill(context, files.stores, from: 1)
    try context.saveChanges()
    let all: [Pebble] = try context.fetch(orderBy: [.asc(\.$label)])
    let names = try all.prefix(2).map { try $0.objectID.uriRepresentation }
    #expect(names.allSatisfy { $0.lastPathComponent == "1" } && Set(names).count == 2)
    // In another order the keys in memory are others, the names are not.
    let again = try files.open([files.two, files.one])
    let other = again.newLocalContext()
    for (name, label) in zip(names, 1...2) {
      let id = try again.objectID(forURIRepresentation: name)
      #expect(try (other.object(with: id) as Pebble).label == label)
      let encoder = JSONEncoder()
      let decoder = JSONDecoder()
      decoder.userInfo[.datastore] = again
      #expect(
        try decoder.decode(DatastoreObjectID.self, from: encoder.encode(all[label - 1].objectID))
          == id)
    }
  }

  @Test("Undo, reverting, child contexts and refreshing know which of two equal keys is meant")
  func staging() throws {
    let context = datastore.newLocalContext()
    try files.fill(context, files.stores, from: 1)
    try context.saveChanges()
    let all: [Pebble] = try context.fetch(orderBy: [.asc(\.$label)])
    context.isUndoEnabled = true
    context.undoGroup { all[1].name = "changed" }
    context.undoGroup { context.deleteObject(all[2]) }
    #expect(try labels(context) == [1, 2])
    context.undo()
    context.undo()
    #expect(all.map(\.name) == ["pebble 1", "pebble 2", "pebble 3"])
    let child = context.createNewChildContext()
    let inChild: [Pebble] = try child.fetch(where: \.$label == 2)
    inChild[0].name = "from the child"
    let added: Pebble = try child.createObject(in: files.two)
    added.label = 9
    try child.saveChanges()
    #expect(all.map(\.name) == ["pebble 1", "from the child", "pebble 3"])
    try context.saveChanges()
    #expect(try labels(files.two) == "2,9")
  }

  @Test("A conflict says the object, and what another program writes in either file is noticed")
  func others() async throws {
    let context = datastore.newLocalContext()
    try files.fill(context, files.stores, from: 1)
    try context.saveChanges()
    let all: [Pebble] = try context.fetch(orderBy: [.asc(\.$label)])
    for (place, store) in [files.one, files.two].enumerated() {
      _ = try datastore.checkForExternalChanges()
      all[place].name = "mine"
      try SQLiteCommand.run("UPDATE Pebble SET name = 'theirs'", on: #require(store.url))
      let error = #expect(throws: ConflictError.self) { try context.saveChanges() }
      let conflict = try #require(error?.conflicts.first)
      #expect(conflict.key == all[place].objectID.key && error?.conflicts.count == 1)
      context.revertChanges()
      #expect(try datastore.checkForExternalChanges())
      #expect(try !datastore.checkForExternalChanges())
      #expect(try context.count(From<Pebble>().where(\.$name == "theirs")) == place + 1)
    }
    // Conflicts of both files are reported at once.
    all[0].number = 5
    all[1].number = 5
    for store in [files.one, files.two] {
      try SQLiteCommand.run("UPDATE Pebble SET number = 6", on: #require(store.url))
    }
    let both = #expect(throws: ConflictError.self) { try context.saveChanges() }
    #expect(Set(both?.conflicts.map(\.key) ?? []) == Set(all.prefix(2).map(\.objectID.key)))
  }

  @Test("Batches run over all stores, or over those that are named")
  func batches() throws {
    let context = datastore.newLocalContext()
    try files.fill(context, files.stores + files.stores, from: 1)
    try context.saveChanges()
    let all: [Pebble] = try context.fetch(orderBy: [.asc(\.$label)])
    #expect(
      try context.updateMany(
        From<Pebble>().where(\.$label >= 3), propertiesToUpdate: [.init(\.$number, 8)]) == 4)
    #expect(all.map(\.number) == [0, 0, 8, 8, 8, 8])
    #expect(
      try context.updateMany(
        From<Pebble>().affectedStores([files.two]), propertiesToUpdate: [.init(\.$number, 1)]) == 2)
    #expect(all.map(\.number) == [0, 1, 8, 8, 1, 8])
    #expect(
      try context.deleteMany(
        From<Pebble>().affectedStores([files.memory, files.one]).where(\.$number == 8)) == 3)
    #expect(try labels(context) == [1, 2, 5])
    #expect(try context.deleteMany(Pebble.self, where: \.$label > 0) == 3)
    #expect(try labels(files.one) == "" && labels(files.two) == "")
  }

  // Promise: a batch is refused by one store after another → `savedInPart` says which have it; contexts
  // read again.
  @Test("A batch that one store refuses after another says which has it, and contexts show it")
  func batchInPart() throws {
    let context = datastore.newLocalContext()
    try files.fill(context, files.stores, from: 1)
    try context.saveChanges()
    let all: [Pebble] = try context.fetch(orderBy: [.asc(\.$label)])
    try SQLiteCommand.run(
      "CREATE TRIGGER no BEFORE UPDATE ON Pebble BEGIN SELECT RAISE(ABORT, 'not now'); END",
      on: #require(files.two.url))
    let error = #expect(throws: StoreError.self) {
      try context.updateMany(Pebble.self, propertiesToUpdate: [.init(\.$number, 3)])
    }
    guard case .savedInPart(let saved, let unsaved, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(saved == [files.one.url?.path] && unsaved.count == 2)
    context.revertChanges()
    #expect(try context.fetch(From<Pebble>().where(\.$number == 3)).map(\.label) == [1])
    #expect(all.map(\.number) == [3, 0, 0])
  }

  @Test("A store that is added later changes no key, and is asked from then on")
  func addedLater() throws {
    let datastore = try files.open([files.two])
    let context = datastore.newLocalContext()
    let first: Pebble = try context.createObject()
    first.label = 1
    try context.saveChanges()
    let id = first.objectID
    #expect(throws: StoreError.self) {
      try context.count(From<Pebble>().affectedStores([files.one]))
    }
    try datastore.addStore(files.one)
    #expect(throws: StoreError.self) { _ = try context.createObject() as Pebble }
    try files.fill(context, [files.one], from: 2)
    try context.saveChanges()
    #expect(first.objectID == id && datastore.store(of: id) == files.two)
    #expect(try labels(context) == [1, 2])
    #expect(try datastore.newLocalContext().count(From<Pebble>()) == 2)
  }

  // Promise: the same file is added twice, or by a link → it is one store.
  @Test("A file is added once, whatever it is called")
  func twice() throws {
    let datastore = try files.open([files.one])
    let url = try #require(files.one.url)
    let link = files.folder.file("link.sqlite")
    let hard = files.folder.file("hard.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    try FileManager.default.linkItem(at: url, to: hard)
    for name in [url, link, hard] {
      try datastore.addStore(.file(name, configuration: "One"))
      #expect(throws: StoreError.self) { try datastore.addStore(.file(name, configuration: "Two")) }
    }
    #expect(datastore.stores == [files.one])
    _ = try datastore.newLocalContext().createObject() as Pebble
  }

  // Promise: another program locks one of the files → no store has anything of the save.
  @Test("A lock that another program holds on one of the files leaves all stores as they were")
  func locked() throws {
    let context = datastore.newLocalContext()
    try files.fill(context, files.stores, from: 1)
    try context.saveChanges()
    for store in [files.one, files.two] {
      try files.fill(context, files.stores, from: 4)
      let lock = try SQLiteLock(#require(store.url), forWriting: true)
      #expect(throws: StoreError.locked(path: store.url?.path ?? "")) { try context.saveChanges() }
      #expect(try labels(files.one) == "1" && labels(files.two) == "2")
      #expect(try datastore.newLocalContext().count(From<Pebble>()) == 3)
      try lock.release()
      context.revertChanges()
    }
    try files.fill(context, files.stores, from: 4)
    try context.saveChanges()
    #expect(try labels(files.one) == "1,4" && labels(files.two) == "2,5")
    #expect(try datastore.incompleteSaves().isEmpty)
  }

  @Test("A pinned context keeps one state of all stores")
  func pinned() async throws {
    let both = [files.one, files.two]
    let datastore = try files.open(both)
    let context = datastore.newContext()
    let files = files
    try await context.perform { context in
      try files.fill(context, both, from: 1)
      try context.saveChanges()
    }
    try await context.perform { try $0.pinQueryGeneration() }
    let other = datastore.newLocalContext()
    try files.fill(other, both, from: 4)
    try other.saveChanges()
    let before = try await context.perform { try $0.count(From<Pebble>()) }
    #expect(before == 2 || before == 4)
    try await context.perform { $0.unpinQueryGeneration() }
    #expect(try await context.perform { try $0.count(From<Pebble>()) } == 4)
  }
}
