import CoreStoreCompatibility
import Foundation
import Testing

private enum Errors: Error { case invalidNameError }

// CoreStore.md:969, 972, 975, 990, 1008, 1032
private final class Visitor: CoreStoreObject, ImportableObject {
  typealias ImportSource = [String: Any]

  @Field.Stored("name") var name: String?
  @Field.Stored("age") var age: Int?

  static func shouldInsert(from source: ImportSource, in transaction: BaseDataTransaction) -> Bool {
    source["skip"] == nil
  }

  func didInsert(from source: ImportSource, in transaction: BaseDataTransaction) throws {
    self.name = source["name"] as? String
    self.age = source["age"] as? Int
    // ...
    if self.name == nil {
      throw Errors.invalidNameError
    }
  }
}

private final class Note: CoreStoreObject, ImportableObject {
  typealias ImportSource = NSDictionary

  @Field.Stored("text") var text: String = ""

  func didInsert(from source: ImportSource, in transaction: BaseDataTransaction) throws {
    text = source["text"] as? String ?? ""
  }
}

private final class Picture: CoreStoreObject, ImportableObject {
  typealias ImportSource = NSData

  @Field.Stored("bytes") var bytes: Data = Data()

  func didInsert(from source: ImportSource, in transaction: BaseDataTransaction) throws {
    bytes = Data(referencing: source)
  }
}

// CoreStore.md:1083
private final class Customer: CoreStoreObject, ImportableUniqueObject {
  typealias ImportSource = [String: Any]

  @Field.Stored("personID") var personID: Int = 0
  @Field.Stored("name") var name: String = ""
  @Field.Stored("updates") var updates: Int = 0

  class var uniqueIDKeyPath: UniqueIDKeyPath<Int> {
    UniqueIDKeyPath(\Customer.$personID)
  }

  var uniqueIDValue: Int {
    get { self.personID }
    set { self.personID = newValue }
  }

  class func uniqueID(from source: ImportSource, in transaction: BaseDataTransaction) throws -> Int?
  {
    source["id"] as? Int
  }

  static func shouldUpdate(from source: ImportSource, in transaction: BaseDataTransaction) -> Bool {
    source["frozen"] == nil
  }

  func update(from source: ImportSource, in transaction: BaseDataTransaction) throws {
    guard let name = source["name"] as? String else { throw Errors.invalidNameError }
    self.name = name
    updates += 1
  }
}

/// The chapter on importing of CoreStore's document. The line of a block is that of its first fence.
@MainActor
@Suite struct ImportTests {
  private let dataStack = DataStack(
    CoreStoreSchema(
      modelVersion: "V1",
      entities: [
        Entity<Visitor>("Visitor"), Entity<Note>("Note"), Entity<Picture>("Picture"),
        Entity<Customer>("Customer"),
      ]))

  init() throws {
    try dataStack.addStorageAndWait(InMemoryStore())
  }

  private func result(
    _ task: @escaping @Sendable (AsynchronousDataTransaction) throws -> Void
  ) async -> Result<Void, CoreStoreError> {
    await withCheckedContinuation { continuation in
      dataStack.perform(
        asynchronous: task, completion: { result in continuation.resume(returning: result) })
    }
  }

  @Test("CoreStore.md:945, 952, 994: an object of a dictionary")
  func object() async throws {
    let imported = await result { transaction in
      let json: [String: Any] = ["name": "Ann", "age": 30]
      try transaction.importObject(
        Into<Visitor>(),
        source: json
      )
      #expect(try transaction.importObject(Into<Visitor>(), source: ["skip": true]) == nil)
      try transaction.importObject(Into<Note>(), source: ["text": "a note"])
      try transaction.importObject(Into<Picture>(), source: NSData(data: Data([1, 2])))
    }
    try imported.get()
    let visitor = try #require(try dataStack.fetchOne(From<Visitor>()))
    #expect(visitor.name == "Ann" && visitor.age == 30)
    #expect(try dataStack.fetchCount(From<Visitor>()) == 1)
    #expect(try dataStack.fetchOne(From<Note>())?.text == "a note")
    #expect(try dataStack.fetchOne(From<Picture>())?.bytes == Data([1, 2]))
  }

