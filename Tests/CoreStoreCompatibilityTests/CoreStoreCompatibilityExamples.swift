import CoreStoreCompatibility
import Testing

// The code of CoreStoreCompatibility.md, to the letter.

@MainActor
@Suite struct CoreStoreCompatibilityExamples {
  class Animal: CoreStoreObject {
    @Attribute.NotOptional var age: Int = 0
  }

  final class Dog: Animal {
    @Relationship.ToOne(inverse: \.$dogs) var owner: Person?
  }

  final class Person: CoreStoreObject {
    @Attribute.NotOptional var name: String = ""
    @Attribute.NotOptional var city: String = ""
    @Attribute.NotOptional var age: Int = 40
    @Relationship.ToMany var dogs: Set<Dog>
  }

  @Test func aModelAndATransaction() async throws {
    let schema = CoreStoreSchema(
      modelVersion: "V1",
      entities: [
        Entity<Animal>("Animal", isAbstract: true),
        Entity<Dog>("Dog", indexes: [[\.$owner, \.$age]]),
        Entity<Person>("Person", uniqueConstraints: [[\.$name, \.$city]]),
      ])
    #expect(schema.schema.entities.map(\.name) == ["Animal", "Dog", "Person"])
    let dataStack = try SwiftDatastore(inMemory: schema)

    dataStack.perform(
      asynchronous: { transaction in
        let person = try transaction.create(Into<Person>())
        person.name = "John Smith"
      },
      completion: { result in
        if case .failure(let error) = result { print(error) }
      })
    await withCheckedContinuation { continuation in
      dataStack.perform(asynchronous: { _ in }, completion: { _ in continuation.resume() })
    }
    let people = try dataStack.sharedViewContext.fetchAll(
      From<Person>().where(\.$age > 30).orderBy(.ascending(\.$name)))
    #expect(people.map(\.name) == ["John Smith"])
  }
}
