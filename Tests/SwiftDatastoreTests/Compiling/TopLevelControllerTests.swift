import Testing

// Promise: lists at the top level of `main.swift` → compile and run in Swift 5 and 6 mode.
/// Lists at the top level of `main.swift`, as first programs have them.
@Suite("Controllers at the top level")
struct TopLevelControllerTests {
  @Test("They are made and read in both modes of the language", arguments: ["5", "6"])
  func made(languageMode: String) throws {
    let output = try SnippetCompiler(languageMode: languageMode).run(
      """
      import SwiftDatastore
      final class Person: DatastoreObject {
        @Attribute.NotOptional var name: String
      }
      let model = try SwiftDatastoreModel(from: Person.self)
      let datastore = try SwiftDatastore(inMemory: model)
      try datastore.writeAndWait { context in
        let person: Person = try context.createObject()
        person.name = "Ann"
      }
      let controller = FetchedObjectsController<Person>(
        viewContext: datastore.sharedViewContext, orderBy: [.asc(\\.$name)])
      try controller.performFetch()
      print(controller.numberOfFetchedObjects, controller.object(at: 0)?.name ?? "-")
      let publisher = ListPublisher<Person>(
        viewContext: datastore.sharedViewContext, orderBy: [.asc(\\.$name)])
      try publisher.performFetch()
      print(publisher.snapshot.count)
      """)
    #expect(output == "1 Ann\n1\n")
  }
}
