import Testing

@testable import DatastoreCore

/// The state of a graph between a change and its save.
@Suite struct StagedChangeTests {
  private let world = GraphWorld()

  private func employee(_ name: Value = "Ann") throws -> ManagedObject {
    let employee = try world.make("Employee")
    employee.setValue(name, at: employee.slot("name"))
    return employee
  }

  /// An employee that the store has.
  private func saved(_ name: Value = "Ann") throws -> ManagedObject {
    let employee = try employee(name)
    _ = try world.save()
    return employee
  }

  @Test func aNewObjectIsInserted() throws {
    let object = try employee()
    #expect(object.isInserted && object.hasChanges && !object.isUpdated)
    #expect(world.graph.insertedObjects.count == 1)
    #expect(world.graph.hasChanges)
  }

  @Test func aSavedObjectHasNoChanges() throws {
    let object = try saved()
    #expect(!object.isInserted && !object.hasChanges)
    #expect(!world.graph.hasChanges)
    #expect(world.store.count(FetchRequest(entity: "Employee")) == 1)
  }

  @Test func anEditIsSeenAtOnceAndNotStored() throws {
    let object = try saved()
    object.setValue("Bea", at: object.slot("name"))
    #expect(object.value(at: object.slot("name")) == "Bea")
    #expect(object.committedValue(at: object.slot("name")) == "Ann")
    #expect(object.isUpdated)
    #expect(object.changedValues() == ["name": "Bea"])
  }

  @Test func anEditToWhatIsStoredIsNoEdit() throws {
    let object = try saved()
    object.setValue("Bea", at: object.slot("name"))
    object.setValue("Ann", at: object.slot("name"))
    #expect(!object.isUpdated && !world.graph.hasChanges)
    #expect(object.changedValues().isEmpty)
  }

  @Test func anEditOfTheSameLetterInOtherBytesIsOne() throws {
    let object = try saved("\u{E9}")
    object.setValue("e\u{301}", at: object.slot("name"))
    #expect(object.isUpdated)
  }

  @Test func committedValuesAreThoseOfTheStore() throws {
    let object = try saved()
    object.setValue(30, at: object.slot("age"))
    #expect(object.committedValues(for: ["name", "age"]) == ["name": "Ann", "age": .null])
  }

  @Test func aNewObjectHasNoCommittedValues() throws {
    #expect(try employee().committedValues().isEmpty)
  }

  @Test func onlyWhatChangedIsWritten() throws {
    let object = try saved()
    object.setValue(30, at: object.slot("age"))
    let pending = try world.graph.prepareSave()
    let update = try #require(pending.changes.entities.first?.updated.first)
    #expect(Array(update.slots) == [object.slot("age")])
    #expect(pending.changes.entities.count == 1)
    #expect(pending.changes.entities.first?.inserted.isEmpty == true)
  }

  @Test func nothingIsWrittenOfAnUnchangedGraph() throws {
    _ = try saved()
    #expect(try world.graph.prepareSave().isEmpty)
  }

  @Test func aDeletedObjectIsThereUntilTheSave() throws {
    let object = try saved()
    world.graph.delete(object)
    #expect(object.willBeDeleted && object.isDeleted)
    #expect(world.store.count(FetchRequest(entity: "Employee")) == 1)
    _ = try world.save()
    #expect(world.store.count(FetchRequest(entity: "Employee")) == 0)
    #expect(object.isGone)
  }

  @Test func aNewObjectThatIsDeletedIsNeverWritten() throws {
    let object = try employee()
    world.graph.delete(object)
    #expect(object.isGone)
    #expect(try world.graph.prepareSave().isEmpty)
  }

  @Test func deletingTwiceIsDeletingOnce() throws {
    let object = try saved()
    world.graph.delete(object)
    world.graph.delete(object)
    #expect(world.graph.deletedObjects.count == 1)
  }

  @Test func fetchesSeeNewObjects() throws {
    _ = try employee("Bob")
    let found = try world.graph.fetch(
      FetchRequest(
        entity: "Employee",
        predicate: Predicate.comparison(.init(.keyPath(["name"]), .equal, .value("Bob")))))
    #expect(found.count == 1)
    #expect(try world.graph.count(FetchRequest(entity: "Employee")) == 1)
  }

  @Test func fetchesSeeEdits() throws {
    let object = try saved()
    object.setValue("Bob", at: object.slot("name"))
    func found(_ name: Value) throws -> [ManagedObject] {
      try world.graph.fetch(
        FetchRequest(
          entity: "Employee",
          predicate: .comparison(.init(.keyPath(["name"]), .equal, .value(name)))))
    }
    #expect(try found("Bob").first === object)
    #expect(try found("Ann").isEmpty)
  }

  @Test func fetchesDoNotSeeDeletedObjects() throws {
    world.graph.delete(try saved())
    #expect(try world.all("Employee").isEmpty)
    #expect(try world.graph.count(FetchRequest(entity: "Employee")) == 0)
  }

