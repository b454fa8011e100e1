import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// The statements of an update of many rows, their order, and the changes that it reports.
@Suite("Updates of many rows")
struct BatchUpdateTests {
  private let database = RecordedBatch()

  private func entity(_ name: String) throws -> Entity {
    try #require(CompanySchema.schema.entity(named: name))
  }

  private func update(
    _ name: String, where condition: String? = nil, _ values: [(String, Value)]
  ) throws -> (MergedKeys, count: Int) {
    let entity = try entity(name)
    return try database.update(
      entity.index,
      where: try condition.map {
        try Predicate.parse($0, entity: entity, in: CompanySchema.schema)
      },
      assigning: try values.map { (try #require(entity.slot(named: $0.0)), $0.1) })
  }

  @Test func withoutAssignmentsNothingIsAsked() throws {
    let (changed, count) = try update("Employee", [])
    #expect(database.said == [])
    #expect(count == 0)
    #expect(changed.updated.isEmpty)
  }

  @Test func allRows() throws {
    database.found = [[1, 2]]
    let (changed, count) = try update("Employee", [("age", 30)])
    #expect(database.said == ["UPDATE Employee SET age = 30"])
    #expect(count == 2)
    let slot = try #require(try entity("Employee").slot(named: "age"))
    #expect(
      changed.updated[try entity("Employee").index]
        == [1: SlotSet([slot]), 2: SlotSet([slot])])
  }

  @Test func someRows() throws {
    _ = try update("Employee", where: "age == NULL", [("age", 30), ("name", .null)])
    #expect(
      database.said == [
        "UPDATE Employee SET age = 30, name = NULL WHERE \"t0\".\"age\" IS NULL"
      ])
  }

  @Test func aRowThatIsUpdatedToWhatItIsCounts() throws {
    database.found = [[4]]
    #expect(try update("Tag", where: "label == NULL", [("label", .null)]).count == 1)
  }

  /// Companies that lose an employee, and the one that gains it, have other members.
  @Test func theOtherSidesOfARelationshipChange() throws {
    database.found = [[7, 8], [1]]
    let (changed, _) = try update("Employee", where: "age == NULL", [("company", .key(9))])
    #expect(
      database.said == [
        "SELECT DISTINCT \"t0\".\"company\" FROM \"Employee\" AS \"t0\" WHERE \"t0\".\"age\" IS NULL",
        "UPDATE Employee SET company = 9 WHERE \"t0\".\"age\" IS NULL",
      ])
    let companies = try #require(changed.updated[try entity("Company").index])
    #expect(companies.keys.sorted() == [7, 8, 9])
  }

  @Test func leavingARelationshipChangesOnlyTheFormerSides() throws {
    database.found = [[7], [1]]
    let (changed, _) = try update("Employee", [("company", .null)])
    let companies = try #require(changed.updated[try entity("Company").index])
    #expect(companies.keys.sorted() == [7])
  }

  /// Their place among the former members means nothing among the new ones.
  @Test func thoseThatComeIntoAnOrderComeLast() throws {
    _ = try update("Task", [("owner", .key(2))])
    #expect(database.said.last == "UPDATE Task SET owner = 2, _order_tasks = NULL")
  }

  @Test func toManyRelationshipsAreNotAssigned() {
    let error = #expect(throws: StoreError.self) { try update("Employee", [("tasks", .null)]) }
    #expect(
      error?.description.contains(
        "“tasks” leads to many objects; assign the other side of the relationship.") == true)
    #expect(database.said == [])
  }
}
