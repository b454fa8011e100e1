import DatastoreCore
import SwiftDatastore
import Testing

/// All faults of a model are reported at once, in sentences.
@Suite struct ModelFaultTests {
  @Test func oneErrorListsAllFaults() throws {
    let sentences = faults(Nameless.self, Twice.self, Crowd.self, Stray.self, Renamed.self)
    #expect(
      sentences == [
        "Crowd.friends names Stray.crowds as its inverse, but that leads to Twice; name a "
          + "relationship that leads to Crowd.",
        "Twice.phone and Twice.tel both claim the values of “tel” from an older version of the "
          + "model; change `renamedFrom` of one of them.",
        "Twice.first and Twice.second both claim the values of “old” from an older version of the "
          + "model; change `renamedFrom` of one of them.",
        "Constraint 1 in `uniqueConstraints` of Crowd is empty; name the properties it is about.",
        "Constraint 2 in `uniqueConstraints` of Crowd names something at place 1 that is not "
          + "an attribute or a to-one relationship of it; write it like \\Crowd.$property.",
        "Constraint 2 in `uniqueConstraints` of Crowd names something at place 2 that is not "
          + "an attribute or a to-one relationship of it; write it like \\Crowd.$property.",
        "Constraint 3 in `uniqueConstraints` of Crowd names something at place 2 that is not "
          + "an attribute or a to-one relationship of it; write it like \\Crowd.$property.",
        "The class Nameless has an empty `entityName`; give it a name.",
        "Crowd.members has a minimum count above its maximum count, or a negative one.",
      ])
  }

  @Test func twoClassesCannotClaimOneOldEntity() {
    #expect(
      faults(Renamed.self, RenamedToo.self) == [
        "Renamed and RenamedToo both claim the objects of “Thing” from an older version of the "
          + "model; change `renamedFrom` of one of them."
      ])
    #expect(
      faults(Thing.self, Renamed.self).first
        == "Thing and Renamed both claim the objects of “Thing” from an older version of the "
        + "model; change `renamedFrom` of one of them.")
  }

  @Test func propertiesMaySwapTheirNames() throws {
    let schema = try SwiftDatastoreModel(from: Swapped.self).schema
    #expect(schema.entities[0].properties.map(\.attribute?.renamedFrom) == ["second", "first"])
  }

  @Test func twoPropertiesOfOneNameAreAFault() {
    // A private property of the parent does not hide that of the child.
    #expect(
      faults(HiddenChild.self) == [
        "HiddenChild declares the property “code” twice; rename one of them."
      ])
  }

  @Test func anInverseIsInheritedFromAListedParentOnly() throws {
    #expect(faults(Pet.self, Cat.self, Owner.self) == [])
    #expect(
      faults(Cat.self, Owner.self) == [
        "Cat inherits “owner”, whose inverse Owner.pets leads to Pet; add Pet to the model, or declare "
          + "the relationship in Cat with an inverse of its own.",
        "Owner.pets leads to Pet, which is not part of the model; add Pet to it.",
      ])
  }

  @Test func constraintsOfAParentHoldForItsChildren() async throws {
    let model = try SwiftDatastoreModel(from: Plant.self, Tree.self)
    #expect(model.schema.entities.map(\.name) == ["Plant", "Tree"])
    #expect(model.schema.entities.map(\.description.renamedFrom) == ["Flora", nil])
    #expect(model.schema.entities.map(\.description.uniqueness) == [[["name"]], [["name"]]])
    let datastore = try SwiftDatastore(inMemory: model)
    try await datastore.newContext().perform { context in
      let plant: Plant = try context.createObject()
      plant.name = "Moss"
      let tree: Tree = try context.createObject()
      tree.name = "Oak"
      tree.height = 20
      try context.saveChanges()
      let plants: [Plant] = try context.fetch()
      #expect(plants == [plant, tree])
      let trees: [Tree] = try context.fetch(where: \.$name == "Oak" && \.$height > 10)
      #expect(trees == [tree])
      let second: Tree = try context.createObject()
      second.name = "Moss"
      #expect(throws: StoreError.self) { try context.saveChanges() }
    }
  }

  @Test func whatIsAllowedWorks() async throws {
    let model = try SwiftDatastoreModel(from: Author.self, Book.self)
    let datastore = try SwiftDatastore(inMemory: model)
    let context = datastore.newContext()
    try await context.perform { context in
      let authors: [Author] = try (0..<2).map { _ in try context.createObject() }
      let books: [Book] = try (0..<3).map { _ in try context.createObject() }
      authors[0].books = [books[2], books[0]]
      authors[1].books = [books[1], books[2]]
      #expect(books[2].authors == authors, "ordered on both sides")
      books[2].authors = [authors[1], authors[0]]
      authors[0].liked = [books[0], books[1]]
      authors[1].liked = [books[0]]
      try context.saveChanges()
    }
    try await datastore.newContext().perform { context in
      let authors: [Author] = try context.fetch()
      let books: [Book] = try context.fetch()
      #expect(authors[0].books == [books[2], books[0]])
      #expect(books[2].authors == [authors[1], authors[0]])
      #expect(authors[0].liked == [books[0], books[1]], "no inverse: many-to-many")
      #expect(authors[1].liked == [books[0]])
      books[0].editor = authors[1]
      books[1].editor = authors[1]
      try context.saveChanges()
      // A cascade from the many side deletes the one, and the other members lose it.
      context.deleteObject(books[0])
      try context.saveChanges()
      #expect(try context.fetch() == [authors[0]])
      #expect(books[1].editor == nil)
    }
  }

  private func faults(_ types: DatastoreObject.Type...) -> [String] {
    do {
      _ = try SwiftDatastoreModel(from: types)
      return []
    } catch let error as SchemaError {
      return error.faults.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }
}

