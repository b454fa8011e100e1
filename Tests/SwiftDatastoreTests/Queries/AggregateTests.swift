import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

private final class Sample: DatastoreObject {
  @Attribute.NotOptional var tiny: Int8 = 0
  @Attribute.NotOptional var unsigned: UInt32 = 0
  @Attribute.NotOptional var whole: Int = 0
  @Attribute.NotOptional var isGood: Bool = false
  @Attribute.NotOptional var single: Float = 0
  @Attribute.NotOptional var price: Decimal = 0
  @Attribute.NotOptional var taken: Date = Date(timeIntervalSinceReferenceDate: 0)
  @Attribute.NotOptional var label: String = ""
  @Attribute.Optional var rank: Int?
  @Relationship.ToOne(inverse: \.$samples) var station: Station?
}

private final class Station: DatastoreObject {
  @Attribute.NotOptional var name: String = ""
  @Relationship.ToMany var samples: Set<Sample>
}

// Promise: an aggregate of a query with an order, a limit or an offset → the order alone makes no
// difference; a limit and an offset say which objects count, on files and servers.
/// One value of many objects: which objects it covers, and its type.
@Suite("Aggregates")
struct AggregateTests {
  private func filled(_ engine: TestEngine) async throws -> SwiftDatastore {
    let datastore = try engine.makeDatastore(
      SwiftDatastoreModel(from: Sample.self, Station.self))
    try await datastore.write { context in
      let stations = try ["North", "South"].map { name in
        let station: Station = try context.createObject()
        station.name = name
        return station
      }
      for number in 1...5 {
        let sample: Sample = try context.createObject()
        sample.tiny = 100
        sample.unsigned = .max
        sample.whole = number
        sample.isGood = number > 2
        sample.single = 0.25
        sample.price = Decimal(number) / 4
        sample.taken = Date(timeIntervalSinceReferenceDate: Double(number))
        sample.label = ["b", "e", "a", "d", "c"][number - 1]
        sample.rank = number == 3 ? nil : number
        sample.station = number < 5 ? stations[number % 2] : nil
      }
    }
    return datastore
  }

