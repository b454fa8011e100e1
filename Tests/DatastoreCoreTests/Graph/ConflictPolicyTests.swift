import Testing

@testable import DatastoreCore

/// Two graphs that edit one row, and the result of each policy.
@Suite struct ConflictPolicyTests {
  private let store = MemoryStore(GraphWorld.schema)
  private let mine: GraphWorld
  private let theirs: GraphWorld

  init() {
    mine = GraphWorld(store)
    theirs = GraphWorld(store)
  }

  /// An employee “Ann” of 30 that both graphs have read.
  private func both() throws -> (mine: ManagedObject, theirs: ManagedObject) {
    let made = try mine.make("Employee")
    made.setValue("Ann", at: made.slot("name"))
    made.setValue(30, at: made.slot("age"))
    _ = try mine.save()
    let other = try #require(try theirs.all("Employee").first)
    return (made, other)
  }

  /// Both rename it, and each changes something besides: the others its age, we its salary.
  private func conflict() throws -> (object: ManagedObject, error: ConflictError) {
    let (object, other) = try both()
    other.setValue("Theirs", at: other.slot("name"))
    other.setValue(31, at: other.slot("age"))
    object.setValue("Mine", at: object.slot("name"))
    object.setValue(9.5, at: object.slot("salary"))
    _ = try theirs.save()
    return (object, try #require(throws: ConflictError.self) { try mine.save() })
  }

  private func stored(_ names: String...) throws -> [Value] {
    let reader = GraphWorld(store)
    let object = try #require(try reader.all("Employee").first)
    return names.map { object.value(at: object.slot($0)) }
  }

  @Test func editsOfOtherPropertiesAreNoConflict() throws {
    let (object, other) = try both()
    other.setValue(31, at: other.slot("age"))
    object.setValue("Mine", at: object.slot("name"))
    _ = try theirs.save()
    _ = try mine.save()
    #expect(try stored("name", "age") == ["Mine", 31])
  }

  @Test func aConflictTellsTheThreeValues() throws {
    let (object, error) = try conflict()
    #expect(
      error.conflicts == [
        Conflict(
          entity: "Employee", key: object.key,
          properties: [.init(name: "name", original: "Ann", mine: "Mine", theirs: "Theirs")],
          isDeleted: false)
      ])
  }

  @Test func aConflictSavesNothing() throws {
    _ = try conflict()
    #expect(try stored("name", "age", "salary") == ["Theirs", 31, .null])
  }

  @Test func theStoreWinsWhereBothChanged() throws {
    let (_, error) = try conflict()
    try mine.graph.settle(error, by: .storeTrump)
    _ = try mine.save()
    #expect(try stored("name", "age", "salary") == ["Theirs", 31, 9.5])
  }

  @Test func theObjectWinsWhereBothChanged() throws {
    let (_, error) = try conflict()
    try mine.graph.settle(error, by: .objectTrump)
    _ = try mine.save()
    #expect(try stored("name", "age", "salary") == ["Mine", 31, 9.5])
  }

  @Test func theWholeObjectIsWritten() throws {
    let (_, error) = try conflict()
    try mine.graph.settle(error, by: .overwrite)
    _ = try mine.save()
    #expect(try stored("name", "age", "salary") == ["Mine", 30, 9.5])
  }

  @Test func theEditsAreDropped() throws {
    let (object, error) = try conflict()
    try mine.graph.settle(error, by: .rollback)
    #expect(!object.hasChanges)
    #expect(object.value(at: object.slot("name")) == "Theirs")
    #expect(try stored("name", "age", "salary") == ["Theirs", 31, .null])
  }

  @Test func withoutAPolicyTheConflictStays() throws {
    let (_, error) = try conflict()
    try mine.graph.settle(error, by: .error)
    #expect(throws: ConflictError.self) { try mine.save() }
  }

  @Test func aDeletedRowIsGoneWhereTheStoreWins() throws {
    let (object, other) = try both()
    theirs.graph.delete(other)
    _ = try theirs.save()
    object.setValue("Mine", at: object.slot("name"))
    let error = try #require(throws: ConflictError.self) { try mine.save() }
    #expect(error.conflicts.map(\.isDeleted) == [true])
    try mine.graph.settle(error, by: .storeTrump)
    _ = try mine.save()
    #expect(try GraphWorld(store).all("Employee").isEmpty)
  }

  @Test func aDeletedRowIsMadeAgainWhereTheObjectWins() throws {
    let (object, other) = try both()
    theirs.graph.delete(other)
    _ = try theirs.save()
    object.setValue("Mine", at: object.slot("name"))
    let error = try #require(throws: ConflictError.self) { try mine.save() }
    try mine.graph.settle(error, by: .objectTrump)
    _ = try mine.save()
    #expect(try stored("name", "age") == ["Mine", 30])
  }

