import Testing

@testable import DatastoreCore

/// Both sides of a relationship say the same at once.
@Suite struct RelationshipRuleTests {
  private let world = GraphWorld()

  @Test func theOtherSideFollowsAToOne() throws {
    let (employee, company) = try (world.make("Employee"), world.make("Company"))
    employee.set("company", company)
    #expect(company.many("employees").map(\.key) == [employee.key])
  }

  @Test func theOtherSideFollowsAToMany() throws {
    let (employee, company) = try (world.make("Employee"), world.make("Company"))
    company.set("employees", [employee])
    #expect(employee.one("company") === company)
  }

  @Test func anObjectLeavesItsFormerOwner() throws {
    let employee = try world.make("Employee")
    let (first, second) = try (world.make("Company"), world.make("Company"))
    employee.set("company", first)
    employee.set("company", second)
    #expect(first.many("employees").isEmpty)
    #expect(second.many("employees").count == 1)
  }

  @Test func aMemberIsTakenFromItsFormerOwner() throws {
    let employee = try world.make("Employee")
    let (first, second) = try (world.make("Company"), world.make("Company"))
    first.set("employees", [employee])
    second.set("employees", [employee])
    #expect(first.many("employees").isEmpty)
    #expect(employee.one("company") === second)
  }

  @Test func whoIsNotInTheListLeaves() throws {
    let (a, b) = try (world.make("Employee"), world.make("Employee"))
    let company = try world.make("Company")
    company.set("employees", [a, b])
    company.set("employees", [b])
    #expect(a.one("company") == nil)
    #expect(company.many("employees").map(\.key) == [b.key])
  }

  @Test func anObjectIsAMemberOnce() throws {
    let (employee, company) = try (world.make("Employee"), world.make("Company"))
    company.set("employees", [employee, employee])
    company.addRelated(employee, at: company.slot("employees"))
    #expect(company.many("employees").count == 1)
  }

  @Test func oneToOneHasOneOnEachSide() throws {
    let (a, b) = try (world.make("Employee"), world.make("Employee"))
    let desk = try world.make("Desk")
    a.set("desk", desk)
    b.set("desk", desk)
    #expect(a.one("desk") == nil)
    #expect(desk.one("employee") === b)
  }

  @Test func manyToManyIsSeenFromBothSides() throws {
    let (a, b) = try (world.make("Employee"), world.make("Employee"))
    let (red, blue) = try (world.make("Tag"), world.make("Tag"))
    a.set("tags", [red, blue])
    b.set("tags", [red])
    #expect(red.many("employees").map(\.key) == [a.key, b.key])
    #expect(blue.many("employees").map(\.key) == [a.key])
  }

