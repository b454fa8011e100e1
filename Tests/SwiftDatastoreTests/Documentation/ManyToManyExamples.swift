import Foundation
import SwiftDatastore
import Testing

// The code of ManyToMany.md, to the letter.

enum ManyToManyArticle {
  final class Student: DatastoreObject {
    @Attribute.NotOptional(unique: true) var name: String
    @Relationship.ToMany var courses: Set<Course>
    @Relationship.ToMany(deleteRule: .cascade) var marks: Set<Mark>
  }

  final class Course: DatastoreObject {
    @Attribute.NotOptional(unique: true) var title: String
    @Relationship.ToMany(inverse: \.$courses) var students: Set<Student>
    @Relationship.ToMany(deleteRule: .cascade) var marks: Set<Mark>
  }

  final class Mark: DatastoreObject {
    @Attribute.NotOptional var points: Int
    @Relationship.ToOne.Required(inverse: \.$marks) var student: Student
    @Relationship.ToOne.Required(inverse: \.$marks) var course: Course

    override class var uniqueConstraints: [[AnyKeyPath]] {
      [[\Mark.$student, \Mark.$course]]
    }
  }

  @MainActor
  @Suite struct ManyToManyExamples {
    @Test func pairs() async throws {
      let datastore = try SwiftDatastore(
        inMemory: SwiftDatastoreModel(from: Student.self, Course.self, Mark.self))
      let context = datastore.sharedViewContext

      let ann: Student = try context.createObject()
      ann.name = "Ann"
      let swift: Course = try context.createObject()
      swift.title = "Swift"
      ann.courses.insert(swift)
      print(swift.students.contains(ann))  // true
      #expect(swift.students.contains(ann))
      swift.students.remove(ann)
      print(ann.courses.isEmpty)  // true
      #expect(ann.courses.isEmpty)

      ann.$courses.insert(swift)
      print(ann.$courses.contains(swift), swift.$students.contains(ann))  // true true
      #expect(ann.$courses.contains(swift) && swift.$students.contains(ann))
      ann.$courses.remove(swift)
      #expect(swift.students.isEmpty)

      let swimming: Course = try context.createObject()
      swimming.title = "Swimming"
      ann.courses = [swift, swimming]
      let bob: Student = try context.createObject()
      bob.name = "Bob"
      try context.saveChanges()

      let swimmers: [Student] = try context.fetch(where: (\.$courses ~ \.$title).any == "Swimming")
      let idle: [Student] = try context.fetch(where: \.$courses.count == 0)
      let busiest: Student? = try context.fetchFirst(orderBy: [.desc(\.$courses.count)])
      let students: [Student] = try context.fetch(prefetching: [\.$courses])
      #expect(swimmers == [ann] && idle == [bob] && busiest == ann && students.count == 2)

      let mark: Mark = try context.createObject()
      (mark.student, mark.course, mark.points) = (ann, swift, 14)
      let best: [Mark] = try context.fetch(
        where: \.$course ~ \.$title == "Swift", orderBy: [.desc(\.$points)], limit: 3)
      print(best.map(\.student.name))
      #expect(best == [mark])
      try context.saveChanges()

      let again: Mark = try context.createObject()
      (again.student, again.course, again.points) = (ann, swift, 15)
      #expect(throws: StoreError.self) { try context.saveChanges() }
      context.revertChanges()
      context.deleteObject(swift)
      try context.saveChanges()
      #expect(try context.count(Mark.self) == 0)
      #expect(ann.courses == [swimming])
    }

    @Test("The table of pairs, as other programs see it")
    func inTheFile() async throws {
      let model = try SwiftDatastoreModel(from: Student.self, Course.self, Mark.self)
      let datastore = try SwiftDatastore(dataModel: model, storeName: "school", storingType: .test)
      try await datastore.write { context in
        let student: Student = try context.createObject()
        student.name = "Ann"
        let course: Course = try context.createObject()
        course.title = "Swift"
        student.courses.insert(course)
      }
      let columns = try datastore.sharedViewContext.query(
        "SELECT name FROM pragma_table_info('Course_students') WHERE name IN ('Course', 'students')"
      )
      #expect(columns.count == 2)
    }
  }
}
