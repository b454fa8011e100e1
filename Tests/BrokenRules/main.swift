// Breaks the rule of the library that its argument names. `BrokenRuleTests` runs it as a release build and
// reads its messages.
import Foundation
import SwiftDatastore
import SwiftDatastoreTerminal

final class Author: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Relationship.ToMany var books: Set<Book>
}

final class Book: DatastoreObject {
  @Attribute.NotOptional var title: String
  @Relationship.ToOne(inverse: \.$books) var author: Author?
}

/// Its key `x` breaks a rule while the terminal is in the program's hands.
final class Screen: TerminalView {
  var body: [any Widget] { [Line("A screen")] }
  var commands: [Command] {
    [
      Command("x", label: "break") { _ in
        _ = (try make().sharedViewContext.createObject() as Author).name
      }
    ]
  }
}

@MainActor func make() throws -> SwiftDatastore {
  // A release build checks access from outside a context only if the option is set.
  try SwiftDatastore(
    inMemory: SwiftDatastoreModel(from: Author.self, Book.self), options: .init(checksAccess: true))
}

let view = try make().sharedViewContext
let author: Author = try view.createObject()
switch CommandLine.arguments.last {
case "value": print(author.name)
case "queue":
  nonisolated(unsafe) let leaked = author
  await Task.detached { leaked.name = "Le Guin" }.value
case "context":
  let book: Book = try make().sharedViewContext.createObject()
  book.author = author
case "order":
  _ = FetchedObjectsController<Author>(viewContext: view, orderBy: [])
case "key":
  _ = Command("ctrl-no", label: "") { _ in }
case "screen":
  try await TerminalApplication(Screen()).run()
default: print("There is no such rule.")
}
