import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Random work over two stores, saved or refused as a whole, against a model in memory. A case is one step.
@Suite("Several stores: random work against a model")
struct RandomStoresTests {
  /// The staged or saved rows of both stores, by name and by number.
  private struct Contents: Equatable {
    var authors: [String: Int] = [:]
    /// The texts of the photos of each sheet, in their order.
    var sheets: [Int: [String]] = [:]

    /// As the sqlite3 program writes it.
    var lines: [[String]] {
      [
        authors.map { "\($0)|\($1)" }.sorted(),
        sheets.map { "\($0)|\($1.joined(separator: ","))" }.sorted(),
      ]
    }
  }

  @Test(arguments: RandomCases.rounds(of: 100))
  func everySaveIsInBothOrInNone(round: Int) throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let files = try DividedFiles()
    let datastore = try files.open()
    let context = datastore.newLocalContext()
    let programs = try [SQLiteProgram(files.kept), SQLiteProgram(files.cache)]
    for program in programs { _ = program.run(".timeout 30000") }
    var saved = Contents()
    var staged = Contents()
    for step in 0..<100 {
      switch random.below(10) {
      case 0...5: try change(&staged, in: context, &random)
      case 6:
        context.revertChanges()
        staged = saved
      case 7:
        // One store refuses it: nothing is saved, and staged changes stay staged.
        let side = random.below(2)
        try refuse(side, programs) {
          let before = saved
          do {
            try context.saveChanges()
            saved = staged
          } catch is StoreError {
            #expect(saved == before)
          }
        }
      default:
        try context.saveChanges()
        saved = staged
      }
      let place: Comment = "seed \(seed), step \(step)"
      #expect(lines(programs) == saved.lines, place)
      #expect(try contents(of: context) == staged, place)
    }
    #expect(try datastore.incompleteSaves().isEmpty)
    #expect(try datastore.integrityFaults().isEmpty)
    // Others that open the stores find the same.
    context.revertChanges()
    #expect(try contents(of: try files.open().newLocalContext()) == saved, "seed \(seed)")
  }

  private func change(
    _ staged: inout Contents, in context: some ObjectContext, _ random: inout SeededRandom
  ) throws {
    let name = "author \(random.below(6))"
    let number = random.below(6)
    switch random.below(6) {
    case 0 where staged.authors[name] == nil:
      let author: Poet = try context.createObject()
      author.name = name
      staged.authors[name] = 0
    case 1:
      guard let author = try self.author(name, in: context) else { return }
      author.age += 1
      staged.authors[name, default: 0] += 1
    case 2:
      guard let author = try self.author(name, in: context) else { return }
      context.deleteObject(author)
      staged.authors[name] = nil
    case 3 where staged.sheets[number] == nil:
      let sheet: Sheet = try context.createObject()
      sheet.number = number
      staged.sheets[number] = []
    case 4:
      guard let sheet = try self.sheet(number, in: context) else { return }
      let photo: Photo = try context.createObject()
      photo.text = "photo \(random.below(100))"
      sheet.entries.insert(photo, at: 0)
      staged.sheets[number]?.insert(photo.text, at: 0)
    default:
      guard let sheet = try self.sheet(number, in: context) else { return }
      for entry in sheet.entries { context.deleteObject(entry) }
      context.deleteObject(sheet)
      staged.sheets[number] = nil
    }
  }

  private func author(_ name: String, in context: some ObjectContext) throws -> Poet? {
    try context.fetchFirst(where: \.$name == name)
  }

  private func sheet(_ number: Int, in context: some ObjectContext) throws -> Sheet? {
    try context.fetchFirst(where: \.$number == number)
  }

  private func contents(of context: some ObjectContext) throws -> Contents {
    var contents = Contents()
    let authors: [Poet] = try context.fetch()
    for author in authors { contents.authors[author.name] = author.age }
    let sheets: [Sheet] = try context.fetch()
    for sheet in sheets { contents.sheets[sheet.number] = sheet.entries.map(\.text) }
    return contents
  }

  /// Has a trigger refuse all that is written to one of the stores meanwhile.
  private func refuse(_ side: Int, _ programs: [SQLiteProgram], _ body: () throws -> Void) rethrows
  {
    let tables = side == 0 ? ["Poet"] : ["Sheet", "Clipping"]
    for (number, table) in tables.enumerated() {
      for event in ["INSERT", "UPDATE", "DELETE"] {
        let lines = programs[side].run(
          """
          CREATE TRIGGER refusing_\(number)_\(event) BEFORE \(event) ON \(table)
          BEGIN SELECT RAISE(ABORT, 'not now'); END
          """)
        #expect(lines.isEmpty)
      }
    }
    defer {
      for number in tables.indices {
        for event in ["INSERT", "UPDATE", "DELETE"] {
          _ = programs[side].run("DROP TRIGGER refusing_\(number)_\(event)")
        }
      }
    }
    try body()
  }

  private func lines(_ programs: [SQLiteProgram]) -> [[String]] {
    [
      programs[0].run("SELECT name, age FROM Poet").sorted(),
      programs[1].run(
        """
        SELECT number, coalesce((SELECT group_concat(text, ',') FROM
        (SELECT text FROM Clipping WHERE sheet = Sheet._id ORDER BY _order_entries)), '') FROM Sheet
        """
      ).sorted(),
    ]
  }
}
