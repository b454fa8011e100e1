import DatastoreCore
import SwiftDatastore
import Testing

@Suite struct ModelTests {
  @Test func wrappersBecomeProperties() throws {
    let schema = try TestModel.make().schema
    let employee = try #require(schema.entity(named: "Employee"))
    #expect(
      employee.properties.map(\.name) == [
        "id", "name", "salary", "age", "phone", "hiredAt", "position", "company", "tasks", "desk",
        "manager", "reports",
      ])
    #expect(employee.properties[0].attribute?.type == .uuid)
    #expect(employee.properties[1].attribute?.isIndexed == true)
    #expect(employee.properties[2].attribute?.defaultValue == 0.0)
    #expect(employee.properties[4].attribute?.isOptional == true)
    #expect(employee.properties[6].attribute?.type == .integer16)
    let tasks = try #require(employee.properties[8].relationship)
    #expect(tasks.kind == .orderedToMany)
    #expect(tasks.deleteRule == .cascade)
    #expect(tasks.inverse == "owner", "declared on the other side")
  }

  @Test func aModelWithoutADestinationSaysSo() {
    #expect {
      try SwiftDatastoreModel(from: Job.self)
    } throws: { error in
      "\(error)".contains("Job.owner leads to Employee, which is not part of the model")
    }
  }

  @Test func aModelListsAllItsFaults() throws {
    let error = #expect(throws: SchemaError.self) {
      try SwiftDatastoreModel(from: Company.self, Company.self)
    }
    let sentences = try #require(error).faults.map(\.description)
    #expect(sentences.contains { $0.contains("“Company” is declared twice") })
    #expect(sentences.contains { $0.contains("leads to Employee") })
    #expect(sentences.contains { $0.contains("leads to Tag") })
  }

  @Test func theSlotOfAnInheritedClassIsItsOwn() async throws {
    let model = try SwiftDatastoreModel(from: Animal.self, Dog.self)
    let datastore = try SwiftDatastore(inMemory: model)
    try await datastore.newContext().perform { context in
      let dog: Dog = try context.createObject()
      dog.breed = "Pug"
      dog.name = "Rex"
      try context.saveChanges()
      let found: Dog? = try context.fetchFirst(where: \.$name == "Rex" && \.$breed == "Pug")
      #expect(found === dog)
    }
  }
}

private class Animal: DatastoreObject {
  @Attribute.NotOptional var name: String
}

private final class Dog: Animal {
  @Attribute.NotOptional var breed: String
}
