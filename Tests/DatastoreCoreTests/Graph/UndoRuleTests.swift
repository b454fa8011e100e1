import Testing

@testable import DatastoreCore

/// Undoing and doing again, group by group.
@Suite struct UndoRuleTests {
  private let world = GraphWorld()

  init() { world.graph.journal = UndoJournal() }

  /// A stored employee, before there is anything to undo.
  private func saved() throws -> ManagedObject {
    let object = try world.make("Employee")
    _ = try world.save()
    world.graph.journal = UndoJournal()
    return object
  }

  private func name(_ object: ManagedObject) -> Value { object.value(at: object.slot("name")) }
  private func setName(_ object: ManagedObject, _ name: Value) {
    object.setValue(name, at: object.slot("name"))
  }

  @Test func aNewJournalHasNothingToUndo() {
    #expect(world.graph.journal?.canUndo == false)
    #expect(world.graph.journal?.canRedo == false)
    world.graph.undo()
    world.graph.redo()
    #expect(!world.graph.hasChanges)
  }

  @Test func anEditIsUndoneAndDoneAgain() throws {
    let object = try saved()
    let before = name(object)
    world.undoGroup { setName(object, "Bea") }
    world.graph.undo()
    #expect(name(object) == before)
    world.graph.redo()
    #expect(name(object) == "Bea")
  }

  @Test func anUndoneEditLeavesNoChange() throws {
    let object = try saved()
    world.undoGroup { setName(object, "Bea") }
    world.graph.undo()
    #expect(!object.hasChanges && !world.graph.hasChanges)
  }

  @Test func aGroupIsUndoneAsAWhole() throws {
    let object = try saved()
    let before = name(object)
    world.undoGroup {
      setName(object, "Bea")
      object.setValue(30, at: object.slot("age"))
      setName(object, "Cyd")
    }
    world.graph.undo()
    #expect(name(object) == before)
    #expect(object.value(at: object.slot("age")) == .null)
    world.graph.redo()
    #expect(name(object) == "Cyd")
    #expect(object.value(at: object.slot("age")) == 30)
  }

  @Test func groupsAreUndoneFromTheLastOn() throws {
    let object = try saved()
    world.undoGroup { setName(object, "1") }
    world.undoGroup { setName(object, "2") }
    world.undoGroup { setName(object, "3") }
    world.graph.undo()
    #expect(name(object) == "2")
    world.graph.undo()
    #expect(name(object) == "1")
    world.graph.redo()
    world.graph.redo()
    #expect(name(object) == "3")
  }

  @Test func innerGroupsBelongToTheOuterOne() throws {
    let object = try saved()
    let before = name(object)
    world.undoGroup {
      world.undoGroup { setName(object, "1") }
      world.undoGroup { setName(object, "2") }
    }
    world.graph.undo()
    #expect(name(object) == before)
    #expect(world.graph.journal?.canUndo == false)
  }

  @Test func aNewEditEndsWhatCouldBeDoneAgain() throws {
    let object = try saved()
    world.undoGroup { setName(object, "1") }
    world.graph.undo()
    world.undoGroup { setName(object, "2") }
    #expect(world.graph.journal?.canRedo == false)
    world.graph.redo()
    #expect(name(object) == "2")
  }

  @Test func anEmptyGroupIsNone() {
    world.undoGroup {}
    #expect(world.graph.journal?.canUndo == false)
  }

  @Test func theEndOfATurnClosesAGroup() throws {
    let object = try saved()
    setName(object, "1")
    world.graph.journal?.endTurn()
    setName(object, "2")
    world.graph.journal?.endTurn()
    world.graph.undo()
    #expect(name(object) == "1")
  }

  @Test func aTurnDoesNotEndInsideAGroup() throws {
    let object = try saved()
    let before = name(object)
    world.undoGroup {
      setName(object, "1")
      world.graph.journal?.endTurn()
      setName(object, "2")
    }
    world.graph.undo()
    #expect(name(object) == before)
  }