  @Test func savedFetchesSeeWhatIsStored() throws {
    let object = try saved()
    object.setValue("Bob", at: object.slot("name"))
    _ = try employee("Cyd")
    #expect(try world.graph.countSaved(FetchRequest(entity: "Employee")) == 1)
    #expect(
      try world.graph.savedKeys(
        FetchRequest(
          entity: "Employee",
          predicate: .comparison(.init(.keyPath(["name"]), .equal, .value("Ann")))))
        == [object.key])
  }

  @Test func editsTakeTheirPlaceInTheOrder() throws {
    let (a, b, c) = try (employee("a"), employee("b"), employee("c"))
    _ = try world.save()
    a.setValue("bb", at: a.slot("name"))
    let request = FetchRequest(entity: "Employee", sortDescriptors: [SortDescriptor(["name"])])
    #expect(try world.graph.fetch(request).map(\.key) == [b.key, a.key, c.key])
  }

  @Test func windowsAreCutBehindTheEdits() throws {
    let (a, b, c) = try (employee("a"), employee("b"), employee("c"))
    _ = try world.save()
    world.graph.delete(a)
    let request = FetchRequest(
      entity: "Employee", sortDescriptors: [SortDescriptor(["name"])], offset: 1, limit: 1)
    #expect(try world.graph.fetch(request).map(\.key) == [c.key])
    #expect(b.key < c.key)
  }

  @Test func oneKeyIsOneObject() throws {
    let object = try saved()
    #expect(world.graph.object(entity: object.entity.index, key: object.key) === object)
    #expect(try world.all("Employee").first === object)
  }

  @Test func revertingTakesEverythingBack() throws {
    let kept = try saved()
    let new = try employee("Bob")
    kept.setValue("Bea", at: kept.slot("name"))
    world.graph.revert()
    #expect(kept.value(at: kept.slot("name")) == "Ann")
    #expect(new.isGone)
    #expect(!world.graph.hasChanges)
  }

  @Test func revertingBringsDeletedObjectsBack() throws {
    let object = try saved()
    world.graph.delete(object)
    world.graph.revert()
    #expect(!object.isDeleted && !object.hasChanges)
    #expect(try world.all("Employee").count == 1)
  }

  @Test func oneObjectIsReverted() throws {
    let (a, b) = try (saved("a"), saved("b"))
    a.setValue("x", at: a.slot("name"))
    b.setValue("y", at: b.slot("name"))
    world.graph.revert(a)
    #expect(a.value(at: a.slot("name")) == "a")
    #expect(b.value(at: b.slot("name")) == "y")
  }

  @Test func onePropertyIsReverted() throws {
    let object = try saved()
    object.setValue("x", at: object.slot("name"))
    object.setValue(3, at: object.slot("age"))
    world.graph.revert(object, slot: object.slot("name"))
    #expect(object.changedValues() == ["age": 3])
  }

  @Test func aPropertyOfANewObjectIsRevertedToItsDefault() throws {
    let object = try employee()
    object.setValue(3, at: object.slot("age"))
    world.graph.revert(object, slot: object.slot("age"))
    #expect(object.value(at: object.slot("age")) == .null)
    #expect(object.isInserted)
  }

  @Test func aRequiredValueIsMissing() throws {
    let company = try world.graph.insert(world.entity("Company"))
    let error = try #require(throws: ValidationError.self) { try world.graph.prepareSave() }
    #expect(
      error.faults == [
        .init(entity: "Company", key: company.key, property: "name", reason: .missingValue)
      ])
    #expect(
      error.description == """
        Nothing was saved, because 1 value is not valid:
          - Company \(company.key): name has no value, but must have one.
        """)
  }

  @Test func aFaultIsReadWhenItIsAsked() throws {
    let key = try saved().key
    let reader = GraphWorld(world.store)
    let fault = reader.graph.object(entity: reader.entity("Employee").index, key: key)
    #expect(fault.isFault)
    #expect(fault.value(at: fault.slot("name")) == "Ann")
    #expect(!fault.isFault)
  }

  @Test func aFaultWithoutARowIsGone() {
    let fault = world.graph.object(entity: world.entity("Employee").index, key: 4711)
    #expect(fault.value(at: fault.slot("name")) == .null)
    #expect(fault.isGone)
  }

  @Test func anObjectIsDescribedInALine() throws {
    let object = try saved()
    object.setValue(30, at: object.slot("age"))
    #expect(object.line.hasPrefix("Employee/\(object.key) (changed) name: \"Ann\", age: nil → 30"))
  }

  @Test func observersHearOfAnEdit() throws {
    let object = try saved()
    var heard: [SlotSet] = []
    object.observe(slot: object.slot("name")) { heard.append($1) }
    object.setValue("Bea", at: object.slot("name"))
    object.setValue(3, at: object.slot("age"))
    #expect(heard == [SlotSet([object.slot("name")])])
  }

  @Test func cancelledObserversHearNothing() throws {
    let object = try saved()
    var count = 0
    let observation = object.observation(slot: nil) { _, _ in count += 1 }
    object.setValue("Bea", at: object.slot("name"))
    observation.cancel()
    object.setValue("Cyd", at: object.slot("name"))
    #expect(count == 1)
  }
}
