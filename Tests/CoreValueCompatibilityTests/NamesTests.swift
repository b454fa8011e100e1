import CoreValueCompatibility
import Foundation
import Testing

private struct Person: CVManagedPersistentStruct {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  static let EntityName = "Owner"
  var objectID: NSManagedObjectID?
  var name: String

  static func fromObject(_ object: NSManagedObject) throws -> Person {
    try curry(self.init) <^> object <|? "objectID" <^> object <| "name"
  }
}

/// A type that only converts a value, as CoreValue requires it.
private struct Initial: Unboxing, Equatable {
  let letter: Character

  static func unbox(_ value: Any) throws -> Initial {
    Initial(letter: try String.unbox(value).first ?? "?")
  }
}

private enum Kind: String, Boxing, Unboxing { case kiosk, mall }

/// Each name of CoreValue's document that reads by keys or of single values.
@MainActor
@Suite struct NamesTests {
  private let context: SwiftDatastoreViewContext
  private let shop: ShopObject

  init() throws {
    context = try makeContext()
    shop = try context.createObject()
    (shop.name, shop.age) = ("kiosk", 30)
    let owner: OwnerObject = try context.createObject()
    owner.name = "Ann"
    shop.owner = owner
    shop.employees = [try context.createObject()]
  }

  @Test func valuesByKeys() throws {
    #expect(shop.value(forKey: "name") as? String == "kiosk")
    #expect(shop.valueForKey("age") as? Int32 == 30)
    #expect(shop.value(forKey: "owner") as? OwnerObject === shop.owner)
    #expect(shop.value(forKey: "employees") as? [EmployeeObject] == shop.employees)
    shop.setValue("mall", forKey: "name")
    shop.setValue(31, forKey: "age")
    shop.setValue(nil, forKey: "owner")
    shop.setValue([EmployeeObject](), forKey: "employees")
    #expect(shop.name == "mall" && shop.age == 31 && shop.owner == nil && shop.employees.isEmpty)
    #expect(shop.value(forKey: "owner") == nil)
  }

  @Test func singleValues() throws {
    #expect(try String.unbox(shop.value(forKey: "name")!) == "kiosk")
    #expect(try Int32.unbox(shop.value(forKey: "age")!) == 30)
    #expect(try Int.unbox(shop.value(forKey: "age")!) == 30)
    #expect(try Kind.unbox("mall") == .mall)
    #expect(try Person.unbox(shop.value(forKey: "owner")!).name == "Ann")
    #expect(try NSManagedObjectID.unbox(shop.owner!) == shop.owner?.objectID)
    #expect(throws: CVManagedStructError.self) { try Int.unbox("kiosk") }
    #expect(throws: CVManagedStructError.self) { try Kind.unbox("none") }
    #expect(throws: CVManagedStructError.self) { try Person.unbox(3) }
    let initial: Initial = try shop <| "name"
    #expect(initial == Initial(letter: "k"))
    let missing: Initial? = try shop <|? "name"
    #expect(missing == initial)
    #expect(throws: DatastoreValueError.self) {
      shop.owner = nil
      return try Initial.unbox(shop, "owner")
    }
  }

  @Test func queries() throws {
    let everyone: [Person] = try Person.query(context, predicate: nil)
    #expect(everyone.map(\.name) == ["Ann"])
    let sorted: [Person] = try Person.query(
      context, predicate: NSPredicate(format: "name = %@", "Ann"),
      sortDescriptors: [NSSortDescriptor(key: "name", ascending: true)])
    #expect(sorted.count == 1)
    var person = sorted[0]
    #expect(try person.mutatingToObject(context).objectID == person.objectID)
    try person.save(context)
    #expect(try [person].toObjects(context).count == 1)
    #expect(try person.delete(context))
  }

  /// CoreValue.swift: conditions, errors and conversions.
  @Test func others() throws {
    #expect("Ann".predicate("name").format == "%K == %@")
    #expect(try Person.query(context, predicate: "Ann".predicate("name")).map(\.name) == ["Ann"])
    let writer: AuthorObject = try context.createObject()
    (writer.id, writer.name) = ("A1", "Eve")
    let known = Writer(id: "A1", name: "Eve")
    #expect(try known.identifierPredicate().format == "%K == %@")
    #expect(try known.managedObject(context) === writer)
    #expect(throws: CVManagedStructError.self) {
      try Writer(id: "A2", name: "").managedObject(context)
    }
    #expect(throws: CVManagedStructError.self) { try known.managedObject(nil) }
    #expect(try [String].unbox(["a", "b"]) == ["a", "b"])
    #expect(throws: CVManagedStructError.self) { try [String].unbox(1) }
    let error = CVManagedStructError.structValueError(message: "no") as NSError
    #expect(error.domain == CVErrorDomain && error.code == CVErrorUnboxFailed)
    #expect(Unboxed.success(1).value == 1 && Unboxed<Int>.typeMismatch("no").value == nil)
    func same<A: Unboxing>(_: A.Type) -> Bool where A == A.StructureType { true }
    #expect(same(Person.self) && same(Int.self))
    let kinds: (any _CVManagedStruct.Type, any _CVManagedPersistentStruct.Type) = (
      Person.self, Person.self
    )
    let unique: any _CVManagedUniqueStruct.Type = Writer.self
    #expect(kinds.0 == kinds.1 && unique.EntityName == "Author")
  }
}

/// A value with an identifier.
private struct Writer: CVManagedUniqueStruct {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  static let EntityName = "Author"
  // swift-format-ignore: AlwaysUseLowerCamelCase
  static let IdentifierName = "id"
  var id: String
  var name: String

  // swift-format-ignore: AlwaysUseLowerCamelCase
  func IdentifierValue() -> any IdentifierType { id }

  static func fromObject(_ object: NSManagedObject) throws -> Writer {
    try curry(self.init) <^> object <| "id" <^> object <| "name"
  }
}
