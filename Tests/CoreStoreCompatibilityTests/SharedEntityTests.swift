import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// An entity in several storages. The line of a block is that of its first fence in CoreStore's document.
@MainActor
@Suite struct SharedEntityTests {
  private let folder: TemporaryDirectory
  private let dataStack = DataStack(
    CoreStoreSchema(
      modelVersion: "V1",
      entityConfigurations: [
        Entity<V1.Draft>("Draft"): ["Config1"],
        Entity<V1.Person>("Person"): ["Config1", "Config2"],
      ]))

  init() throws {
    folder = try TemporaryDirectory()
    try dataStack.addStorageAndWait(SQLiteStore(fileURL: folder.file("all.sqlite")))
    try dataStack.addStorageAndWait(
      SQLiteStore(fileURL: folder.file("one.sqlite"), configuration: "Config1"))
    try dataStack.addStorageAndWait(InMemoryStore(configuration: "Config2"))
    try dataStack.perform(synchronous: { transaction in
      for (age, into) in [
        Into<V1.Person>(nil), Into<V1.Person>("Config1"), Into(V1.Person.self, "Config2"),
      ].enumerated() {
        let person = try transaction.create(into)
        (person.name, person.age) = ("person \(age)", age)
      }
    })
  }

  @Test("CoreStore.md:785, 789: `Into` names the storage, and fails where the class is not there")
  func creating() throws {
    #expect(
      try SQLiteCommand.run("SELECT name FROM Person", on: folder.file("all.sqlite")) == "person 0")
    #expect(
      try SQLiteCommand.run("SELECT name FROM Person", on: folder.file("one.sqlite")) == "person 1")
    #expect(throws: (any Error).self) {
      try dataStack.perform(synchronous: { _ = try $0.create(Into<V1.Person>()) })
    }
    #expect(throws: (any Error).self) {
      try dataStack.perform(synchronous: { _ = try $0.create(Into<V1.Draft>("Config2")) })
    }
    #expect(throws: (any Error).self) {
      try dataStack.perform(synchronous: { _ = try $0.create(Into<V1.Person>("Config3")) })
    }
    #expect(try dataStack.fetchCount(From<V1.Person>()) == 3)
  }

  @Test("CoreStore.md:1149, 1153: every form of `From` with configurations")
  func fetching() throws {
    typealias P = V1.Person
    let table: [(From<P>, [Int])] = [
      (From<P>(), [0, 1, 2]),
      (From<P>(nil), [0]),
      (From<P>("Config1"), [1]),
      (From<P>("Config1", nil), [0, 1]),
      (From<P>(nil, "Config2"), [0, 2]),
      (From<P>(["Config1", "Config2"]), [1, 2]),
      (From(P.self, "Config2"), [2]),
      (From(P.self, nil, "Config1"), [0, 1]),
      (From<P>("Config1").where(\.$age == 0), []),
      (From<P>(nil, "Config1", "Config2").where(\.$age > 0), [1, 2]),
    ]
    for (query, ages) in table {
      #expect(try dataStack.fetchAll(query.orderBy(.ascending(\.$age))).map(\.age) == ages)
      #expect(try dataStack.fetchCount(query) == ages.count)
      #expect(
        try dataStack.fetchOne(query.orderBy(.descending(\.$age)))?.age == ages.last, "\(ages)")
      #expect(
        try dataStack.queryValue(query, Select<Int>(.sum("age"))) ?? 0 == ages.reduce(0, +))
    }
    #expect(throws: (any Error).self) { try dataStack.fetchAll(From<P>("Config3")) }
    #expect(throws: (any Error).self) { try dataStack.fetchAll(From<V1.Draft>("Config2")) }
  }

  @Test("A monitor follows the storages that it names, deleting and importing reach them")
  func monitoring() throws {
    let all = try dataStack.monitorList(From<V1.Person>().orderBy(.descending(\.$age)))
    let some = try dataStack.monitorList(
      From<V1.Person>("Config1", nil).orderBy(.ascending(\.$age)))
    #expect(all.numberOfObjects() == 3 && some.numberOfObjects() == 2)
    try dataStack.perform(synchronous: { transaction in
      let person = try transaction.create(Into<V1.Person>("Config2"))
      person.age = 9
      _ = try transaction.deleteAll(From<V1.Person>("Config1"))
    })
    #expect(all.objectsInAllSections().map(\.age) == [9, 2, 0])
    #expect(some.objectsInAllSections().map(\.age) == [0])
  }
}
