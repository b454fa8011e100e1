import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: any order, limit, condition, group over several stores → as in one store.
/// Random work on one class in two files and a store in memory, against a model in memory. A case is one
/// step.
@Suite("A class in several stores: random work against a model")
struct SharedClassPropertyTests {
  /// The expected values of one object.
  private struct Row {
    /// The number of its store, and the time of its creation: they order equal objects.
    let store: Int
    let label: Int
    var number: Int
    var name: String?
    var weight: Double
    var price: Decimal?
    var heap: Int?
  }

  private struct Contents {
    var rows: [Row] = []
    /// By number, the name and the store of a heap.
    var heaps: [Int: String] = [:]
  }

  private static let names = [nil, "a", "B", "b", "é", "e\u{301}", "zz"]

  @Test(arguments: RandomCases.rounds(of: 100))
  @MainActor
  func everyAnswerIsThatOfOneStore(round: Int) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let files = try SharedFiles()
    let datastore = try files.open()
    let context = datastore.newLocalContext()
    var heaps: [Heap] = []
    var saved = Contents()
    for number in 0..<6 {
      let heap: Heap = try context.createObject(in: files.stores[number % 3])
      heap.name = "heap \(number / 3)"
      heaps.append(heap)
      saved.heaps[number] = heap.name
    }
    try context.saveChanges()
    var staged = saved
    var isStaged = false
    let (key, isAscending) = (random.below(Self.keys.count), random.below(2) == 0)
    let list = FetchedObjectsController(
      viewContext: datastore.sharedViewContext,
      From<Pebble>().sectionBy(\.$name).orderBy(Self.keys[key].order(isAscending)))
    try await list.performFetch()
    for step in 0..<100 {
      let place: Comment = "seed \(seed), step \(step)"
      switch random.below(12) {
      case 0...6:
        try change(&staged, in: context, files, heaps, step, &random)
        isStaged = true
      case 7:
        context.revertChanges()
        (staged, isStaged) = (saved, false)
      case 8 where !isStaged:
        let least = random.below(8)
        let store = random.below(4)
        let query = From<Pebble>().where(\.$number >= least)
        let meant = store < 3 ? query.affectedStores([files.stores[store]]) : query
        let count = try context.updateMany(meant, propertiesToUpdate: [.init(\.$weight, 2)])
        for index in staged.rows.indices
        where staged.rows[index].number >= least
          && (store == 3 || staged.rows[index].store == store)
        {
          staged.rows[index].weight = 2
        }
        #expect(
          count == staged.rows.count { $0.number >= least && (store == 3 || $0.store == store) },
          place)
        saved = staged
      case 9 where !isStaged:
        let least = 6 + random.below(3)
        try context.deleteMany(Pebble.self, where: \.$number >= least)
        staged.rows.removeAll { $0.number >= least }
        saved = staged
      default:
        try context.saveChanges()
        (saved, isStaged) = (staged, false)
      }
      try compareFetches(context, staged, files, &random, place)
      try compareSummaries(context, saved, &random, place)
      await drainMainQueue()
      await list.settled()
      compare(list, saved, Self.keys[key], isAscending, place)
    }
    // Others read the content of the stores.
    let all: [Pebble] = try context.fetch(orderBy: [.asc(\.$label)])
    context.revertChanges()
    let other = try files.open([files.two, files.one]).newLocalContext()
    #expect(
      try (other.fetch(orderBy: [.asc(\.$label)]) as [Pebble]).map(\.label)
        == saved.rows.filter { $0.store < 2 }.map(\.label).sorted(), "seed \(seed)")
    withExtendedLifetime(all) {}
    #expect(try datastore.integrityFaults().isEmpty)
  }

  private func change(
    _ staged: inout Contents, in context: some ObjectContext, _ files: SharedFiles,
    _ heaps: [Heap], _ step: Int, _ random: inout SeededRandom
  ) throws {
    if random.below(2) == 0 || staged.rows.isEmpty {
      let store = random.below(3)
      let pebble: Pebble = try context.createObject(in: files.stores[store])
      var row = Row(
        store: store, label: step, number: random.below(8),
        name: Self.names[random.below(Self.names.count)], weight: Double(random.below(4)),
        price: random.below(3) == 0 ? nil : Decimal(random.below(300)) / 100)
      (pebble.label, pebble.number, pebble.name) = (step, row.number, row.name)
      (pebble.weight, pebble.price) = (row.weight, row.price)
      if random.below(2) == 0 {
        row.heap = store + 3 * random.below(2)
        pebble.heap = row.heap.map { heaps[$0] }
      }
      staged.rows.append(row)
      return
    }
    let index = random.below(staged.rows.count)
    let label = staged.rows[index].label
    guard let pebble: Pebble = try context.fetchFirst(where: \.$label == label) else {
      Issue.record("\(label) is not there")
      return
    }
    switch random.below(4) {
    case 0:
      context.deleteObject(pebble)
      staged.rows.remove(at: index)
    case 1:
      staged.rows[index].number = random.below(8)
      pebble.number = staged.rows[index].number
    case 2:
      staged.rows[index].name = Self.names[random.below(Self.names.count)]
      pebble.name = staged.rows[index].name
    default:
      let heap = staged.rows[index].store + 3 * random.below(2)
      staged.rows[index].heap = heap
      pebble.heap = heaps[heap]
    }
  }

  // MARK: Comparing

  /// Something to sort by, here and in the store.
  private struct Key: Sendable {
    let order: @Sendable (_ isAscending: Bool) -> OrderBy<Pebble>
    let value: @Sendable (Row, Contents) -> Value
  }

  private static let keys: [Key] = [
    Key(
      order: { $0 ? .asc(\.$number) : .desc(\.$number) },
      value: { row, _ in .integer(Int64(row.number)) }),
    Key(
      order: { $0 ? .asc(\.$name) : .desc(\.$name) },
      value: { row, _ in row.name.map { .text($0) } ?? .null }),
    Key(
      order: { $0 ? .asc(\.$weight) : .desc(\.$weight) },
      value: { row, _ in .real(row.weight) }),
    Key(
      order: { $0 ? .asc(\.$price) : .desc(\.$price) },
      value: { row, _ in
        row.price.map { .real(NSDecimalNumber(decimal: $0).doubleValue) } ?? .null
      }),
    Key(
      order: { $0 ? .asc(\.$heap ~ \.$name) : .desc(\.$heap ~ \.$name) },
      value: { row, contents in
        row.heap.flatMap { contents.heaps[$0] }.map { .text($0) } ?? .null
      }),
  ]

  private static func sorted(
    _ contents: Contents, by keys: [(Key, isAscending: Bool)]
  ) -> [Row] {
    // Within a store, rows are made one after the other.
    contents.rows.sorted { left, right in
      for (key, isAscending) in keys {
        let ordering = Value.compare(key.value(left, contents), key.value(right, contents))
        if ordering != .same { return (ordering == .ascending) == isAscending }
      }
      return (left.store, left.label) < (right.store, right.label)
    }
  }

  private func compareFetches(
    _ context: some ObjectContext, _ staged: Contents, _ files: SharedFiles,
    _ random: inout SeededRandom, _ place: Comment
  ) throws {
    let keys = (0..<random.below(3)).map { _ in
      (Self.keys[random.below(Self.keys.count)], isAscending: random.below(2) == 0)
    }
    let (offset, limit, least) = (random.below(4), random.below(6), random.below(8))
    let stores = (0..<3).filter { _ in random.below(3) > 0 }
    var query = From<Pebble>().orderBy(keys.map { $0.0.order($0.isAscending) })
      .offset(offset).limit(limit)
    var expected = Self.sorted(staged, by: keys)
    switch random.below(4) {
    case 0:
      query = query.where(\.$number >= least)
      expected.removeAll { $0.number < least }
    case 1:
      query = query.where(\.$heap ~ \.$name == "heap 1")
      expected.removeAll { $0.heap.flatMap { staged.heaps[$0] } != "heap 1" }
    default: break
    }
    if !stores.isEmpty, stores.count < 3 {
      query = query.affectedStores(stores.map { files.stores[$0] })
      expected.removeAll { !stores.contains($0.store) }
    }
    let rest = expected.dropFirst(offset)
    let labels = (limit > 0 ? rest.prefix(limit) : rest).map(\.label)
    #expect(try context.fetch(query).map(\.label) == labels, "\(place): \(query)")
    #expect(try context.count(query) == labels.count, "\(place): \(query)")
    let ids = try context.fetchIDs(query)
    #expect(
      try ids.map { try (context.object(with: $0) as Pebble).label } == labels, "\(place): \(query)"
    )
  }

  private func compareSummaries(
    _ context: some ObjectContext, _ saved: Contents, _ random: inout SeededRandom,
    _ place: Comment
  ) throws {
    let least = random.below(8)
    let rows = saved.rows.filter { $0.number >= least }
    let condition: Where<Pebble> = \.$number >= least
    let (count, sum, mean, lowest, different) =
      try context.firstRow(
        From<Pebble>().where(condition).select(
          .count(), .sum(\.$weight), .average(\.$weight), .minimum(\.$name),
          .count(distinct: \.$name))) ?? (0, 0, 0, nil, 0)
    #expect(count == rows.count, place)
    #expect((sum ?? 0) == rows.reduce(0) { $0 + $1.weight }, place)
    let expected = rows.isEmpty ? nil : rows.reduce(0) { $0 + $1.weight } / Double(rows.count)
    #expect(
      mean.flatMap { mean in expected.map { abs($0 - mean) < 1e-9 } } ?? (expected == nil), place)
    let bytes = Set(rows.compactMap { $0.name.map { Array($0.utf8) } })
    #expect(
      lowest.map { Array($0.utf8) } == bytes.min { $0.lexicographicallyPrecedes($1) }, place)
    #expect(different == bytes.count, place)
    // Groups by ascending value, those of one value in all stores together.
    let groups = try context.aggregates(
      .count(), .maximum(\.$number), of: Pebble.self, groupBy: \.$weight, where: condition,
      having: [Having(.count(), .greaterThan, 1)])
    let known = Dictionary(grouping: rows, by: \.weight).filter { $0.value.count > 1 }
      .sorted { $0.key < $1.key }
    #expect(groups.map(\.group) == known.map(\.key), place)
    #expect(groups.map(\.values.0) == known.map(\.value.count), place)
    #expect(groups.map(\.values.1) == known.map { $0.value.map(\.number).max() }, place)
    // Only some of the objects, and rows of values in their order.
    let (offset, limit) = (random.below(3), 1 + random.below(5))
    let key = (Self.keys[random.below(Self.keys.count)], isAscending: random.below(2) == 0)
    let query = From<Pebble>().orderBy(key.0.order(key.isAscending)).offset(offset).limit(limit)
    let some = Self.sorted(saved, by: [key]).dropFirst(offset).prefix(limit)
    let values = try context.rows(query.select(\.$label, \.$weight))
    #expect(values.map(\.0) == some.map(\.label), "\(place): \(query)")
    #expect(values.map(\.1) == some.map(\.weight), "\(place): \(query)")
    let distinct = try context.rows(
      From<Pebble>().orderBy(.asc(\.$number)).select(\.$number).distinct())
    #expect(distinct == Set(saved.rows.map(\.number)).sorted(), place)
  }

  @MainActor
  private func compare(
    _ list: FetchedObjectsController<Pebble>, _ saved: Contents, _ key: Key, _ isAscending: Bool,
    _ place: Comment
  ) {
    let name = Self.keys[1]
    let isNamed = key.order(true) == name.order(true)
    let expected = Self.sorted(
      saved, by: [(name, isAscending: !isNamed || isAscending), (key, isAscending)])
    var sections: [[Int]] = []
    var last: [UInt8]??
    for row in expected {
      let bytes = row.name.map { Array($0.utf8) }
      if last == .some(bytes) {
        sections[sections.count - 1].append(row.label)
      } else {
        sections.append([row.label])
        last = .some(bytes)
      }
    }
    let shown = (0..<list.numberOfSections).map { section in
      (0..<list.numberOfObjects(inSection: section)).map { row in
        list.getObject(at: IndexPath(row: row, section: section))?.label ?? -1
      }
    }
    #expect(shown.filter { !$0.isEmpty } == sections, place)
  }
}
