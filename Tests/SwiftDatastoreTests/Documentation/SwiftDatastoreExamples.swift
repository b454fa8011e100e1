import Foundation
import SwiftDatastore
import Testing

// The code of SwiftDatastore.md, to the letter.

enum FrontPage {
  final class Note: DatastoreObject {
    @Attribute.NotOptional(initial: { Date() }) var date: Date
    @Attribute.NotOptional var text: String = ""
  }

  /// Not run, as it makes a file in the user's directory.
  static func save() async throws {
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Note.self), storeName: "notes")
    try await datastore.write { context in
      let note: Note = try context.createObject()
      note.text = "Buy milk"
    }
  }
}