private final class Nameless: DatastoreObject {
  override class var entityName: String { "" }
  @Attribute.Optional var note: String?
}

private final class Twice: DatastoreObject {
  @Attribute.Optional(renamedFrom: "tel") var phone: String?
  @Attribute.Optional var tel: String?
  @Attribute.Optional(renamedFrom: "old") var first: Int?
  @Attribute.Optional(renamedFrom: "old") var second: Int?
}

private final class Crowd: DatastoreObject {
  @Attribute.Optional var name: String?
  @Attribute.Virtual var isLoud = false
  @Relationship.ToMany(inverse: \.$crowds) var friends: Set<Stray>
  @Relationship.ToMany(minimumCount: 3, maximumCount: 2) var members: Set<Stray>

  override class var uniqueConstraints: [[AnyKeyPath]] {
    [[], [\Twice.$phone, \Crowd.name], [\Crowd.$name, \Crowd.$members]]
  }
}

private final class Stray: DatastoreObject {
  @Relationship.ToOne var crowds: Twice?
}

private final class Thing: DatastoreObject {
  @Attribute.Optional var note: String?
}

private final class Renamed: DatastoreObject {
  override class var renamedFrom: String? { "Thing" }
  @Attribute.Optional var note: String?
}

private final class RenamedToo: DatastoreObject {
  override class var renamedFrom: String? { "Thing" }
  @Attribute.Optional var note: String?
}

private final class Swapped: DatastoreObject {
  @Attribute.Optional(renamedFrom: "second") var first: Int?
  @Attribute.Optional(renamedFrom: "first") var second: Int?
}

private final class HiddenChild: HiddenParent {
  @Attribute.Optional var code: String?
}

private class Pet: DatastoreObject {
  @Relationship.ToOne(inverse: \.$pets) var owner: Owner?
}

private final class Cat: Pet {
  @Attribute.Optional var note: String?
}

private final class Owner: DatastoreObject {
  @Relationship.ToMany var pets: Set<Pet>
}

private class Plant: DatastoreObject {
  @Attribute.NotOptional var name: String

  override class var renamedFrom: String? { "Flora" }
  override class var uniqueConstraints: [[AnyKeyPath]] { [[\Plant.$name]] }
}

private final class Tree: Plant {
  @Attribute.NotOptional var height: Double = 1
}

private final class Author: DatastoreObject {
  @Relationship.ToMany.Ordered(inverse: \.$authors) var books: [Book]
  @Relationship.ToMany var liked: Set<Book>
  @Relationship.ToMany var edited: Set<Book>
}

private final class Book: DatastoreObject {
  @Relationship.ToMany.Ordered var authors: [Author]
  @Relationship.ToOne(inverse: \.$edited, deleteRule: .cascade) var editor: Author?
}
