import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import Testing

// The code of CoreStoreCompatibility.md, to the letter.

@MainActor
@Suite struct CoreStoreCompatibilityExamples {
  class Animal: CoreStoreObject {
    @Field.Stored("age") var age: Int = 0
  }

  final class Dog: Animal {
    @Field.Relationship("owner", inverse: \.$dogs) var owner: Person?
  }

  final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("city") var city: String = ""
    @Field.Stored("age") var age: Int = 40
    @Field.Relationship("dogs") var dogs: Set<Dog>
  }

  final class Observer: ListObserver {
    var count = 0

    func listMonitorDidChange(_ monitor: ListMonitor<Person>) { count = monitor.snapshot.count }
    func listMonitorDidRefetch(_ monitor: ListMonitor<Person>) { count = monitor.snapshot.count }
  }

  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
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
    let url = folder.file("MyStore.sqlite")

    let dataStack = DataStack(schema)
    try dataStack.addStorageAndWait(SQLiteStore(fileURL: url))

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
    let people = try dataStack.fetchAll(
      From<Person>().where(\.$age > 30).orderBy(.ascending(\.$name)))
    let maxAge = try dataStack.queryValue(
      From<Person>().select(Int.self, .maximum(\.$age)))
    let ages = try dataStack.queryAttributes(
      From<Person>()
        .select(.attribute(\.$age), .count(\.$age, as: "count"))
        .groupBy(\.$age))
    let oldest = try dataStack.fetchAll(
      From<Person>(),
      Where<Person>("%K > %d", "age", 30),
      OrderBy<Person>(.descending("age"), .ascending("name")))
    #expect(oldest == people)
    let observer = Observer()
    let monitor = try dataStack.monitorList(
      From<Person>().where(\.$age > 30).orderBy(.ascending(\.$name)))
    monitor.addObserver(observer)
    await withCheckedContinuation { continuation in
      dataStack.perform(
        asynchronous: { try $0.create(Into<Person>()).age = 50 },
        completion: { _ in continuation.resume() })
    }
    #expect(observer.count == 2)
    let count = try await dataStack.async.perform { transaction in
      try transaction.fetchCount(From<Person>())
    }
    #expect(count == 2)
    #expect(people.map(\.name) == ["John Smith"])
    #expect(maxAge == 40)
    #expect(ages.map { $0["count"] as? Int } == [1])
    try dataStack.datastore.close()
    let other = DataStack(schema)
    try inTheBackground(other, url)
    // Storages are added one after the other.
    try other.addStorageAndWait(SQLiteStore(fileURL: url))
    #expect(try other.fetchCount(From<Person>()) == 2)
  }

  private func inTheBackground(_ dataStack: DataStack, _ url: URL) throws {
    let migrationProgress = dataStack.addStorage(
      SQLiteStore(fileURL: url),
      completion: { result in
        switch result {
        case .success(let storage): print("added \(storage.fileURL.path)")
        case .failure(let error): print(error)
        }
      })
    #expect(migrationProgress == nil)
  }
}
