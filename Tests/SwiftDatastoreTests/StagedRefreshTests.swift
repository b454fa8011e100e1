import DatastoreCore
import DatastoreTestSupport
import Foundation
import GRDB
import SwiftDatastore
import Testing

/// Rows with staged changes that are changed in the store without a graph: by another process, or by a
/// batch operation.
@MainActor
@Suite("Refreshing objects with staged changes")
struct StagedRefreshTests {
  private let folder: TemporaryDirectory
  private let datastore: SwiftDatastore
  private let view: SwiftDatastoreViewContext

  init() throws {
    folder = try TemporaryDirectory()
    datastore = try SwiftDatastore(dataModel: TestModel.make(), url: folder.file("a.db"))
    view = datastore.sharedViewContext
  }

  /// Tom with a salary of 100 and the age 20, as the view context knows him.
  private func makeTom() async throws -> Employee {
    let tom: Employee = try view.createObject()
    (tom.name, tom.salary, tom.age) = ("Tom", 100, 20)
    try view.saveChanges()
    return tom
  }

  /// Has another connection write the file, and this datastore look.
  private func execute(_ sql: String) async throws {
    let other = try DatabaseQueue(path: folder.file("a.db").path)
    try await other.write { try $0.execute(sql: sql) }
    try other.close()
    #expect(try datastore.checkForExternalChanges())
    await drainMainQueue()
  }

  private func stored() async throws -> [String] {
    try await datastore.newContext().perform { context in
      let all: [Employee] = try context.fetch()
      return all.map { "\($0.name) \($0.salary) \($0.age) \($0.company?.name ?? "-")" }
    }
  }

  private func end() throws {
    try datastore.close()
  }

  @Test("What is not edited follows, and is saved over by nobody")
  func otherProperties() async throws {
    let tom = try await makeTom()
    tom.name = "Thomas"
    var heard: [String] = []
    let tokens: [PropertyObservation] = [
      tom.$name.observe { _ in heard.append("name") },
      tom.$salary.observe { heard.append("salary \($0)") },
      tom.$age.observe { heard.append("age \($0)") },
    ]
    try await execute(
      """
      INSERT INTO Company (_id, name) VALUES (7, 'Acme');
      UPDATE Employee SET salary = 250, company = 7;
      """)
    #expect(tom.name == "Thomas" && tom.salary == 250 && tom.age == 20)
    #expect(tom.company?.name == "Acme")
    #expect(heard == ["salary 250.0"])
    #expect(view.core.graph.stagedObjects().map { $0.changes.map(\.theirs) } == [[nil]])
    try view.saveChanges()
    #expect(try await stored() == ["Thomas 250.0 20 Acme"])
    withExtendedLifetime(tokens) {}
    try end()
  }

  @Test("What both sides changed is told before saving, and when saving")
  func bothSides() async throws {
    let tom = try await makeTom()
    tom.name = "Thomas"
    tom.age = 21
    try await execute("UPDATE Employee SET name = 'Tim', salary = 1")
    #expect(tom.name == "Thomas" && tom.salary == 1)
    let staged = try #require(view.core.graph.stagedObjects().first)
    #expect(Array(staged.conflictingSlots).count == 1)
    #expect(staged.changes.compactMap(\.theirs) == ["Tim"])
    let error = #expect(throws: ConflictError.self) { try view.saveChanges() }
    let property = try #require(error?.conflicts.first?.properties.first)
    #expect(property.name == "name")
    #expect((property.original, property.mine, property.theirs) == ("Tom", "Thomas", "Tim"))
    view.mergePolicy = .objectTrump
    try view.saveChanges()
    #expect(try await stored() == ["Thomas 1.0 21 -"])
    try end()
  }

  @Test("Both sides came to the same value: a conflict as with another one")
  func sameValue() async throws {
    let tom = try await makeTom()
    tom.name = "Thomas"
    try await execute("UPDATE Employee SET name = 'Thomas'")
    #expect(view.core.graph.stagedObjects().first?.changes.compactMap(\.theirs) == ["Thomas"])
    let error = #expect(throws: ConflictError.self) { try view.saveChanges() }
    let property = try #require(error?.conflicts.first?.properties.first)
    #expect((property.original, property.mine, property.theirs) == ("Tom", "Thomas", "Thomas"))
    // If the value is assigned again, it may follow from the staged as well as from the shown values.
    tom.name = "Thomas"
    #expect(throws: ConflictError.self) { try view.saveChanges() }
    view.revertChanges(of: tom)
    #expect(!view.hasChanges && tom.name == "Thomas")
    try end()
  }

  @Test("Undoing an edit leaves what somebody else has stored since", arguments: [false, true])
  func undoing(reverts: Bool) async throws {
    let tom = try await makeTom()
    view.isUndoEnabled = true
    view.undoGroup { tom.name = "Thomas" }
    try await execute("UPDATE Employee SET name = 'Tim'")
    if reverts { view.undoGroup { view.revertChanges(of: tom) } } else { view.undo() }
    #expect(!view.hasChanges && tom.name == "Tim")
    // The edit that comes back is in conflict, as it was.
    if reverts { view.undo() } else { view.redo() }
    #expect(tom.name == "Thomas")
    #expect(throws: ConflictError.self) { try view.saveChanges() }
    if reverts { view.redo() } else { view.undo() }
    #expect(!view.hasChanges && tom.name == "Tim")
    try view.saveChanges()
    #expect(try await stored() == ["Tim 100.0 20 -"])
    try end()
  }

