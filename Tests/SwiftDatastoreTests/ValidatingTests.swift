import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Rules of a class that its model cannot say.
@Suite("Objects that are asked before they are saved")
struct ValidatingTests {
  final class Meeting: DatastoreObject {
    struct Invalid: Error, CustomStringConvertible {
      let description: String
    }

    @Attribute.NotOptional var begin: Int
    @Attribute.NotOptional var end: Int

    override func validate() throws {
      if end < begin { throw Invalid(description: "it ends before it begins.") }
    }
  }

  @Test("What is new or changed is asked, all of it, and nothing is saved where one refuses")
  func saving() async throws {
    let datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Meeting.self))
    try await datastore.newContext().perform { context in
      let meetings = try (1...3).map { begin in
        let meeting: Meeting = try context.createObject()
        (meeting.begin, meeting.end) = (begin, 2)
        return meeting
      }
      (meetings[0].end, meetings[1].end) = (0, 1)
      let error = try #require(throws: ValidationError.self) { try context.saveChanges() }
      #expect(
        error.faults.map(\.description) == [
          "Meeting 1: it ends before it begins.", "Meeting 2: it ends before it begins.",
          "Meeting 3: it ends before it begins.",
        ])
      #expect(
        error.faults.map(\.reason)
          == Array(repeating: .refused(reason: "it ends before it begins."), count: 3))
      for meeting in meetings { meeting.end = meeting.begin }
      try context.saveChanges()
      // Unchanged and deleted objects are not validated.
      meetings[1].end = 0
      context.deleteObject(meetings[1])
      meetings[2].end = 9
      try context.saveChanges()
      meetings[2].end = 0
      #expect(throws: ValidationError.self) { try context.saveChanges() }
      context.revertChanges()
      #expect(meetings[2].end == 9)
    }
  }
}