  @Test(
    "An order alone changes nothing; a limit and an offset say which objects count",
    arguments: TestEngine.allCases)
  func windows(engine: TestEngine) async throws {
    try await filled(engine).newContext().perform { context in
      let all = From<Sample>()
      let byLabel = all.orderBy(.desc(\.$label))  // whole: 2, 4, 5, 1, 3
      #expect(try context.firstRow(byLabel.select(.maximum(\.$whole))) == 5)
      #expect(try context.firstRow(byLabel.limit(2).select(.sum(\.$whole))) == 6)
      #expect(try context.firstRow(byLabel.offset(3).select(.sum(\.$whole))) == 4)
      #expect(try context.firstRow(byLabel.offset(1).limit(2).select(.count())) == 2)
      #expect(try context.firstRow(byLabel.offset(5).select(.count())) == 0)
      #expect(try context.firstRow(byLabel.offset(5).select(.sum(\.$whole))) == .some(nil))
      // Without an order by key, missing values first, and along relationships.
      #expect(try context.firstRow(all.limit(2).select(.sum(\.$whole))) == 3)
      #expect(
        try context.firstRow(all.orderBy(.asc(\.$rank)).limit(1).select(.maximum(\.$whole))) == 3)
      let southern = all.orderBy(.desc(\Sample.$station ~ \.$name), .asc(\.$whole)).limit(2)
      let row = try #require(
        try context.firstRow(
          southern.select(.count(), .sum(\.$whole), .maximum(\Sample.$station ~ \.$name))))
      #expect(row.0 == 2 && row.1 == 4 && row.2 == "South")
      // Conditions come first, also later ones, and so does an order of the only row.
      let few = byLabel.limit(2).select(.sum(\.$whole)).where(\.$whole < 4)
      #expect(try context.rows(few) == [3])
      #expect(
        few.description
          == "SELECT sum(whole) FROM (FROM Sample WHERE whole < 4 ORDER BY label desc LIMIT 2)")
      #expect(try context.rows(all.select(.count()).orderBy(.asc(\.$label))) == [5])
      #expect(try context.rows(all.select(.count()).offset(1)).isEmpty)
      #expect(
        byLabel.limit(2).select(.count()) != all.limit(2).select(.count())
          && byLabel.select(.count()) == all.select(.count()))
      // By name, and by the number of related objects.
      let named = try context.dictionaries(
        byLabel.limit(2).dictionaries(.sum(\.$whole), .count(\.$rank, as: "number")))
      #expect(named.map { $0["sum(whole)"] as? Int } == [6])
      #expect(named.map { $0["number"] as? Int } == [2])
      let stations = From<Station>().orderBy(.desc(\.$samples.count), .asc(\.$name)).limit(1)
      #expect(try context.firstRow(stations.select(.minimum(\.$name))) == "North")
    }
  }

  @Test("Any window of any order is that of the objects themselves", arguments: TestEngine.allCases)
  func randomWindows(engine: TestEngine) async throws {
    let context = try await filled(engine).newContext()
    for round in RandomCases.rounds(of: engine == .sqlite ? 50 : 200) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let orders: [OrderBy<Sample>] = [
        .asc(\.$label), .desc(\.$rank), .asc(\.$isGood), .desc(\.$price),
        .asc(\Sample.$station ~ \.$name),
      ].shuffled(using: &random)
      let query = From<Sample>().where(\.$whole > random.below(3))
        .orderBy(Array(orders.prefix(random.below(3)))).offset(random.below(4))
        .limit(random.below(5))
      let note: Comment = "seed \(random.seed): \(query)"
      try await context.perform { context in
        let objects = try context.fetch(query)
        let row = try #require(
          try context.firstRow(
            query.select(.count(), .sum(\.$whole), .minimum(\.$label), .average(\.$rank))))
        #expect(row.0 == objects.count, note)
        #expect(row.1 == (objects.isEmpty ? nil : objects.reduce(0) { $0 + $1.whole }), note)
        #expect(row.2 == objects.map(\.label).min(), note)
        let ranks = objects.compactMap(\.rank)
        #expect(
          row.3 == (ranks.isEmpty ? nil : Double(ranks.reduce(0, +)) / Double(ranks.count)), note)
      }
    }
  }

  // Promise: an aggregate whose kind says its type → one type by typed key paths, by dictionaries and by
  // CoreStore's `Select`; what does not fit is an error.
  // Also: `AggregateTests.tooGreat`, `ClauseTests.aggregates`
  @Test("The type follows from what is computed, typed and by name", arguments: TestEngine.allCases)
  func types(engine: TestEngine) async throws {
    try await filled(engine).newContext().perform { context in
      let all = From<Sample>()
      // With these types, or this would not compile.
      let sums: (Int?, Int?, Int?, Int?, Double?, Decimal?, Double?)? = try context.firstRow(
        all.select(
          .sum(\.$tiny), .sum(\.$unsigned), .sum(\.$whole), .sum(\.$isGood), .sum(\.$single),
          .sum(\.$price), .sum(\.$taken)))
      let row = try #require(sums)
      #expect(row.0 == 500 && row.1 == 5 * Int(UInt32.max) && row.2 == 15 && row.3 == 3)
      #expect(row.4 == 1.25 && row.5 == Decimal(15) / 4 && row.6 == 15)
      let groups = try context.rows(
        all.groupBy(\.$isGood).having(.sum(\.$tiny), .greaterThan, 200).select(.sum(\.$tiny)))
      #expect(groups.map(\.values) == [300])

      func named(_ function: String, _ names: [String]) throws -> [[String: Any]] {
        try context.dictionaries(
          all.dictionaries(
            names.map { try SelectedAttribute(function: function, named: $0, as: $0) }))
      }
      let numbers = ["tiny", "unsigned", "whole", "isGood", "single", "price", "taken"]
      let typed = try context.dictionaries(
        all.dictionaries(
          .sum(\.$tiny, as: "tiny"), .sum(\.$unsigned, as: "unsigned"),
          .sum(\.$whole, as: "whole"), .sum(\.$isGood, as: "isGood"),
          .sum(\.$single, as: "single"), .sum(\.$price, as: "price"), .sum(\.$taken, as: "taken")))
      for sums in [try named("sum", numbers), typed] {
        let sums = try #require(sums.first)
        #expect(sums["tiny"] as? Int == 500 && sums["unsigned"] as? Int == 5 * Int(UInt32.max))
        #expect(sums["whole"] as? Int == 15 && sums["isGood"] as? Int == 3)
        #expect(!(sums["isGood"] is Bool) && !(sums["tiny"] is Int8))
        #expect(sums["single"] as? Double == 1.25 && sums["taken"] as? Double == 15)
        #expect(sums["price"] as? Decimal == Decimal(15) / 4)
      }
      let greatest = try #require(try named("max", numbers + ["label"]).first)
      #expect(greatest["tiny"] as? Int8 == 100 && greatest["isGood"] as? Bool == true)
      #expect(greatest["label"] as? String == "e" && greatest["single"] as? Float == 0.25)
      #expect(greatest["taken"] as? Date == Date(timeIntervalSinceReferenceDate: 5))
      let means = try #require(try named("average", ["tiny", "isGood", "single"]).first)
      #expect(means["tiny"] as? Double == 100 && means["isGood"] as? Double == 0.6)
      let counts = try #require(try named("count", ["rank", "label"]).first)
      #expect(counts["rank"] as? Int == 4 && counts["label"] as? Int == 5)
    }
  }

  @Test("A sum that 64 bits do not hold is an error by every way", arguments: TestEngine.allCases)
  func tooGreat(engine: TestEngine) async throws {
    try await filled(engine).newContext().perform { context in
      for sample in try context.fetch() as [Sample] { sample.whole = .max }
      try context.saveChanges()
      let all = From<Sample>()
      #expect(throws: AggregateValueError.self) {
        try context.firstRow(all.limit(2).select(.sum(\.$whole)))
      }
      #expect(throws: AggregateValueError.self) {
        try context.dictionaries(all.dictionaries(.sum(\.$whole)))
      }
      #expect(throws: AggregateValueError.self) {
        try context.dictionaries(
          all.dictionaries(SelectedAttribute(function: "sum", named: "whole", as: nil)))
      }
    }
  }
}
