import DatastoreTestSupport

@testable import DatastoreCore

/// The expected content of a graph, by keys: relationships from one side each; the other side follows.
struct GraphModel: Equatable {
  var companies: Set<RowKey> = []
  var tasks: Set<RowKey> = []
  var desks: Set<RowKey> = []
  var tags: Set<RowKey> = []
  var contracts: [RowKey: RowKey?] = [:]
  /// By employee.
  var company: [RowKey: RowKey?] = [:]
  var work: [RowKey: [RowKey]] = [:]
  var manager: [RowKey: RowKey] = [:]
  var desk: [RowKey: RowKey] = [:]
  /// Employee and tag.
  var tagged: Set<[RowKey]> = []

  init() {}

  /// Reads the content of a graph from the sides that the operations do not write, if there are two.
  init(_ world: GraphWorld) throws {
    for employee in try world.all("Employee") {
      company[employee.key] = .some(employee.one("company")?.key)
      work[employee.key] = employee.many("tasks").map(\.key)
      manager[employee.key] = employee.one("manager")?.key
    }
    for desk in try world.all("Desk") {
      desks.insert(desk.key)
      if let employee = desk.one("employee") { self.desk[employee.key] = desk.key }
    }
    companies = Set(try world.all("Company").map(\.key))
    tasks = Set(try world.all("Task").map(\.key))
    for tag in try world.all("Tag") {
      tags.insert(tag.key)
      for employee in tag.many("employees") { tagged.insert([employee.key, tag.key]) }
    }
    for contract in try world.all("Contract") {
      contracts[contract.key] = .some(contract.one("company")?.key)
    }
  }

  /// The tasks leave their owners.
  mutating func take(_ taken: [RowKey]) {
    for (employee, list) in work { work[employee] = list.filter { !taken.contains($0) } }
  }

  /// Deletes an employee and, by the rule of the relationship, its tasks.
  mutating func delete(employee: RowKey) {
    tasks.subtract(work[employee] ?? [])
    company[employee] = nil
    work[employee] = nil
    desk[employee] = nil
    manager[employee] = nil
    manager = manager.filter { $0.value != employee }
    tagged = tagged.filter { $0[0] != employee }
  }

  /// Deletes a company and, by the rule of the relationship, its employees.
  mutating func delete(company key: RowKey) {
    for (employee, employer) in company where employer == key { delete(employee: employee) }
    companies.remove(key)
  }
}

/// One random operation on a graph and on its expected content.
extension GraphModel {
  mutating func operate(_ world: GraphWorld, _ random: inout SeededRandom) throws {
    let employees = try world.all("Employee")
    let companies = try world.all("Company")
    let all = try world.all("Task")
    guard let employee = employees.randomElement(using: &random),
      let employer = companies.randomElement(using: &random)
    else {
      company[try world.make("Employee").key] = .some(nil)
      self.companies.insert(try world.make("Company").key)
      work = company.mapValues { _ in [] }.merging(work) { $1 }
      return
    }
    let key = employee.key
    switch random.below(13) {
    case 0:
      let new = try world.make("Employee")
      company[new.key] = .some(nil)
      work[new.key] = []
    case 1: self.companies.insert(try world.make("Company").key)
    case 2: tasks.insert(try world.make("Task").key)
    case 3:
      let new = random.below(4) == 0 ? nil : employer
      employee.set("company", new)
      company[key] = .some(new?.key)
    case 4:
      let members = employees.filter { _ in random.below(3) == 0 }
      employer.set("employees", members)
      for (other, old) in company where old == employer.key { company[other] = .some(nil) }
      for member in members { company[member.key] = .some(employer.key) }
    case 5:
      let list = all.filter { _ in random.below(3) == 0 }.shuffled(using: &random)
      employee.set("tasks", list)
      take(list.map(\.key))
      work[key] = list.map(\.key)
    case 6:
      guard let task = all.randomElement(using: &random), task.one("owner") !== employee else {
        return
      }
      task.set("owner", employee)
      take([task.key])
      work[key]?.append(task.key)
    case 7:
      let boss = employees.randomElement(using: &random)
      employee.set("manager", boss)
      manager[key] = boss?.key
    case 8:
      delete(employee: key)
      world.graph.delete(employee)
    case 9:
      let isFree = !contracts.values.contains(employer.key)
      guard random.below(3) == 0, isFree else { return }
      delete(company: employer.key)
      world.graph.delete(employer)
    case 10: try tag(employee, world, &random)
    case 11: try seat(employee, world, &random)
    default:
      let contract = try world.make("Contract")
      contract.set("company", employer)
      contracts[contract.key] = .some(employer.key)
    }
  }

  private mutating func tag(
    _ employee: ManagedObject, _ world: GraphWorld, _ random: inout SeededRandom
  ) throws {
    let known = try world.all("Tag").randomElement(using: &random)
    let tag = try random.below(2) == 0 ? known ?? world.make("Tag") : world.make("Tag")
    tags.insert(tag.key)
    if tagged.remove([employee.key, tag.key]) != nil {
      employee.removeRelated(tag, at: employee.slot("tags"))
    } else {
      tag.addRelated(employee, at: tag.slot("employees"))
      tagged.insert([employee.key, tag.key])
    }
  }

  /// Gives an employee a desk, from either side; both leave their former partners.
  private mutating func seat(
    _ employee: ManagedObject, _ world: GraphWorld, _ random: inout SeededRandom
  ) throws {
    let known = try world.all("Desk").randomElement(using: &random)
    let place = try random.below(2) == 0 ? known ?? world.make("Desk") : world.make("Desk")
    desks.insert(place.key)
    if random.below(2) == 0 { employee.set("desk", place) } else { place.set("employee", employee) }
    desk = desk.filter { $0.value != place.key }
    desk[employee.key] = place.key
  }
}