  @Test func onePropertyIsChosen() throws {
    let (object, error) = try conflict()
    let conflict = try #require(error.conflicts.first)
    let row = store.rows(entity: object.entity.index, keys: [object.key]).first
    #expect(mine.graph.settle(conflict, stored: row, keeping: ["name"]))
    _ = try mine.save()
    #expect(try stored("name", "age", "salary") == ["Mine", 31, 9.5])
  }

  /// The choice was between values that are no longer true.
  @Test func aChoiceIsRefusedWhereTheStoreHasChangedAgain() throws {
    let (object, error) = try conflict()
    let other = try #require(try theirs.all("Employee").first)
    other.setValue("Later", at: other.slot("name"))
    _ = try theirs.save()
    let conflict = try #require(error.conflicts.first)
    let row = store.rows(entity: object.entity.index, keys: [object.key]).first
    #expect(!mine.graph.settle(conflict, stored: row, keeping: ["name"]))
    let next = try #require(throws: ConflictError.self) { try mine.save() }.conflicts
    #expect(next.first?.properties.map(\.theirs) == ["Later"])
    #expect(mine.graph.settle(try #require(next.first), stored: row, keeping: ["name"]))
    _ = try mine.save()
    #expect(try stored("name") == ["Mine"])
  }

  /// A conflict that the graph knows, from merging another's save, before the row goes.
  @Test func aRowThatGoesAfterTheConflictIsReportedAsGone() throws {
    let (object, other) = try both()
    object.setValue("Mine", at: object.slot("name"))
    other.setValue("Theirs", at: other.slot("name"))
    _ = try theirs.save()
    mine.graph.readAgain([(object, SlotSet(object.entity.slots))])
    let first = try #require(throws: ConflictError.self) { try mine.save() }.conflicts
    #expect(first.map(\.isDeleted) == [false])
    theirs.graph.delete(other)
    _ = try theirs.save()
    #expect(!mine.graph.settle(try #require(first.first), stored: nil, keeping: ["name"]))
    let second = try #require(throws: ConflictError.self) { try mine.save() }.conflicts
    #expect(second.map(\.isDeleted) == [true])
    #expect(mine.graph.settle(try #require(second.first), stored: nil, keeping: ["name"]))
    _ = try mine.save()
    #expect(try stored("name") == ["Mine"])
  }

  @Test func conflictsAreSaid() {
    func sentence(
      _ properties: [Conflict.Property] = [], isDeleted: Bool = false, isAnotherRow: Bool = false,
      wasToBeDeleted: Bool = false, mayBeElsewhere: Bool = false
    ) -> String {
      Conflict(
        entity: "A", key: 1, properties: properties, isDeleted: isDeleted,
        isAnotherRow: isAnotherRow, wasToBeDeleted: wasToBeDeleted, mayBeElsewhere: mayBeElsewhere
      ).description
    }
    let name = Conflict.Property(name: "p", original: 1, mine: 2, theirs: 3)
    #expect(sentence(isDeleted: true) == "A 1 was deleted by someone else.")
    #expect(
      sentence(isDeleted: true, wasToBeDeleted: true)
        == "A 1 could not be deleted: someone else has deleted or moved it.")
    #expect(
      sentence([name], isAnotherRow: true) == "A 1 is a different row now: p is now 3, was 1.")
    #expect(
      sentence([name], wasToBeDeleted: true)
        == "A 1 was to be deleted, but someone else has changed it: p is now 3, was 1.")
    #expect(
      sentence([name])
        == "A 1: p is now 3, was 1 when the edit began, and was to become 2.")
  }

  @Test func aMergeShowsWhatOthersSaved() throws {
    let (object, other) = try both()
    other.setValue("Theirs", at: other.slot("name"))
    mine.graph.merge(try theirs.save())
    #expect(object.value(at: object.slot("name")) == "Theirs")
    #expect(!object.hasChanges)
  }

  @Test func aMergeKeepsWhatIsStaged() throws {
    let (object, other) = try both()
    object.setValue("Mine", at: object.slot("name"))
    other.setValue(31, at: other.slot("age"))
    mine.graph.merge(try theirs.save())
    #expect(object.value(at: object.slot("name")) == "Mine")
    #expect(object.value(at: object.slot("age")) == 31)
  }

  @Test func aMergeTakesDeletedObjectsAway() throws {
    let (object, other) = try both()
    theirs.graph.delete(other)
    mine.graph.merge(try theirs.save())
    #expect(object.isGone)
    #expect(try mine.all("Employee").isEmpty)
  }

  @Test func aMergeBringsNewMembers() throws {
    let company = try mine.make("Company")
    _ = try mine.save()
    #expect(company.many("employees").isEmpty)
    let employee = try theirs.make("Employee")
    employee.set("company", try theirs.all("Company").first)
    mine.graph.merge(try theirs.save())
    #expect(company.many("employees").map(\.key) == [employee.key])
  }
}