  @Test func aPairIsTakenOutFromEitherSide() throws {
    let (employee, tag) = try (world.make("Employee"), world.make("Tag"))
    employee.set("tags", [tag])
    _ = try world.save()
    tag.removeRelated(employee, at: tag.slot("employees"))
    #expect(employee.many("tags").isEmpty)
    _ = try world.save()
    #expect(
      world.store.relatedKeys(
        entity: employee.entity.index, slot: employee.slot("tags"), key: employee.key) == [])
  }

  @Test func anOrderedRelationshipKeepsTheOrder() throws {
    let employee = try world.make("Employee")
    let tasks = try (0..<3).map { _ in try world.make("Task") }
    employee.set("tasks", [tasks[2], tasks[0], tasks[1]])
    _ = try world.save()
    let reader = GraphWorld(world.store)
    #expect(
      try reader.all("Employee").first?.many("tasks").map(\.key) == [
        tasks[2].key, tasks[0].key, tasks[1].key,
      ])
  }

  @Test func anOrderIsChangedWithoutItsMembers() throws {
    let employee = try world.make("Employee")
    let (a, b) = try (world.make("Task"), world.make("Task"))
    employee.set("tasks", [a, b])
    _ = try world.save()
    employee.set("tasks", [b, a])
    let changes = try world.graph.prepareSave().changes
    #expect(changes.orders.map(\.members) == [[b.key, a.key]])
    #expect(changes.entities.allSatisfy { $0.updated.isEmpty && $0.inserted.isEmpty })
  }

  @Test func whoComesToAnOrderIsLast() throws {
    let employee = try world.make("Employee")
    let (a, b) = try (world.make("Task"), world.make("Task"))
    a.set("owner", employee)
    b.set("owner", employee)
    #expect(employee.many("tasks").map(\.key) == [a.key, b.key])
  }

  @Test func anObjectMayBeItsOwnManager() throws {
    let employee = try world.make("Employee")
    employee.set("manager", employee)
    #expect(employee.many("reports").map(\.key) == [employee.key])
    _ = try world.save()
    #expect(world.graph.brokenInvariants() == [])
  }

  @Test func cyclesAreSaved() throws {
    let (a, b) = try (world.make("Employee"), world.make("Employee"))
    a.set("manager", b)
    b.set("manager", a)
    _ = try world.save()
    let reader = GraphWorld(world.store)
    #expect(try reader.all("Employee").map { $0.one("manager")?.key } == [b.key, a.key])
  }

  @Test func membersOfADeletedOwnerLeave() throws {
    let (employee, task) = try (world.make("Employee"), world.make("Task"))
    let tag = try world.make("Tag")
    task.set("owner", employee)
    employee.set("tags", [tag])
    _ = try world.save()
    world.graph.delete(employee)
    #expect(task.isDeleted)
    #expect(!tag.isDeleted && tag.many("employees").isEmpty)
  }

  @Test func cascadesContinue() throws {
    let (company, employee, task) = try (
      world.make("Company"), world.make("Employee"), world.make("Task")
    )
    employee.set("company", company)
    task.set("owner", employee)
    _ = try world.save()
    world.graph.delete(company)
    #expect(employee.isDeleted && task.isDeleted)
    _ = try world.save()
    #expect(try GraphWorld(world.store).contents() == [])
  }

  @Test func aDeniedDeletionSavesNothing() throws {
    let (company, contract) = try (world.make("Company"), world.make("Contract"))
    contract.set("company", company)
    _ = try world.save()
    world.graph.delete(company)
    let error = try #require(throws: ValidationError.self) { try world.save() }
    #expect(error.faults.map(\.reason) == [.deletionDenied(related: 1)])
    #expect(world.store.count(FetchRequest(entity: "Company")) == 1)
  }

  @Test func aDeletionIsNoLongerDeniedWithoutItsReason() throws {
    let (company, contract) = try (world.make("Company"), world.make("Contract"))
    contract.set("company", company)
    _ = try world.save()
    world.graph.delete(company)
    world.graph.delete(contract)
    _ = try world.save()
    #expect(world.store.count(FetchRequest(entity: "Company")) == 0)
  }

  @Test func theNumberOfStagedMembersIsKnown() throws {
    let company = try world.make("Company")
    let employees = try (0..<3).map { _ in try world.make("Employee") }
    company.set("employees", Array(employees[..<2]))
    _ = try world.save()
    let slot = company.slot("employees")
    #expect(company.stagedMemberCount(at: slot) == 0)
    company.addRelated(employees[2], at: slot)
    #expect(company.stagedMemberCount(at: slot) == 1)
    company.removeRelated(employees[0], at: slot)
    #expect(company.stagedMemberCount(at: slot) == 0)
  }

  @Test func onlyTheSideWithTheColumnIsWritten() throws {
    let (employee, company) = try (world.make("Employee"), world.make("Company"))
    _ = try world.save()
    company.set("employees", [employee])
    let changes = try world.graph.prepareSave().changes
    #expect(changes.links.isEmpty)
    #expect(changes.entities.map(\.entity) == [employee.entity.index])
    #expect(changes.entities.first?.updated.map { Array($0.slots) } == [[employee.slot("company")]])
  }

  @Test func membershipIsAsked() throws {
    let (a, b) = try (world.make("Employee"), world.make("Employee"))
    let company = try world.make("Company")
    a.set("company", company)
    #expect(company.isRelated(to: a, at: company.slot("employees")))
    #expect(!company.isRelated(to: b, at: company.slot("employees")))
  }
}
