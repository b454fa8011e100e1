import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

// Promise: two contexts write one property, also to equal values → the second save is a `ConflictError`.
/// Two contexts that come to the same value have not agreed: neither knew of the other.
@MainActor
@Suite("Equal values written meanwhile")
struct LostUpdateTests {
  private let datastore: SwiftDatastore
  private let id: DatastoreObjectID
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init() async throws {
    datastore = try TestModel.file()
    id = try await datastore.write { context in
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      employee.age = 5
      return employee.objectID
    }
    await drainMainQueue()
  }

  private func stored() async throws -> Int {
    let id = id
    return try await datastore.newContext().perform { context in
      (try context.object(with: id) as Employee).age
    }
  }

  @Test(
    "The second save is a conflict, found in the file or by the merge", arguments: [false, true])
  func secondSave(isMerged: Bool) async throws {
    let tom: Employee = try view.object(with: id)
    tom.age += 1
    whileMainWaits(datastore.newContext()) { [id] context in
      (try context.object(with: id) as Employee).age += 1
      try context.saveChanges()
    }
    if isMerged { await drainMainQueue() }
    #expect(view.hasChanges && tom.age == 6)
    let error = try #require(throws: ConflictError.self) { try view.saveChanges() }
    #expect(
      error.conflicts.flatMap(\.properties) == [
        Conflict.Property(name: "age", original: 5, mine: 6, theirs: 6)
      ])
    #expect(
      "\(error)".contains(
        "age was 5 when the edit began, and someone else has changed it to 6, which it was to become"
      ))
    // The intended value: one more than the stored one.
    view.revertChanges()
    await drainMainQueue()
    #expect(tom.age == 6)
    tom.age += 1
    try view.saveChanges()
    #expect(try await stored() == 7)
  }

  // Promise: an edit in conflict comes to the value that is stored → it stays an edit: both sides may have
  // counted.
  @Test("Counting on from what is staged to what somebody else has saved is a conflict, too")
  func countedOn() async throws {
    let tom: Employee = try view.object(with: id)
    tom.age += 1
    whileMainWaits(datastore.newContext()) { [id] context in
      (try context.object(with: id) as Employee).age += 2
      try context.saveChanges()
    }
    await drainMainQueue()
    #expect(tom.age == 6)
    tom.age += 1
    let error = try #require(throws: ConflictError.self) { try view.saveChanges() }
    #expect(
      error.conflicts.flatMap(\.properties) == [
        Conflict.Property(name: "age", original: 5, mine: 7, theirs: 7)
      ])
    view.revertChanges()
    #expect(tom.age == 7 && !view.hasChanges)
  }

  @Test("A policy settles it as it settles others", arguments: MergePolicy.allCases)
  func policies(policy: MergePolicy) async throws {
    let tom: Employee = try view.object(with: id)
    tom.age = 6
    tom.phone = "1"
    whileMainWaits(datastore.newContext()) { [id] context in
      (try context.object(with: id) as Employee).age = 6
      try context.saveChanges()
    }
    await drainMainQueue()
    view.mergePolicy = policy
    if policy == .error {
      #expect(throws: ConflictError.self) { try view.saveChanges() }
      return
    }
    try view.saveChanges()
    #expect(!view.hasChanges && tom.age == 6)
    #expect(tom.phone == (policy == .rollback ? nil : "1"))
  }

  @Test("What many count together is what is stored")
  func counting() async throws {
    let contexts = (0..<4).map { _ in datastore.newContext() }
    var counted = 0
    try await withThrowingTaskGroup(of: Int.self) { [id] group in
      for context in contexts {
        group.addTask {
          var saved = 0
          for _ in 0..<100 {
            saved += try await context.perform { context in
              let tom: Employee = try context.object(with: id)
              tom.age += 1
              do {
                try context.saveChanges()
                return 1
              } catch is ConflictError {
                context.revertChanges()
                context.refresh(tom)
                return 0
              }
            }
          }
          return saved
        }
      }
      for try await saved in group { counted += saved }
    }
    #expect(try await stored() == 5 + counted)
  }

  @Test("Undone and done again, the edit is still in conflict")
  func redone() async throws {
    view.isUndoEnabled = true
    let tom: Employee = try view.object(with: id)
    view.undoGroup { tom.age = 6 }
    whileMainWaits(datastore.newContext()) { [id] context in
      (try context.object(with: id) as Employee).age = 6
      try context.saveChanges()
    }
    await drainMainQueue()
    view.undo()
    #expect(!view.hasChanges && tom.age == 6)
    view.redo()
    #expect(throws: ConflictError.self) { try view.saveChanges() }
  }

  @Test("Two children of one parent")
  func children() async throws {
    let parent = datastore.newContext()
    let first = parent.createNewChildContext()
    let second = parent.createNewChildContext()
    for child in [first, second] {
      try await child.perform { [id] in (try $0.object(with: id) as Employee).age += 1 }
    }
    try await first.perform { _ = try $0.saveChanges() }
    await #expect(throws: ConflictError.self) {
      try await second.perform { _ = try $0.saveChanges() }
    }
    // Once more, on the current values of the parent.
    try await second.perform { [id] context in
      let tom: Employee = try context.object(with: id)
      context.refresh(tom)
      tom.age += 1
      try context.saveChanges()
      // Its own save is not a conflict with itself.
      tom.age += 1
      try context.saveChanges()
    }
    try await parent.perform { _ = try $0.saveChanges() }
    #expect(try await stored() == 8)
  }

  @Test("Nothing to settle where both have deleted what a reference led to")
  func bothDeleted() async throws {
    let boss = try await datastore.write { [id] context in
      let boss: Employee = try context.createObject()
      boss.name = "boss"
      (try context.object(with: id) as Employee).manager = boss
      return boss.objectID
    }
    await drainMainQueue()
    let tom: Employee = try view.object(with: id)
    tom.manager = nil
    tom.age = 9
    whileMainWaits(datastore.newContext()) { context in
      context.deleteObject(try context.object(with: boss) as Employee)
      try context.saveChanges()
    }
    try view.saveChanges()
    await drainMainQueue()
    #expect(tom.manager == nil && tom.age == 9 && !view.hasChanges)
  }

  @Test("A batch operation of one's own is no conflict with what is staged")
  func ownBatch() async throws {
    let tom: Employee = try view.object(with: id)
    tom.age = 6
    _ = try view.updateMany(where: \Employee.$name == "Tom", propertiesToUpdate: [.init(\.$age, 6)])
    #expect(!view.hasChanges && tom.age == 6)
  }

  @Test("A merge of something older does not undo what was saved here since")
  func olderMerge() async throws {
    let tom: Employee = try view.object(with: id)
    view.mergePolicy = .objectTrump
    tom.age = 7
    whileMainWaits(datastore.newContext()) { [id] context in
      let tom: Employee = try context.object(with: id)
      tom.age = 6
      tom.phone = "1"
      try context.saveChanges()
    }
    // Settles the conflict with the values of the file, and saves; the merge of 6 comes after that.
    try view.saveChanges()
    #expect(try await stored() == 7)
    await drainMainQueue()
    #expect(tom.age == 7 && tom.phone == "1")
  }
}
