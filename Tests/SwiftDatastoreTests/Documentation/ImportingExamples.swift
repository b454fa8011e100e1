import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// The code of Importing.md, to the letter.

struct Report: Decodable, Sendable {
  var place: String
  var degrees: Double?
}

final class Reading: DatastoreObject {
  @Attribute.NotOptional var place: String
  @Attribute.NotOptional var degrees: Double
}

extension Reading: ImportableObject {
  typealias ImportSource = Report

  struct NoValue: Error {}

  static func shouldInsert(from source: Report, in context: any ObjectContext) -> Bool {
    !source.place.isEmpty
  }

  func didInsert(from source: Report, in context: any ObjectContext) throws {
    guard let degrees = source.degrees else { throw NoValue() }
    place = source.place
    self.degrees = degrees
  }
}

final class Article: DatastoreObject {
  @Attribute.NotOptional(unique: true) var number: String
  @Attribute.NotOptional var title: String
  @Relationship.ToOne(inverse: \.$articles) var group: ArticleGroup?
}

extension Article: ImportableUniqueObject {
  typealias ImportSource = [String: String]
  static let uniqueIDKeyPath = UniqueIDKeyPath(\Article.$number)

  static func uniqueID(from source: ImportSource, in context: any ObjectContext) -> String? {
    source["number"]
  }

  func update(from source: ImportSource, in context: any ObjectContext) throws {
    title = source["title"] ?? "untitled"
    group = try source["group"].flatMap {
      try context.importUniqueObject(ArticleGroup.self, from: $0)
    }
  }
}

final class ArticleGroup: DatastoreObject {
  @Attribute.NotOptional(unique: true) var name: String
  @Relationship.ToMany var articles: Set<Article>
}

extension ArticleGroup: ImportableUniqueObject {
  typealias ImportSource = String
  static let uniqueIDKeyPath = UniqueIDKeyPath(\ArticleGroup.$name)

  static func uniqueID(from source: String, in context: any ObjectContext) -> String? { source }

  func update(from source: String, in context: any ObjectContext) {}
}

enum ImportingArticle {
  static func makeStore() throws -> SwiftDatastore {
    try SwiftDatastore(
      inMemory: SwiftDatastoreModel(from: Reading.self, Article.self, ArticleGroup.self))
  }

  @MainActor
  @Suite struct ImportingExamples {
    private let sources: [[String: String]] = [
      ["number": "A1", "title": "Nut", "group": "Small"], ["number": "A2", "group": "Small"],
      ["title": "Nothing"], ["number": "A1", "title": "Bolt", "group": "Large"],
    ]

    @Test func importing() async throws {
      let datastore = try makeStore()
      let json = Data(
        #"[{"place": "Oslo", "degrees": -3.5}, {"place": ""}, {"place": "Rome", "degrees": 12}]"#
          .utf8)
      try await datastore.write { context in
        let reports = try JSONDecoder().decode([Report].self, from: json)
        try context.importObjects(Reading.self, from: reports)
      }
      let context = datastore.sharedViewContext
      #expect(try context.count(Reading.self) == 2)

      let articles = try context.importUniqueObjects(Article.self, from: sources)
      #expect(articles.map(\.title) == ["Bolt", "untitled"])
      #expect(articles.map { $0.group?.name } == ["Large", "Small"])
      try context.importUniqueObjects(
        Article.self, from: sources,
        preProcess: { sources in sources.filter { $0.value["title"] != nil } })
      #expect(try context.count(Article.self) == 2)
      try context.saveChanges()

      let imported = try await datastore.importUniqueObjects(
        Article.self, from: sources,
        progress: { progress in print("\(progress.completed) of \(progress.total ?? 0)") })
      #expect(imported == articles)
      try context.importUniqueObjects(Article.self, from: sources, savingEvery: 10_000)
      #expect(!context.hasChanges)
    }

    @Test func failing() async throws {
      let context = try makeStore().sharedViewContext
      let reports = [Report(place: "Oslo", degrees: 1), Report(place: "Rome")]
      var printed: [String] = []
      func print(_ fault: ImportFault) { printed.append("\(fault)") }
      do {
        try context.importObjects(Reading.self, from: reports)
      } catch let fault as ImportFault {
        print(fault)  // Record 2 (Reading) could not be imported: NoValue()
        if case .thrown(is Reading.NoValue) = fault.reason { context.revertChanges() }
      }
      #expect(printed == ["Record 2 (Reading) could not be imported: NoValue()"])
      #expect(!context.hasChanges)
    }

    @Test func upserting() async throws {
      let context = try makeStore().sharedViewContext
      for name in ["Small", "Large"] {
        try context.importUniqueObject(ArticleGroup.self, from: name)
      }
      try context.saveChanges()
      let sources = [sources[0], ["number": "A7", "title": "Nail", "group": "Large"]]
      let result = try context.upsert(Article.self, from: sources, key: \.$number) { source in
        [
          .init(\.$number, source["number"]), .init(\.$title, source["title"] ?? "untitled"),
          .init(\.$group, keyedBy: \.$name, source["group"]),
        ]
      }
      print(result.insertedCount, result.updatedCount)
      #expect(result.insertedCount == 2)
      let groups: [ArticleGroup] = try context.fetch(orderBy: [.asc(\.$name)])
      #expect(groups.map { $0.articles.map(\.number) } == [["A7"], ["A1"]])
    }

    @Test func leavingOut() async throws {
      let context = try makeStore().sharedViewContext
      try context.importUniqueObject(ArticleGroup.self, from: "Small")
      try context.saveChanges()
      func report(_ fault: ImportFault, _ source: [String: String]) { print(fault) }
      let rest = try context.upsert(
        Article.self, from: sources, key: \.$number, faults: report
      ) { source in
        [
          .init(\.$number, source["number"]), .init(\.$title, source["title"]),
          .init(\.$group, keyedBy: \.$name, source["group"]),
        ]
      }
      print("left out: \(rest.skippedCount)")
      #expect(rest.skippedCount == 3 && rest.insertedCount == 1)
    }
  }
}
