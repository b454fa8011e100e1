import Foundation
import SwiftDatastore

/// The rows of the full file in `Fixtures`, and how they are read.
extension KeptModel {
  /// Makes the rows, on the queue of the context.
  static func fill(_ context: SwiftDatastoreContext.Closure) throws {
    try fillSamples(context)
    try fillOptionals(context)
    try fillGraph(context)
    try context.saveChanges()
  }

  private static func fillSamples(_ context: SwiftDatastoreContext.Closure) throws {
    let plain: Sample = try context.createObject()
    plain.name = "defaults"
    let least: Sample = try context.createObject()
    least.name = "least"
    (least.int, least.int8, least.int16) = (.min, .min, .min)
    (least.int32, least.int64) = (.min, .min)
    (least.uint, least.uint8, least.uint16, least.uint32, least.uint64) = (0, 0, 0, 0, 0)
    least.flag = false
    (least.double, least.float) = (-.infinity, -.greatestFiniteMagnitude)
    least.decimal = Decimal(string: "-0.1234567890123456789012345678901234567") ?? 0
    least.text = ""
    least.url = URL(fileURLWithPath: "/a b/ü")
    least.date = .distantPast
    least.day = CalendarDate(year: 1, month: 1, day: 1)
    least.data = Data()
    let greatest: Sample = try context.createObject()
    greatest.name = "greatest"
    (greatest.int, greatest.int8, greatest.int16) = (.max, .max, .max)
    (greatest.int32, greatest.int64) = (.max, .max)
    (greatest.uint, greatest.uint64) = (UInt(Int.max), UInt64(Int64.max))
    (greatest.uint8, greatest.uint16, greatest.uint32) = (.max, .max, .max)
    (greatest.double, greatest.float) = (0.1 + 0.2, 16_777_216)
    greatest.decimal = Decimal(string: "9999999999999999.01") ?? 0
    greatest.text = "Åäö 漢字 🇸🇪\u{0}\n'\"`"
    greatest.date = Date(timeIntervalSinceReferenceDate: 766_666_666.123456)
    greatest.day = CalendarDate(year: 9999, month: 12, day: 31)
  }

  private static func fillOptionals(_ context: SwiftDatastoreContext.Closure) throws {
    let none: Optionals = try context.createObject()
    (none.uint64, none.grade, none.words) = (nil, nil, nil)
    let _: Optionals = try context.createObject()
    let all: Optionals = try context.createObject()
    (all.int, all.uint64, all.flag) = (0, 0, false)
    (all.double, all.float, all.decimal) = (-0.0, 1e-30, Decimal(string: "12.50"))
    all.text = "text"
    all.url = URL(string: "https://example.org/?q=%C3%BC")
    all.date = Date(timeIntervalSinceReferenceDate: -1)
    all.day = CalendarDate(year: 1999, month: 12, day: 31)
    all.uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    all.data = Data([1, 2, 3])
    all.anything = .text("12")
    (all.grade, all.colour) = (.first, .green)
    all.address = Address(street: "Söder/1", numbers: [1, 2])
    all.words = []
  }

  private static func fillGraph(_ context: SwiftDatastoreContext.Closure) throws {
    let company: Company = try context.createObject()
    company.name = "Acme"
    let other: Company = try context.createObject()
    other.name = "Umbrella"
    let employees: [Employee] = try ["Ann", "Bob", "Cid"].enumerated().map { number, name in
      let employee: Employee = try context.createObject()
      employee.name = name
      employee.badge = 1
      employee.mail = "\(name)@example.org"
      employee.company = number == 0 ? company : number == 1 ? other : nil
      return employee
    }
    let person: Person = try context.createObject()
    person.name = "Dee"
    person.born = Date(timeIntervalSinceReferenceDate: 86_400.5)
    let robot: Robot = try context.createObject()
    robot.name = "R2"
    robot.serial = 2
    company.robot = robot
    employees[0].partner = person
    employees[0].friends = [employees[1], person]
    employees[1].manager = employees[0]
    employees[2].manager = employees[0]
    let jobs: [Job] = try ["write", "read", "sleep"].map { title in
      let job: Job = try context.createObject()
      job.title = title
      return job
    }
    employees[0].jobs = [jobs[2], jobs[0], jobs[1]]
    for label in ["new", "old"] {
      let tag: Tag = try context.createObject()
      tag.label = label
      tag.parties = label == "new" ? [employees[0], robot] : [robot, person]
    }
    let songs: [Song] = try ["one", "two"].map { title in
      let song: Song = try context.createObject()
      song.title = title
      return song
    }
    let albums: [Album] = try ["first", "second"].map { title in
      let album: Album = try context.createObject()
      album.title = title
      return album
    }
    albums[0].songs = [songs[1], songs[0]]
    albums[1].songs = [songs[1]]
    songs[1].albums = [albums[1], albums[0]]
    let order: Order = try context.createObject()
    (order.größe, order.iD, order.ID) = (1.5, 10, "ten")
    (order._id, order._entity) = ("own", "Order")
    company.flagship = order
    company.visitors = [person, robot]
    company.ranking = [other, company]
    let note: Note = try context.createObject()
    note.text = "about Dee"
    note.subject = person
  }
}
