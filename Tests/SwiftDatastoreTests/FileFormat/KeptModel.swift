import Foundation
import SwiftDatastore

/// The model of the files in `Fixtures`: every type of attribute, every kind of relationship, inheritance,
/// and names that SQL has its own thoughts about.
///
/// It never changes: a file of an older format has to open with the classes that it was made with.
enum KeptModel {
  static func make(version: String? = nil) throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(
      version: version,
      from: Sample.self, Optionals.self, Party.self, Person.self, Employee.self, Robot.self,
      Company.self, Job.self, Tag.self, Song.self, Album.self, Order.self, Note.self)
  }

  enum Grade: Int16, CaseIterable, Sendable {
    case first = 1
    case second
  }
  enum Colour: String, Sendable { case red, green }

  struct Address: Codable, Sendable, Equatable {
    var street: String
    var numbers: [Int] = []
  }

  final class Sample: DatastoreObject {
    @Attribute.NotOptional(unique: true) var name: String
    @Attribute.NotOptional var int: Int = -1
    @Attribute.NotOptional var int8: Int8 = -8
    @Attribute.NotOptional var int16: Int16 = -16
    @Attribute.NotOptional var int32: Int32 = -32
    @Attribute.NotOptional var int64: Int64 = -64
    @Attribute.NotOptional var uint: UInt = 1
    @Attribute.NotOptional var uint8: UInt8 = 8
    @Attribute.NotOptional var uint16: UInt16 = 16
    @Attribute.NotOptional var uint32: UInt32 = 32
    @Attribute.NotOptional var uint64: UInt64 = 64
    @Attribute.NotOptional var flag: Bool = true
    @Attribute.NotOptional(indexed: true) var double: Double = 0.5
    @Attribute.NotOptional var float: Float = 0.25
    @Attribute.NotOptional var decimal: Decimal = 1
    @Attribute.NotOptional var text: String = "it's"
    @Attribute.NotOptional var url: URL = URL(filePath: "/tmp")
    @Attribute.NotOptional var date: Date = Date(timeIntervalSinceReferenceDate: 0)
    @Attribute.NotOptional(initial: { CalendarDate(year: 2024, month: 2, day: 29) })
    var day: CalendarDate?
    @Attribute.NotOptional(initial: {
      UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    })
    var uuid: UUID
    @Attribute.NotOptional var data: Data = Data([0, 1, 255])
  }

  final class Optionals: DatastoreObject {
    @Attribute.Optional var int: Int?
    @Attribute.Optional(indexed: true) var uint64: UInt64? = 7
    @Attribute.Optional var flag: Bool?
    @Attribute.Optional var double: Double?
    @Attribute.Optional var float: Float?
    @Attribute.Optional var decimal: Decimal?
    @Attribute.Optional(unique: true, renamedFrom: "prose") var text: String?
    @Attribute.Optional var url: URL?
    @Attribute.Optional var date: Date?
    @Attribute.Optional var day: CalendarDate?
    @Attribute.Optional var uuid: UUID?
    @Attribute.Optional var data: Data?
    @Attribute.Optional var anything: Value?
    @Attribute.Enum(indexed: true) var grade: Grade? = .second
    @Attribute.Enum var colour: Colour?
    @Attribute.Coded var address: Address?
    @Attribute.Coded var words: [String]? = ["new"]
    @Attribute.Virtual var isExpanded = false
  }

  class Party: DatastoreObject {
    override class var isAbstract: Bool { self == Party.self }
    override class var uniqueConstraints: [[AnyKeyPath]] { [[\Party.$name]] }
    @Attribute.NotOptional var name: String
    @Relationship.ToMany(inverse: \.$parties) var tags: Set<Tag>
  }

  class Person: Party {
    override class var renamedFrom: String? { self == Person.self ? "Human" : nil }
    @Attribute.Optional var born: Date?
    @Relationship.ToOne(inverse: \.$partnerOf) var partner: Person?
    @Relationship.ToOne var partnerOf: Person?
    @Relationship.ToMany(inverse: \.$friendOf) var friends: Set<Person>
    @Relationship.ToMany var friendOf: Set<Person>
    @Relationship.ToMany(deleteRule: .noAction) var notes: Set<Note>
  }

  final class Employee: Person {
    override class var uniqueConstraints: [[AnyKeyPath]] {
      super.uniqueConstraints + [[\Employee.$badge, \Employee.$company]]
    }
    @Attribute.NotOptional var badge: Int
    @Attribute.NotOptional(unique: true) var mail: String
    @Relationship.ToOne(inverse: \.$employees) var company: Company?
    @Relationship.ToOne(inverse: \.$reports) var manager: Employee?
    @Relationship.ToMany var reports: Set<Employee>
    @Relationship.ToMany.Ordered(inverse: \.$owner, deleteRule: .cascade, maximumCount: 9)
    var jobs: [Job]
  }

  final class Robot: Party {
    @Attribute.NotOptional var serial: Int = 0
    @Relationship.ToOne(inverse: \.$robot) var guardian: Company?
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional(indexed: true) var name: String
    @Relationship.ToMany(deleteRule: .cascade) var employees: Set<Employee>
    @Relationship.ToOne(deleteRule: .deny) var robot: Robot?
    @Relationship.ToOne var flagship: Order?
    @Relationship.ToMany var visitors: Set<Party>
    @Relationship.ToMany.Ordered var ranking: [Company]
  }

  final class Job: DatastoreObject {
    @Attribute.NotOptional var title: String
    @Relationship.ToOne var owner: Employee?
  }

  final class Tag: DatastoreObject {
    @Attribute.NotOptional(unique: true) var label: String
    @Relationship.ToMany var parties: Set<Party>
  }

  final class Song: DatastoreObject {
    @Attribute.NotOptional var title: String
    @Relationship.ToMany.Ordered(inverse: \.$songs) var albums: [Album]
  }

  final class Album: DatastoreObject {
    @Attribute.NotOptional var title: String
    @Relationship.ToMany.Ordered var songs: [Song]
  }

  /// A reserved word, properties that differ in case only, and those that the layout itself uses.
  final class Order: DatastoreObject {
    override class var entityName: String { "Order `of` \"things\"" }
    @Attribute.NotOptional var select: Int = 1
    // swift-format-ignore: IdentifiersMustBeASCII
    @Attribute.Optional var größe: Double?
    @Attribute.Optional var iD: Int?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    @Attribute.Optional var ID: String?
    @Attribute.Optional var _id: String?
    @Attribute.Optional var _entity: String?
  }

  final class Note: DatastoreObject {
    override class var entityName: String { "sqlite_note" }
    @Attribute.NotOptional var text: String
    @Relationship.ToOne(inverse: \.$notes) var subject: Person?
  }
}
