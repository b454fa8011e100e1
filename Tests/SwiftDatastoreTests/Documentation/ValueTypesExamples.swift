import SwiftDatastore
import Testing

// The code of ValueTypes.md, to the letter.

extension ModelsArticle {
  struct Assignment: DatastoreValue, Codable {
    typealias Object = Job
    var title: String
    var isDone = false
  }

  struct StaffMember: DatastoreValue, Codable {
    typealias Object = Employee
    var name: String
    var phone: String?
    var jobs: [Assignment] = []
  }

  struct Contact: IdentifiedDatastoreValue, Codable {
    typealias Object = Employee
    enum CodingKeys: String, CodingKey { case name, phone }
    var objectID: DatastoreObjectID?
    var name: String
    var phone: String?
  }

  struct Supplier: KeyedDatastoreValue, Codable {
    typealias Object = Company
    typealias KeyProperty = Attribute.NotOptional<String>.Property
    static var keyProperty: any KeyPath<Company, KeyProperty> & Sendable { \.$name }
    var key: String { name }
    var name: String
  }

  struct Earner: DatastoreValue {
    var name: String
    var salary: Double

    init(_ object: Employee) {
      name = object.name
      salary = object.salary
    }

    func assign(to object: Employee, in context: any ObjectContext) {
      object.name = name
      object.salary = salary
    }
  }

  @MainActor
  @Suite struct ValueTypesExamples {
    @Test func aStructForAnEntity() async throws {
      let datastore = try await makeStore()
      let context = datastore.sharedViewContext

      var person = StaffMember(name: "Kim", jobs: [Assignment(title: "Paint")])
      try context.save(&person)
      let people = try context.fetch(StaffMember.self, where: \.$name == "Kim")
      #expect(people.map(\.jobs.count) == [1])

      var contact = Contact(name: "Kim")
      try context.save(&contact)
      #expect(contact.objectID != nil)
      let earners = try context.fetch(Earner.self, where: \.$name == "Kim")
      #expect(earners.map(\.salary) == [0, 0])
    }

    @Test func keys() async throws {
      let datastore = try await makeStore()
      let context = datastore.sharedViewContext

      var suppliers = [Supplier(name: "Acme"), Supplier(name: "Bolt")]
      try context.saveAll(&suppliers)
      try context.delete(suppliers[1])
      #expect(try context.fetchFirst(Supplier.self, where: \.$name == "Bolt") == nil)
    }
  }
}
