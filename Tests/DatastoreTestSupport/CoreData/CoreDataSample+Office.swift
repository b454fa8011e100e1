import DatastoreCore
import Foundation

extension CoreDataSample {
  /// A store with all that the format has: inheritance, a clash of names, every type, and every kind of
  /// relationship.
  package static func office() -> CoreDataSample {
    var sample = CoreDataSample([
      Entity(
        "Company", [Attribute("name", Attribute.string, isOptional: false)],
        [
          Relationship("staff", to: "Person", inverse: "company", isToMany: true, deleteRule: 2),
          Relationship("archive", to: "Document", isToMany: true),
          Relationship("seat", to: "Address", inverse: "company"),
        ]),
      Entity(
        "Address", [Attribute("street", Attribute.string)],
        [Relationship("company", to: "Company", inverse: "seat")]),
      Entity("Document", [Attribute("text", Attribute.string)]),
      // Sorted after “Document” only if case is ignored.
      Entity("eMail", [Attribute("subject", Attribute.string)]),
      Entity(
        "Person", isAbstract: true,
        [
          Attribute("name", Attribute.string, isOptional: false, fallback: .null),
          Attribute("born", Attribute.date, fallback: .null),
          Attribute("isActive", Attribute.boolean, fallback: .flag(true)),
          Attribute("id", Attribute.uuid), Attribute("home", Attribute.uri),
          Attribute("pay", Attribute.decimal), Attribute("size", Attribute.double),
          Attribute("weight", Attribute.float), Attribute("floor", Attribute.integer16),
          Attribute("room", Attribute.integer32, fallback: .integer(7)),
          Attribute("visits", Attribute.integer64),
          Attribute("photo", Attribute.binary, flags: 4),
          Attribute("note", Attribute.transformable),
          Attribute("isDirty", Attribute.undefined, isTransient: true),
          Attribute("initial", Attribute.string, derivation: "name"),
        ],
        [
          Relationship("company", to: "Company", inverse: "staff"),
          Relationship("spouse", to: "Person", inverse: "spouse"),
          Relationship("friends", to: "Person", inverse: "friends", isToMany: true),
          Relationship("tags", to: "Tag", inverse: "people", isToMany: true),
        ], fetchedProperties: ["neighbours"], uniqueness: [["name"]]),
      Entity(
        "Manager", parent: "Person",
        [Attribute("title", Attribute.string), Attribute("level", Attribute.integer16)],
        [
          Relationship("reports", to: "Employee", inverse: "boss", isToMany: true, isOrdered: true)
        ]),
      Entity(
        "Employee", parent: "Person", [Attribute("title", Attribute.string)],
        [Relationship("boss", to: "Manager", inverse: "reports")]),
      Entity("Trainee", parent: "Employee", [Attribute("term", Attribute.integer16)]),
      Entity(
        "Tag", [Attribute("label", Attribute.string)],
        [
          Relationship("people", to: "Person", inverse: "tags", isToMany: true),
          Relationship("parents", to: "Tag", inverse: "children", isToMany: true),
          Relationship(
            "children", to: "Tag", inverse: "parents", isToMany: true, isOrdered: true),
        ]),
    ])
    sample.insertOffice()
    return sample
  }

  /// The archive that the secure transformer makes of a dictionary with an array, a date, an object of a
  /// class that exists nowhere, and itself.
  package static func archivedNote() -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let whole = writer.reserve()
    let list = writer.array([writer.text("a"), writer.value(.integer(7))])
    let date = writer.object(["NSDate"], [("NS.time", .real(0))])
    let color = writer.object(
      ["TKColor"], [("red", .real(0.5)), ("tones", .object(list)), ("name", .null)])
    let keys = ["color", "made", "self"].map { writer.text($0) }
    _ = writer.object(
      ["NSDictionary"],
      [("NS.keys", .list(keys)), ("NS.objects", .list([color, date, whole]))], at: whole)
    return writer.archive(root: whole)
  }

  private func archivedNote() -> [UInt8] { Self.archivedNote() }

  private mutating func insertOffice() {
    insert("Company", 1, ["name": "Acme", "seat": 1])
    insert("Company", 2, ["name": "Globex"])
    insert("Address", 1, ["street": "Main Street 5", "company": 1])
    for (key, text) in ["a", "b", "c"].enumerated() {
      insert("Document", Int64(key + 1), ["text": .text(text)])
    }
    insert("eMail", 1, ["subject": "Hello"])
    insert(
      "Manager", 1,
      [
        "name": "Ann", "born": .real(-300_000_000.5), "isActive": 1, "pay": .real(1.5),
        "id": .blob(Data(0..<16)), "title": "Chief", "level": 3, "company": 1, "spouse": 2,
        "photo": .blob(Data([1, 0xFF, 0xD8])), "home": "https://example.org/ann",
        "size": .real(1.75), "weight": .real(60.5), "floor": 2, "room": 12, "visits": 5_000_000_000,
        "note": .blob(Data(archivedNote())), "initial": "A",
      ])
    insert(
      "Employee", 2,
      [
        "name": "Bob", "born": 0, "isActive": 0, "pay": 2, "title": "Clerk", "company": 1,
        "spouse": 1, "boss": 1,
      ])
    // The most distant past, and a number that is no date at all.
    insert(
      "Trainee", 3,
      ["name": "Cyd", "born": .real(-63_114_076_800), "title": "Cook", "term": 1, "boss": 1])
    insert("Employee", 4, ["name": "Dan", "born": 123_456_789_012_345, "company": 2])
    for (key, label) in ["red", "blue", "dark"].enumerated() {
      insert("Tag", Int64(key + 1), ["label": .text(label)])
    }
    link("Company", "archive", 1, to: [1, 2])
    link("Person", "friends", 1, to: [2, 3])
    link("Person", "tags", 1, to: [1, 2])
    link("Person", "tags", 3, to: [2])
    link("Tag", "children", 1, to: [3, 2])
  }
}
