import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import Testing

/// Transactions that are kept. The line of a block is that of its first fence in CoreStore's document.
@MainActor
@Suite struct UnsafeTransactionTests {
  private let dataStack = DataStack(
    CoreStoreSchema(modelVersion: "V1", entities: [Entity<Member>("Member")]))

  init() throws {
    try dataStack.addStorageAndWait(InMemoryStore())
  }

  private func download(_ completion: (String) throws -> Void) throws { try completion("Ann") }

  @Test("CoreStore.md:751: what was changed is saved as often as it is committed")
  func commits() throws {
    let transaction = try dataStack.beginUnsafe(sourceIdentifier: "download")
    let monitor = try dataStack.monitorList(From<Member>().orderBy(.ascending(\.$name)))
    // make changes
    let member = try transaction.create(Into<Member>())
    try download({ (json) -> Void in

      // make other changes
      member.name = json
      try transaction.commit()
    })
    #expect(try dataStack.datastore.newLocalContext().fetchCount(From<Member>()) == 1)
    try download({ (json) -> Void in

      // make some other changes
      member.lastName = json + "son"
      try transaction.commitAndWait()
    })
    // Waited for, it is in the view context, too.
    #expect(monitor[0].name == "Ann" && monitor[0].lastName == "Annson")
    let saved = try dataStack.datastore.newLocalContext().fetchOne(From<Member>())
    #expect(saved?.name == "Ann" && saved?.lastName == "Annson")
    withExtendedLifetime(monitor) {}
  }

  @Test("What was not committed is taken back, and undone where that is asked for")
  func takingBack() throws {
    let transaction = try dataStack.beginUnsafe(supportsUndo: true)
    let member = try transaction.create(Into<Member>())
    try transaction.commit()
    transaction.undoGroup { member.name = "Ann" }
    transaction.undoGroup { member.name = "Bob" }
    transaction.undo()
    #expect(member.name == "Ann")
    transaction.redo()
    #expect(member.name == "Bob")
    transaction.rollback()
    #expect(member.name == "" && !transaction.hasChanges)
    let other = try dataStack.beginUnsafe()
    #expect(!other.isUndoEnabled)
  }

  @Test("What is staged, by class and as identifiers; objects in other contexts")
  func staged() throws {
    let transaction = try dataStack.beginUnsafe()
    let member = try transaction.create(Into<Member>())
    member.name = "Ann"
    let inserted: Set<Member> = transaction.insertedObjects(Member.self)
    #expect(inserted == [member] && transaction.insertedObjects(Member.self) == [member])
    #expect(transaction.insertedObjectIDs() == [member.objectID])
    #expect(transaction.objectHasPersistentChangedValues(member))
    var failure: CoreStoreError?
    transaction.commit { failure = $0 }
    #expect(failure == nil && transaction.insertedObjectIDs(Member.self).isEmpty)
    try dataStack.datastore.sharedViewContext.processPendingChanges()
    let shown = try #require(try member.asReadOnly(in: dataStack))
    #expect(shown !== member && shown.name == "Ann")
    let child = transaction.beginUnsafe(supportsUndo: true)
    let edited = try #require(try shown.asEditable(in: child))
    edited.name = "Bob"
    #expect(child.updatedObjectIDs() == [member.objectID])
    #expect(try edited.asSnapshot(in: child)?.$name == "Bob")
    #expect(try shown.asSnapshot(in: transaction)?.$name == "Ann")
    try child.commit()
    #expect(member.name == "Bob" && dataStack == dataStack)
    transaction.deleteObject(member)
    #expect(transaction.deletedObjectIDs() == [member.objectID])
    let deleted: Set<Member> = transaction.deletedObjects(Member.self)
    #expect(deleted == [member])
  }

  @Test("A child saves one level up")
  func nested() throws {
    let transaction = try dataStack.beginUnsafe()
    let child = transaction.createNewChildContext()
    try child.create(Into<Member>()).name = "Ann"
    try child.commit()
    #expect(try transaction.fetchCount(From<Member>()) == 1)
    #expect(try dataStack.datastore.newLocalContext().fetchCount(From<Member>()) == 0)
    try transaction.commit()
    #expect(try dataStack.datastore.newLocalContext().fetchCount(From<Member>()) == 1)
  }

  @Test func withoutAStorageThereIsNone() {
    let dataStack = DataStack(
      CoreStoreSchema(modelVersion: "V1", entities: [Entity<Member>("Member")]))
    #expect(throws: CoreStoreError.self) { try dataStack.beginUnsafe() }
  }
}
