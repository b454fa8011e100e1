import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

#if PostgreSQL
import SwiftDatastorePostgreSQL
#endif

// The code of Documentation/Library.md and README.md, to the letter; `DocumentationTests` sees to that.

enum Seniority: Int16 { case junior, senior, lead }

final class Team: DatastoreObject {
  @Attribute.NotOptional(unique: true) var name: String
  @Relationship.ToMany(deleteRule: .cascade) var members: Set<Member>
}

final class Member: DatastoreObject {
  @Attribute.NotOptional(initial: { UUID() }) var id: UUID
  @Attribute.NotOptional(indexed: true) var name: String
  @Attribute.NotOptional var salary: Double = 0
  @Attribute.Optional var phone: String?
  @Attribute.Enum var seniority: Seniority?
  @Relationship.ToOne(inverse: \.$members) var team: Team?
}

enum Version1 {
  final class Contact: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.Optional var tel: String?
  }
}

enum Version2 {
  final class Contact: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.Optional(renamedFrom: "tel") var phone: String?
    @Attribute.NotOptional var visits: Int = 0
  }
}

/// Where the objects are kept does not appear in it.
@MainActor
func hire(in datastore: SwiftDatastore) async throws -> [String] {
  try await datastore.write { context in
    let team: Team = try context.createObject()
    team.name = "Engine"
    for (name, salary) in [("Tom", 4000.0), ("Åsa", 4100), ("Tamiko", 5200)] {
      let member: Member = try context.createObject()
      (member.name, member.salary, member.team) = (name, salary, team)
    }
  }
  let best: [Member] = try datastore.sharedViewContext.fetch(
    where: \.$team ~ \.$name == "Engine" && \.$salary > 4000, orderBy: [.desc(\.$salary)])
  return best.map(\.name)
}

@MainActor
@Suite struct LibraryExamples {
  @Test("A store of an older model is opened with the next one")
  func aModelIsChanged() async throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("contacts.sqlite")
    let first = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Version1.Contact.self), url: url)
    try await first.write { context in
      let contact: Version1.Contact = try context.createObject()
      contact.name = "Ann"
      contact.tel = "555"
    }
    try first.close()

    let model = try SwiftDatastoreModel(from: Version2.Contact.self)
    let forecast = try SwiftDatastore.requiredMigrations(of: url, dataModel: model)
    print(forecast.kind, forecast.losses, forecast.obstacles)
    #expect(forecast.losses.isEmpty && forecast.obstacles.isEmpty)
    let datastore = try await SwiftDatastore.open(dataModel: model, url: url)
    let contacts: [Version2.Contact] = try datastore.sharedViewContext.fetch()
    #expect(contacts.map(\.phone) == ["555"])
    #expect(contacts.map(\.visits) == [0])
    withExtendedLifetime(folder) {}
  }

  #if PostgreSQL
  @Test func aFileOrAServer() async throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("teams.sqlite")
    let psql = try PostgreSQLServer.shared()
    let database = try psql.makeDatabase()
    let address = psql.address(of: database)
    let model = try SwiftDatastoreModel(from: Team.self, Member.self)
    let file = try SwiftDatastore(dataModel: model, url: url)
    let server = try SwiftDatastore(dataModel: model, postgreSQL: address, storeName: "teams")
    print(try await hire(in: file) == hire(in: server))  // true
    for datastore in [file, server] {
      let best: [Member] = try datastore.sharedViewContext.fetch(
        where: \.$salary > 4000, orderBy: [.desc(\.$salary)])
      #expect(best.map(\.name) == ["Tamiko", "Åsa"])
    }
    let names = try psql.psql(database, #"SELECT name FROM teams."Member" WHERE team IS NOT NULL"#)
    #expect(Set(names.split(separator: "\n")) == ["Tom", "Åsa", "Tamiko"])
    try file.close()
    try server.close()
  }
  #endif

  @Test func theTourWorks() async throws {
    let model = try SwiftDatastoreModel(from: Team.self, Member.self)
    let datastore = try SwiftDatastore(dataModel: model, storeName: "teams", storingType: .test)

    try await datastore.write { context in
      let team: Team = try context.createObject()
      team.name = "Engine"
      for name in ["Tom", "Tamiko", "Åsa"] {
        let member: Member = try context.createObject()
        member.name = name
        member.salary = 4000
        member.team = team  // team.members follows
      }
    }

    let context = datastore.newContext()
    let wellPaid = try await context.perform { context in
      let members: [Member] = try context.fetch(
        where: \.$salary >= 4000 && (\.$name ^= "T"), orderBy: [.asc(\.$name)], limit: 10)
      for member in members { member.seniority = .senior }
      try context.saveChanges()
      return members.map(\.name)
    }
    #expect(wellPaid == ["Tamiko", "Tom"])

    do {
      let view = datastore.sharedViewContext
      let best: Member? = try view.fetchFirst(
        where: \.$team ~ \.$name == "Engine", orderBy: [.desc(\.$salary)])
      best?.phone = "555"
      print(try view.count(Member.self, where: \.$seniority == .senior), view.hasChanges)  // 2 true
      view.revertChanges()
      #expect(best != nil && !view.hasChanges)
      #expect(try view.count(Member.self, where: \.$seniority == .senior) == 2)

      let paid = From<Member>().where(\.$salary > 0).orderBy(.desc(\.$salary))
      let seniors = try view.fetch(paid.where(\.$seniority == .senior).limit(10))
      for (name, salary) in try view.rows(paid.select(\.$name, \.$salary)) { print(name, salary) }
      print(paid)  // FROM Member WHERE salary > 0.0 ORDER BY salary desc
      #expect(seniors.count == 2)
      #expect("\(paid)" == "FROM Member WHERE salary > 0.0 ORDER BY salary desc")
    }

    let controller = FetchedObjectsController<Member>(
      viewContext: datastore.sharedViewContext, where: \.$salary > 0,
      orderBy: [.asc(\.$name)], groupBy: \.$seniority)
    controller.observeChanges { change in
      switch change {
      case .inserted(let member, let path): print("new:", member.name, path)
      case .updated(let member, let path): print("changed:", member.name, path)
      case .deleted(let path): print("gone:", path)
      case .moved(let member, let from, let to): print("moved:", member.name, from, to)
      }
    }
    try await controller.performFetch()
    #expect(controller.numberOfSections == 2)

    if let first = controller.getObject(at: IndexPath(row: 0, section: 0)) {
      first.$salary.observe { salary in print("now earns", salary) }
      first.salary += 100
    }
    #expect(controller.getObject(at: IndexPath(row: 0, section: 0))?.salary == 4100)

    do {
      try await datastore.write { context in
        let member: Member = try context.createObject()
        member.salary = 5000
      }
    } catch let error as ValidationError {
      print(error)  // lists every object and property that is not valid
    } catch let error as ConflictError {
      print(error)  // someone else has changed the same property meanwhile
    }
    #expect(try datastore.sharedViewContext.count(Member.self) == 3)

    let url = try #require(datastore.url)
    let file = try SwiftDatastore(opening: url, readOnly: true)
    let view = file.sharedViewContext
    let rows: [DynamicObject] = try view.fetch(FetchRequest(entity: "Member", limit: 5))
    for row in rows { print(row["name"], row.object("team")?["name"] ?? "no team") }
    #expect(rows.count == 3)
    #expect(rows.first?.object("team")?["name"] == "Engine")
  }
}