  @Test func aNewObjectIsUndone() throws {
    var object: ManagedObject?
    try world.undoGroup { object = try world.make("Employee") }
    world.graph.undo()
    #expect(object?.isGone == true)
    #expect(try world.all("Employee").isEmpty)
  }

  @Test func aNewObjectComesBackWithItsValues() throws {
    var made: ManagedObject?
    try world.undoGroup {
      let object = try world.make("Employee")
      setName(object, "Bea")
      object.setValue(30, at: object.slot("age"))
      made = object
    }
    world.graph.undo()
    world.graph.redo()
    let object = try #require(made)
    #expect(object.isInserted)
    #expect(name(object) == "Bea")
    #expect(object.value(at: object.slot("age")) == 30)
  }

  @Test func aDeletionIsUndone() throws {
    let object = try saved()
    world.undoGroup { world.graph.delete(object) }
    world.graph.undo()
    #expect(!object.isDeleted && !object.hasChanges)
    #expect(try world.all("Employee").count == 1)
    world.graph.redo()
    #expect(object.willBeDeleted)
  }

  @Test func aCascadeIsUndoneAsAWhole() throws {
    let (company, employee, task) = try (
      world.make("Company"), world.make("Employee"), world.make("Task")
    )
    employee.set("company", company)
    task.set("owner", employee)
    _ = try world.save()
    world.graph.journal = UndoJournal()
    world.undoGroup { world.graph.delete(company) }
    world.graph.undo()
    #expect(employee.one("company") === company)
    #expect(task.one("owner") === employee)
    #expect(!world.graph.hasChanges)
    #expect(world.graph.brokenInvariants() == [])
  }

  @Test func bothSidesOfARelationshipAreUndone() throws {
    let (employee, company) = try (world.make("Employee"), world.make("Company"))
    _ = try world.save()
    world.undoGroup { employee.set("company", company) }
    world.graph.undo()
    #expect(employee.one("company") == nil)
    #expect(company.many("employees").isEmpty)
    world.graph.redo()
    #expect(company.many("employees").map(\.key) == [employee.key])
  }

  @Test func anOrderIsUndone() throws {
    let employee = try world.make("Employee")
    let tasks = try (0..<3).map { _ in try world.make("Task") }
    employee.set("tasks", tasks)
    _ = try world.save()
    world.undoGroup { employee.set("tasks", tasks.reversed()) }
    world.graph.undo()
    #expect(employee.many("tasks").map(\.key) == tasks.map(\.key))
    #expect(!employee.hasChanges)
    world.graph.redo()
    #expect(employee.many("tasks").map(\.key) == tasks.reversed().map(\.key))
  }

  @Test func whatWasSavedCanBeUndone() throws {
    let object = try saved()
    let before = name(object)
    world.undoGroup { setName(object, "Bea") }
    _ = try world.save()
    world.graph.undo()
    #expect(name(object) == before)
    #expect(object.isUpdated)
    _ = try world.save()
    #expect(try GraphWorld(world.store).all("Employee").first.map(name) == before)
  }

  @Test func aSavedObjectIsUndoneByDeletingIt() throws {
    try world.undoGroup { _ = try world.make("Employee") }
    _ = try world.save()
    world.graph.undo()
    _ = try world.save()
    #expect(world.store.count(FetchRequest(entity: "Employee")) == 0)
  }

  @Test func aSavedDeletionIsUndoneByMakingItAgain() throws {
    let object = try saved()
    let before = name(object)
    world.undoGroup { world.graph.delete(object) }
    _ = try world.save()
    world.graph.undo()
    #expect(object.isInserted && name(object) == before)
    _ = try world.save()
    #expect(world.store.count(FetchRequest(entity: "Employee")) == 1)
  }

  @Test func revertingForgetsWhatCouldBeUndone() throws {
    let object = try saved()
    world.undoGroup { setName(object, "Bea") }
    world.graph.revert()
    #expect(world.graph.journal?.canUndo == false)
  }

  @Test func withoutAJournalNothingIsUndone() throws {
    let object = try saved()
    world.graph.journal = nil
    setName(object, "Bea")
    world.graph.undo()
    #expect(name(object) == "Bea")
  }
}