  @Test("An object that is there is given the values of a source")
  func existingObject() async throws {
    try await result { transaction in
      let visitor = try transaction.create(Into<Visitor>())
      try transaction.importObject(visitor, source: ["name": "Bob", "age": 4])
    }.get()
    #expect(try dataStack.fetchAll(From<Visitor>()).map(\.name) == ["Bob"])
  }

  @Test("CoreStore.md:1016, 1043: many objects, or none of them")
  func objects() async throws {
    let imported = await result { transaction in
      let jsonArray: [[String: Any]] = [
        ["name": "Ann"], ["name": "Eve", "skip": 1], ["name": "Bob"],
      ]
      let people = try transaction.importObjects(
        Into<Visitor>(),
        sourceArray: jsonArray  // make sure this is of type Array<MyPersonEntity.ImportSource>
      )
      #expect(people.map(\.name) == ["Ann", "Bob"])
    }
    try imported.get()
    let failure: CoreStoreError? = await withCheckedContinuation { continuation in
      dataStack.perform(
        asynchronous: { (transaction) -> Void in
          let jsonArray: [[String: Any]] = [["name": "Cyd"], ["age": 3]]

          try transaction.importObjects(
            Into<Visitor>(),
            sourceArray: jsonArray
          )
        },
        success: { continuation.resume(returning: nil) },
        failure: { (error) in continuation.resume(returning: .some(error)) }
      )
    }
    guard case .userError(Errors.invalidNameError)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(try dataStack.fetchCount(From<Visitor>()) == 2)
  }

  // Promise: an import throws in the middle → what its call has staged is taken back.
  @Test("A throw that is caught takes back what its call has staged")
  func thrownInside() async throws {
    try await result { transaction in
      try transaction.importObject(Into<Visitor>(), source: ["name": "Ann"])
      #expect(throws: Errors.self) {
        try transaction.importObjects(
          Into<Visitor>(), sourceArray: [["name": "Bob"], ["age": 1]] as [[String: Any]])
      }
    }.get()
    #expect(try dataStack.fetchAll(From<Visitor>()).map(\.name) == ["Ann"])
  }

  @Test("CoreStore.md:1098, 1113: an object of an identifier is updated, or made")
  func uniqueObjects() async throws {
    try await result { transaction in
      let json: [String: Any] = ["id": 1, "name": "Ann"]
      try transaction.importUniqueObject(
        Into<Customer>(),
        source: json
      )
      try transaction.importUniqueObject(Into<Customer>(), source: ["id": 1, "name": "Anna"])
      #expect(try transaction.importUniqueObject(Into<Customer>(), source: ["name": "-"]) == nil)
    }.get()
    let ids = try await withCheckedThrowingContinuation { continuation in
      dataStack.perform(
        asynchronous: { transaction in
          let jsonArray: [[String: Any]] = [
            ["id": 3, "name": "Cyd"], ["id": 1, "name": "Annie"], ["id": 2, "name": "Bob"],
            ["id": 3, "name": "Cyd the last"], ["name": "nobody"], ["id": 1, "frozen": true],
          ]
          return try transaction.importUniqueObjects(
            Into<Customer>(),
            sourceArray: jsonArray
          ).map(\.personID)
        },
        completion: { continuation.resume(with: $0) }
      )
    }
    // Of two sources with one identifier the last counts, in the place of the first.
    #expect(ids == [3, 2])
    let customers = try dataStack.fetchAll(From<Customer>().orderBy(.ascending(\.$personID)))
    #expect(customers.map(\.name) == ["Anna", "Bob", "Cyd the last"])
    #expect(customers.map(\.updates) == [2, 1, 1])
  }

  @Test("Sources are looked at together before they are imported")
  func preProcess() async throws {
    try await result { transaction in
      try transaction.importUniqueObjects(
        Into<Customer>(),
        sourceArray: (1...4).map { ["id": $0, "name": "N\($0)"] as [String: Any] },
        preProcess: { sources in sources.filter { $0.key.isMultiple(of: 2) } })
    }.get()
    #expect(
      try dataStack.fetchAll(From<Customer>().orderBy(.ascending(\.$personID))).map(\.personID)
        == [2, 4])
  }
}
