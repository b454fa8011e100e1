import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Lists by year, month and day of dates stay right while dates are changed, saved and merged.
@MainActor
@Suite(
  "Lists grouped by parts of dates",
  .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
struct DateGroupTests {
  private func sections(_ controller: FetchedObjectsController<DynamicObject>) -> [String] {
    var start = 0
    return (0..<controller.numberOfSections).map { section in
      let end = start + controller.numberOfObjects(inSection: section)
      let keys = (start..<end).map { "\(controller.object(at: $0)?.key ?? -1)" }
      start = end
      return "\(controller.sectionName(inSection: section) ?? ""): \(keys.joined(separator: " "))"
    }
  }

  @Test("Random changes of dates, staged and saved by others", arguments: [DatePart.year, .month])
  func changes(part: DatePart) async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, created_at INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      INSERT INTO log SELECT i, 1000 * (1672531200 + i * 1296000) FROM n;
      """)
    var options = SwiftDatastore.Options()
    options.annotations = SchemaAnnotations()
    let datastore = try SwiftDatastore(opening: file.url, options: options)
    let view = datastore.sharedViewContext
    let path = ["created_at", part.step]
    let controller = try FetchedObjectsController<DynamicObject>(
      viewContext: view,
      request: FetchRequest(
        entity: "log", sortDescriptors: [SortDescriptor(["created_at"], ascending: part == .year)]),
      groupBy: path)
    try await controller.performFetch()
    var random = SeededRandom(seed: RandomCases.seed(part.code))
    for step in 0..<60 {
      // Others change other rows, so that nothing is a conflict.
      let isElsewhere = step.isMultiple(of: 3)
      let id = Int64.random(in: isElsewhere ? 1...30 : 31...60, using: &random)
      let date: Value =
        [
          .null, .integer(17),
          .integer(1000 * Int64.random(in: 1_672_531_200..<1_767_225_600, using: &random)),
        ].randomElement(using: &random) ?? .null
      if isElsewhere {
        try await datastore.newContext().perform { context in
          let objects: [DynamicObject] = try context.fetch(
            FetchRequest(
              entity: "log",
              predicate: .comparison(.init(.keyPath(["id"]), .equal, .value(.integer(id))))))
          objects.first?["created_at"] = date
          try context.saveChanges()
        }
      } else {
        let object = try await view.load(entity: 0, keys: [RowKey(id)]).first
        object?["created_at"] = date
        view.processPendingChanges()
        if step.isMultiple(of: 5) { try view.saveChanges() }
      }
      await drainMainQueue()
      await controller.settled()
      let fresh = try FetchedObjectsController<DynamicObject>(
        viewContext: view, request: controller.request, groupBy: path)
      try await fresh.performFetch()
      #expect(
        sections(controller) == sections(fresh), "seed \(random.seed), step \(step): \(id), \(date)"
      )
    }
    try view.saveChanges()
    let format = part == .year ? "%Y" : "%Y-%m"
    let order = part == .year ? "part" : "part DESC"
    let counts = try file.run(
      """
      SELECT strftime('\(format)', created_at / 1000, 'unixepoch') AS part, count(*) FROM log \
      WHERE created_at > 17 GROUP BY 1 ORDER BY \(order)
      """)
    let own = (0..<controller.numberOfSections).compactMap { section -> String? in
      guard let name = controller.sectionName(inSection: section), name.hasPrefix("20") else {
        return nil
      }
      return "\(name)|\(controller.numberOfObjects(inSection: section))"
    }
    #expect(own.joined(separator: "\n") == counts)
    try datastore.close()
  }
}
