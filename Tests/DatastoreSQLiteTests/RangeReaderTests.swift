import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

/// Fetching so many rows that several connections read them.
@Suite("Reading whole tables")
struct RangeReaderTests {
  private let folder: TemporaryDirectory
  private let statements = Statements()
  private let store: SQLiteStore
  private let tag: Entity

  /// Records the statements of connections, and runs a closure just before one of them begins to read ranges.
  private final class Statements: Sendable {
    private struct State {
      var ranges = 0
      var begun = 0
      var hook: (begin: Int, body: @Sendable () -> Void)?
    }

    private let state = Lock(State())

    var ranges: Int { state.withLock { $0.ranges } }

    func before(begin: Int, _ body: @escaping @Sendable () -> Void) {
      state.withLock {
        $0.begun = 0
        $0.hook = (begin, body)
      }
    }

    func record(_ sql: String) {
      let body = state.withLock { state -> (@Sendable () -> Void)? in
        if sql.contains("`_id` >= ?") { state.ranges += 1 }
        guard sql == "BEGIN", let hook = state.hook else { return nil }
        state.begun += 1
        guard state.begun == hook.begin else { return nil }
        state.hook = nil
        return hook.body
      }
      body?()
    }
  }

  init() throws {
    folder = try TemporaryDirectory()
    let statements = statements
    store = try SQLiteStore(
      CompanySchema.schema, at: folder.file("many.sqlite"), trace: { statements.record($0) })
    tag = try #require(store.schema.entity(named: "Tag"))
  }

  private func insert(_ count: Int) throws {
    let slot = try #require(tag.slot(named: "label"))
    var number = 0
    _ = try store.writeRows(entity: tag.index, key: nil) { rows in
      try rows.insertAll { page, row in
        guard number < count else { return false }
        page.setValue(.text("0"), row: row, slot: slot)
        number += 1
        return true
      }
    }
  }

  private func setLabels(_ label: String) throws {
    let slot = try #require(tag.slot(named: "label"))
    _ = try store.update(entity: tag.index, where: nil, assigning: [(slot, .text(label))])
  }

  private func rows(where predicate: Predicate? = nil) throws -> [(key: RowKey, label: Value)] {
    let slot = try #require(tag.slot(named: "label"))
    return try store.fetch(FetchRequest(entity: "Tag", predicate: predicate)).flatMap { page in
      (0..<page.rowCount).map { (page.key(ofRow: $0), page.value(row: $0, slot: slot)) }
    }
  }

  private var canReadRanges: Bool { ProcessInfo.processInfo.activeProcessorCount > 1 }

  @Test("All rows come once, by ascending key, also where keys are far apart")
  func order() throws {
    try insert(60_000)
    var changes = Changes(store)
    let far: [RowKey] = [
      RowKey(rawValue: .min), -5, 0, RowKey(1 << 40), RowKey(rawValue: .max - 1),
    ]
    for key in far {
      try changes.insert("Tag", key: key, ["label": "far"])
    }
    try changes.save()
    let keys = try rows().map(\.key)
    #expect(keys == far.prefix(3) + [RowKey](1...60_000) + far.suffix(2))
    #expect(statements.ranges > 0 || !canReadRanges)
  }

  @Test("Rows of a family come with their entities, those of a child alone")
  func family() throws {
    let label = PropertyDescription.attribute(AttributeDescription(name: "label", type: .string))
    let size = PropertyDescription.attribute(AttributeDescription(name: "size", type: .integer64))
    let schema = try Schema([
      EntityDescription(name: "Thing", properties: [label]),
      EntityDescription(name: "Box", properties: [label, size], parent: "Thing"),
    ])
    let statements = statements
    let store = try SQLiteStore(
      schema, at: folder.file("family.sqlite"), trace: { statements.record($0) })
    defer { try? store.close() }
    let (thing, box) = (schema.entities[0], schema.entities[1])
    for entity in [thing, box, thing] {
      var number = 0
      _ = try store.writeRows(entity: entity.index, key: nil) { rows in
        try rows.insertAll { page, row in
          guard number < 15_000 else { return false }
          page.setValue(.text(entity.name), row: row, slot: 0)
          if entity === box { page.setInteger(Int64(number), row: row, slot: 1) }
          number += 1
          return true
        }
      }
    }
    let all = try store.fetch(FetchRequest(entity: "Thing")).flatMap { page in
      (0..<page.rowCount).map { row in
        (page.key(ofRow: row), thing.index(ofRow: row, in: page), page.text(row: row, slot: 0))
      }
    }
    #expect(all.count == 45_000)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.0 < $1.0 })
    #expect(all.allSatisfy { schema.entities[$0.1].name == $0.2 })
    #expect(all.count { $0.1 == box.index } == 15_000)
    #expect(statements.ranges > 0 || !canReadRanges)
    let boxes = try store.fetch(FetchRequest(entity: "Box")).flatMap { page in
      (0..<page.rowCount).map { (page.key(ofRow: $0), page.integer(row: $0, slot: 1)) }
    }
    #expect(boxes.map(\.0) == all.filter { $0.1 == box.index }.map(\.0))
    #expect(boxes.map(\.1) == Array(0..<15_000))
  }

  @Test("A condition on a whole table is met by the same rows")
  func condition() throws {
    try insert(60_000)
    let isHigh = Predicate.comparison(.init(.keyPath([]), .notEqual, .value(.integer(4000))))
    #expect(try rows(where: isHigh).map(\.key) == [RowKey](1...60_000).filter { $0 != 4000 })
    #expect(statements.ranges > 0 || !canReadRanges)
  }

  @Test(
    "A save between the beginnings of two connections is seen by all rows or by none",
    arguments: [1, 2])
  func saveBetween(begin: Int) throws {
    try insert(40_000)
    // Connections are opened.
    _ = try rows()
    let store = store
    let entity = tag.index
    let slot = try #require(tag.slot(named: "label"))
    statements.before(begin: begin) {
      do {
        _ = try store.update(entity: entity, where: nil, assigning: [(slot, .text("1"))])
      } catch {
        preconditionFailure("\(error)")
      }
    }
    // The rows are read again by one connection, after the save.
    #expect(Set(try rows().map(\.label)) == [canReadRanges ? "1" : "0"])
  }

  @Test("While others save without a pause, every fetch sees one state")
  func saving() async throws {
    try insert(40_000)
    let writer = Task.detached { [self] in
      for number in 1...15 { try setLabels("\(number)") }
    }
    for _ in 0..<15 {
      let labels = try rows().map(\.label)
      #expect(labels.count == 40_000)
      #expect(Set(labels).count == 1)
    }
    try await writer.value
  }

  @Test("Ranges make up the whole, and do not overlap")
  func split() {
    let all: [ClosedRange<RowKey>] = [
      RowKey(rawValue: .min)...RowKey(rawValue: .max), 0...0, 5...6, -3...100,
      RowKey(rawValue: .max - 2)...RowKey(rawValue: .max),
    ]
    for keys in all {
      let ranges = RangeReader.split(keys, into: 16)
      #expect(ranges.first?.lowerBound == keys.lowerBound)
      #expect(ranges.last?.upperBound == keys.upperBound)
      for (one, next) in zip(ranges, ranges.dropFirst()) {
        #expect(one.upperBound + 1 == next.lowerBound)
      }
      #expect(ranges.count <= 16)
    }
  }
}