  @Test("Undoing never stages an old value over what somebody else has stored")
  func undoingToTheBeginning() async throws {
    let tom = try await makeTom()
    view.isUndoEnabled = true
    // The same value, another one, and one that was typed back by hand.
    for (edits, others, left) in [([21], 21, 21), ([21], 9, 9), ([21, 20], 9, 9), ([21], 20, 20)] {
      if tom.age != 20 { try await execute("UPDATE Employee SET age = 20") }
      for age in edits { view.undoGroup { tom.age = age } }
      try await execute("UPDATE Employee SET age = 8; UPDATE Employee SET age = \(others)")
      while view.canUndo { view.undo() }
      #expect(tom.age == left && !view.hasChanges, "\(edits), \(others)")
    }
    // An edit between others is in conflict when it comes back.
    for age in [21, 20, 5] { view.undoGroup { tom.age = age } }
    try await execute("UPDATE Employee SET age = 9")
    view.undo()
    #expect(tom.age == 9 && !view.hasChanges)
    view.undo()
    #expect(
      tom.age == 21 && view.core.graph.stagedObjects().first?.changes.first?.theirs == .integer(9))
    view.undo()
    #expect(tom.age == 9 && !view.hasChanges)
    try end()
  }

  @Test(
    "A conflict ends where the store returns to what the edit began from, not where mine comes to theirs"
  )
  func endedConflicts() async throws {
    let tom = try await makeTom()
    tom.age = 21
    try await execute("UPDATE Employee SET age = 9")
    try await execute("UPDATE Employee SET age = 20")
    #expect(view.core.graph.stagedObjects().map { $0.conflictingSlots.isEmpty } == [true])
    try view.saveChanges()
    tom.age = 5
    try await execute("UPDATE Employee SET age = 6")
    tom.age = 6
    #expect(throws: ConflictError.self) { try view.saveChanges() }
    view.revertChanges(of: tom)
    #expect(!view.hasChanges && tom.age == 6)
    try end()
  }

  @Test("An object whose row is gone goes when its edit is taken back", arguments: [false, true])
  func goneRowIsTakenBack(reverts: Bool) async throws {
    let tom = try await makeTom()
    view.isUndoEnabled = true
    view.undoGroup { tom.name = "Thomas" }
    try await execute("DELETE FROM Employee")
    if reverts { view.revertChanges(of: tom) } else { view.undo() }
    #expect(tom.isDeleted && !view.hasChanges)
    #expect((try view.fetch() as [Employee]).isEmpty)
    try end()
  }

  @Test("An observer that saves does not make what was read before come after it")
  func savingObserver() async throws {
    let tom = try await makeTom()
    let ann: Employee = try view.createObject()
    (ann.name, ann.age) = ("Ann", 30)
    try view.saveChanges()
    (tom.age, ann.age) = (21, 31)
    let save: (Double) -> Void = { [view] _ in _ = try? view.saveChanges() }
    let tokens: [PropertyObservation] = [tom.$salary.observe(save), ann.$salary.observe(save)]
    try await execute("UPDATE Employee SET salary = 7")
    #expect(tom.age == 21 && ann.age == 31 && tom.salary == 7 && ann.salary == 7)
    #expect(!view.hasChanges)
    #expect(try await stored().sorted() == ["Ann 7.0 31 -", "Tom 7.0 21 -"])
    withExtendedLifetime(tokens) {}
    try end()
  }

  @Test("A row that is gone keeps its edits, and saving reports it; it may come back")
  func goneRow() async throws {
    let tom = try await makeTom()
    tom.name = "Thomas"
    try await execute(
      "CREATE TABLE kept AS SELECT * FROM Employee; DELETE FROM Employee")
    #expect(tom.name == "Thomas" && view.core.graph.stagedObjects().map(\.isRowGone) == [true])
    let error = #expect(throws: ConflictError.self) { try view.saveChanges() }
    #expect(error?.conflicts.map(\.isDeleted) == [true])
    let columns = "_id, id, name, salary, age"
    try await execute(
      "INSERT INTO Employee (\(columns)) SELECT \(columns) FROM kept; DROP TABLE kept")
    #expect(view.core.graph.stagedObjects().map(\.isRowGone) == [false])
    try view.saveChanges()
    #expect(try await stored() == ["Thomas 100.0 20 -"])
    try end()
  }

  @Test("A batch operation reaches staged objects in every context", arguments: [true, false])
  func batches(inSameContext: Bool) async throws {
    let tom = try await makeTom()
    let id = tom.objectID
    tom.name = "Thomas"
    let other = datastore.newContext()
    try await other.perform { context in
      (try context.object(with: id) as Employee).phone = "1"
    }
    if inSameContext {
      try view.updateMany(Employee.self, propertiesToUpdate: [.init(\.$salary, 7)])
    } else {
      try await other.perform { context in
        try context.updateMany(Employee.self, propertiesToUpdate: [.init(\.$salary, 7)])
        #expect((try context.object(with: id) as Employee).salary == 7)
      }
    }
    await drainMainQueue()
    #expect(tom.salary == 7 && tom.name == "Thomas")
    let seen = try await other.perform { context in
      let employee: Employee = try context.object(with: id)
      return [employee.phone, "\(employee.salary)"]
    }
    #expect(seen == ["1", "7.0"])
    try end()
  }

  @Test("An object to be deleted is gone when somebody else has deleted it")
  func deletedTwice() async throws {
    let tom = try await makeTom()
    view.deleteObject(tom)
    try await execute("DELETE FROM Employee")
    #expect(!view.hasChanges)
    try view.saveChanges()
    #expect(try await stored() == [])
    try end()
  }
}
