import Foundation
import SwiftDatastore
import Testing

// The code of ErrorsAndConflicts.md, to the letter.

extension ModelsArticle {
  @Suite struct ErrorsAndConflictsExamples {
    @Test func whatASaveThrows() async throws {
      let datastore = try await makeStore()
      let context = datastore.newContext()

      try await context.perform { context in
        let employee: Employee = try context.createObject()
        do {
          try context.saveChanges()
        } catch let error as ValidationError {
          for fault in error.faults { print(fault.entity, fault.property, fault.reason) }
          employee.name = "unknown"
          try context.saveChanges()
        }
      }
      let count = try await context.perform { try $0.count(where: \Employee.$name == "unknown") }
      #expect(count == 1)
    }

    @Test func aFileThatIsNotThere() {
      do {
        _ = try SwiftDatastore(opening: URL(filePath: "/srv/nothing.sqlite"))
      } catch StoreError.missingFile(let path) {
        print("there is no \(path)")
      } catch {
        print(error)  // one sentence, ready to be shown
      }
      #expect(throws: StoreError.missingFile(path: "/srv/nothing.sqlite")) {
        try SwiftDatastore(opening: URL(filePath: "/srv/nothing.sqlite"))
      }
    }

    @Test func conflicts() async throws {
      let datastore = try await makeStore()
      let context = datastore.newContext()
      let id = try await context.perform { context in
        let tom: Employee = try #require(try context.fetchFirst(where: \.$name == "Tom"))
        tom.salary = 1
        return tom.objectID
      }
      try await datastore.write { context in
        let tom: Employee = try context.object(with: id)
        tom.salary = 2
        tom.phone = "555"
      }

      try await context.perform { context in
        do {
          try context.saveChanges()
        } catch let error as ConflictError {
          for conflict in error.conflicts {
            for property in conflict.properties {
              print(property.name, property.original, property.mine, property.theirs)
            }
          }
          context.mergePolicy = .objectTrump
          try context.saveChanges()
        }
      }
      try await datastore.newContext().perform { context in
        let tom: Employee = try context.object(with: id)
        #expect(tom.salary == 1 && tom.phone == "555")
      }
    }

    @Test func aLog() throws {
      struct PrintingLogger: DatastoreLogger {
        let level = DatastoreEvent.Level.trace
        func log(_ event: DatastoreEvent) { print("\(event.level): \(event)") }
      }

      var options = SwiftDatastore.Options()
      options.logger = PrintingLogger()
      let datastore = try SwiftDatastore(inMemory: model(), options: options)
      #expect(try datastore.newLocalContext().count(From<Employee>()) == 0)
    }
  }
}
