import DatastoreTestSupport
import Foundation
import SwiftDatastore
import SwiftDatastoreTerminal

final class Person: DatastoreObject {
  @Attribute.NotOptional(indexed: true) var name: String
  @Attribute.NotOptional(indexed: true) var letter: String
  @Attribute.Optional var phone: String?

  func fill(_ name: String) {
    self.name = name
    letter = name.prefix(1).uppercased()
  }
}

/// People in a file, which lasts as long as this object.
@MainActor
final class People {
  let folder: TemporaryDirectory
  let url: URL
  let datastore: SwiftDatastore

  static let inSections = From<Person>().orderBy(.asc(\.$letter), .asc(\.$name)).sectionBy(
    \.$letter)
  static let plain = From<Person>().orderBy(.asc(\.$name))

  init(_ names: [String] = [], options: SwiftDatastore.Options = .init()) async throws {
    folder = try TemporaryDirectory()
    url = folder.url.appendingPathComponent("people.sqlite")
    datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Person.self), url: url, options: options)
    try await add(names)
  }

  var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  func add(_ names: [String]) async throws {
    try await datastore.write { context in
      for name in names {
        let person: Person = try context.createObject()
        person.fill(name)
      }
    }
  }

  func rename(_ name: String, to new: String) async throws {
    try await datastore.write { context in
      let person: Person? = try context.fetchFirst(where: \.$name == name)
      person?.fill(new)
    }
  }

  func delete(_ names: [String]) async throws {
    try await datastore.write { context in
      for name in names {
        if let person: Person = try context.fetchFirst(where: \.$name == name) {
          context.deleteObject(person)
        }
      }
    }
  }
}

/// A list of people, and nothing else.
final class PeopleView: TerminalView {
  @ListState var people: ListSnapshot<Person>
  let title: String?

  init(_ people: People, _ query: From<Person> = People.inSections, title: String? = "People") {
    _people = ListState(people.view, query)
    self.title = title
  }

  var body: [any Widget] {
    Table(
      $people, title: title, columns: [TableColumn { $0.$name }], placeholder: "Nobody.")
  }
}
