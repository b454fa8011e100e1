import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

extension ValueModel {
  /// The possible properties of `Codable` values, both sides of relationships, and the errors for those that
  /// do not fit.
  @MainActor
  @Suite struct ValueShapeTests {
    struct Extra: Codable, Sendable, Equatable { var note: String }

    final class Mixed: DatastoreObject {
      @Attribute.NotOptional var whole: Int16 = 0
      @Attribute.NotOptional var flag: Bool = false
      @Attribute.NotOptional var ratio: Double = 0
      @Attribute.Optional var money: Decimal?
      @Attribute.Optional var day: Date?
      @Attribute.Optional var bytes: Data?
      @Attribute.Optional var unique: UUID?
      @Attribute.Optional var link: URL?
      @Attribute.Enum var position: Position?
      @Attribute.Coded var extra: Extra?
      @Attribute.Coded(coder: .propertyList) var list: [Int]?
      @Relationship.ToOne(inverse: \.$children) var parent: Mixed?
      @Relationship.ToMany var children: Set<Mixed>
    }

    struct All: DatastoreValue, Codable, Equatable {
      typealias Object = Mixed
      var whole: Int
      var flag: Bool
      var ratio: Float
      var money: Decimal?
      var day: Date?
      var bytes: Data?
      var unique: UUID?
      var link: URL?
      var position: Position?
      var extra: Extra?
      var list: [Int]?
      var children: Set<Leaf>
    }

    struct Leaf: DatastoreValue, Codable, Hashable {
      typealias Object = Mixed
      var whole: Int
    }

    private let datastore: SwiftDatastore
    private let view: SwiftDatastoreViewContext

    init() throws {
      datastore = try SwiftDatastore(
        dataModel: SwiftDatastoreModel(from: Mixed.self), storeName: UUID().uuidString,
        storingType: .test)
      view = datastore.sharedViewContext
    }

    @Test func everyTypeComesBack() throws {
      let full = All(
        whole: 7, flag: true, ratio: 0.5, money: Decimal(string: "12.345"),
        day: Date(timeIntervalSinceReferenceDate: 12), bytes: Data([1, 2]), unique: UUID(),
        link: URL(string: "https://example.org/a"), position: .designer, extra: Extra(note: "x"),
        list: [3, 1], children: [Leaf(whole: 1), Leaf(whole: 2)])
      let empty = All(whole: 0, flag: false, ratio: 0, children: [])
      var values = [full, empty]
      try view.saveAll(&values)
      #expect(values == [full, empty])
      #expect(try view.fetch(All.self, where: \.$parent == nil) == [full, empty])
      let object: Mixed = try #require(try view.fetchFirst(where: \.$whole == 7))
      #expect(object.extra == Extra(note: "x") && object.list == [3, 1])
      #expect(object.position == .designer && object.children.count == 2)
    }

    @Test func relationshipsAsIdentifiers() throws {
      struct Pointer: DatastoreValue {
        var parent: DatastoreObjectID?
        init(_ object: Mixed) { parent = object.parent?.objectID }
        init(parent: DatastoreObjectID) { self.parent = parent }
        func assign(to object: Mixed, in context: any ObjectContext) throws {
          object.parent = try parent.map { try context.object(with: $0) }
        }
      }
      let parent: Mixed = try view.createObject()
      var pointer = Pointer(parent: parent.objectID)
      try view.save(&pointer)
      #expect(pointer.parent == parent.objectID && parent.children.count == 1)
    }

    /// A `Codable` value that has its identifier, and that of a related object, among its properties.
    @Test func identifiersAreProperties() throws {
      struct Node: IdentifiedDatastoreValue, Codable {
        typealias Object = Mixed
        var objectID: DatastoreObjectID?
        var whole: Int
        var parent: DatastoreObjectID?
      }
      var top = Node(whole: 1)
      try view.save(&top)
      var leaf = Node(whole: 2, parent: top.objectID)
      try view.save(&leaf)
      let object: Mixed = try #require(try view.fetchFirst(where: \.$whole == 2))
      #expect(object.objectID == leaf.objectID && object.parent?.objectID == top.objectID)
      #expect(try view.value(Node.self, of: object).parent == top.objectID)
      leaf.parent = nil
      try view.save(&leaf)
      #expect(object.parent == nil && leaf.objectID == object.objectID)
      #expect(try view.count(Mixed.self) == 2)
    }

    private func error(_ body: () throws -> Void) -> DatastoreValueError? {
      do {
        try body()
        return nil
      } catch {
        return error as? DatastoreValueError
      }
    }

    @Test func whatDoesNotFitIsNamed() throws {
      struct Misspelt: DatastoreValue, Codable {
        typealias Object = Mixed
        var whloe: Int?
      }
      struct Text: DatastoreValue, Codable {
        typealias Object = Mixed
        var whole: String?
      }
      struct Needed: DatastoreValue, Codable {
        typealias Object = Mixed
        var day: Date
      }
      struct Numbers: DatastoreValue, Codable {
        typealias Object = Mixed
        var children: [Int]
      }
      let object: Mixed = try view.createObject()
      object.whole = 3
      let unknown = DatastoreValueError.unknownProperty(
        value: "Misspelt", property: "whloe", entity: "Mixed")
      #expect(error { _ = try view.value(Misspelt.self, of: object) } == unknown)
      #expect(error { try view.stage(Misspelt(whloe: 1)) } == unknown)
      #expect(unknown.description.contains("Mixed has no property “whloe”"))
      let reading = error { _ = try view.value(Text.self, of: object) }
      #expect(
        "\(reading.map(String.init(describing:)) ?? "")".contains(
          "holds 3, which is not a value of type String"))
      let writing = error { try view.stage(Text(whole: "x")) }
      #expect("\(writing.map(String.init(describing:)) ?? "")".contains("a String is"))
      #expect(
        error { _ = try view.value(Needed.self, of: object) }
          == .missing(value: "Needed", property: "day", entity: "Mixed"))
      #expect(error { _ = try view.value(Numbers.self, of: object) } != nil)
      #expect(error { try view.stage(Numbers(children: [1])) } != nil)
      #expect(view.insertedObjects.count == 1, "nothing of what was refused is staged")
    }

    // Promise: values are parts of each other without an end → an error, not a full stack.
    @Test func aChainThatIsTooDeepEndsInASentence() async throws {
      final class Link: DatastoreValue, Codable {
        typealias Object = Mixed
        let parent: Link?
      }
      var object: Mixed = try view.createObject()
      for _ in 0..<200 {
        let next: Mixed = try view.createObject()
        next.parent = object
        object = next
      }
      try view.saveChanges()
      let id = object.objectID
      // On a thread of a queue, whose stack is short.
      let description = try await datastore.write { context in
        let object: Mixed = try context.object(with: id)
        do {
          _ = try context.value(Link.self, of: object)
          return "none"
        } catch {
          return "\(error)"
        }
      }
      #expect(description.contains("values deep"))
    }
  }
}

extension ValueModel {
  // Promise: both sides of a relationship are properties of values → the way back is cut or an error names
  // it.
  /// Both sides of a relationship as properties of values.
  @MainActor
  @Suite struct InverseValueTests {
    @Test func theWayBackIsCutWhereItIsOptional() throws {
      let datastore = try TestModel.file()
      let view = datastore.sharedViewContext
      let boss: Employee = try view.createObject()
      boss.name = "Boss"
      for name in ["A", "B"] {
        let employee: Employee = try view.createObject()
        employee.name = name
        employee.manager = boss
      }
      try view.saveChanges()
      let value = try view.value(Boss.self, of: boss)
      #expect(value.reports.map(\.name).sorted() == ["A", "B"])
      #expect(value.reports.allSatisfy { $0.manager?.reports == nil })
      let report: Employee = try #require(try view.fetchFirst(where: \.$name == "A"))
      let other = try view.value(Report.self, of: report)
      #expect(other.manager?.name == "Boss")
      #expect(other.manager?.reports == nil, "one of them is this one")
    }

    @Test func whereItIsNotOptionalTheErrorNamesIt() throws {
      let datastore = try TestModel.file()
      let view = datastore.sharedViewContext
      let company: Company = try view.createObject()
      company.name = "Acme"
      let tag: Tag = try view.createObject()
      tag.label = "x"
      company.tags = [tag]
      #expect(
        throws: DatastoreValueError.circular(value: "Half", property: "companies", entity: "Tag")
      ) { try view.value(Circle.self, of: company) }
      // Without a way back there is no circle.
      company.tags = []
      #expect(try view.value(Circle.self, of: company).tags.isEmpty)
      // The trail has ended with the error.
      company.tags = [tag]
      #expect(throws: DatastoreValueError.self) { try view.value(Half.self, of: tag) }
    }

    @Test func aWholeWithWaysBackIsSaved() throws {
      let datastore = try TestModel.file()
      let view = datastore.sharedViewContext
      struct Owner: IdentifiedDatastoreValue, Codable {
        typealias Object = Employee
        enum CodingKeys: String, CodingKey { case name, desk }
        var objectID: DatastoreObjectID?
        var name: String
        var desk: Table?
      }
      struct Table: IdentifiedDatastoreValue, Codable {
        typealias Object = Desk
        enum CodingKeys: String, CodingKey { case number, employee }
        var objectID: DatastoreObjectID?
        var number: Int
        var employee: Name?
      }
      struct Name: IdentifiedDatastoreValue, Codable {
        typealias Object = Employee
        enum CodingKeys: String, CodingKey { case name }
        var objectID: DatastoreObjectID?
        var name: String
      }
      var owner = Owner(name: "Ann", desk: Table(number: 1))
      try view.save(&owner)
      #expect(owner.desk?.employee?.name == "Ann", "the other side is known then")
      owner.desk?.number = 2
      try view.save(&owner)
      #expect(try view.count(Employee.self) == 1 && view.count(Desk.self) == 1)
    }
  }
}
