import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Summaries of a column")
struct SummaryQueryTests {
  private static let request = FetchRequest(entity: "Employee")

  /// A store whose employees have these salaries and ages.
  private static func store(_ salaries: [Double?], ages: [Int64?] = []) throws -> SQLiteStore {
    let store = try SQLiteStore(inMemory: CompanySchema.schema)
    var changes = Changes(store)
    for (index, salary) in salaries.enumerated() {
      var values: [String: Value] = ["name": .text("n\(index)")]
      if let salary { values["salary"] = .real(salary) }
      if ages.indices.contains(index), let age = ages[index] { values["age"] = .integer(age) }
      try changes.insert("Employee", values)
    }
    try changes.save()
    return store
  }

  private typealias Column = (salaries: [Double?], scale: Double)

  /// A column for each case, and the store that has them all: the names of the employees say to which
  /// of the columns their salaries belong.
  private static func columns(_ random: inout SeededRandom) throws -> (SQLiteStore, [Column]) {
    let store = try SQLiteStore(inMemory: CompanySchema.schema)
    var changes = Changes(store)
    let columns = try (0..<RandomCases.count).map { number -> Column in
      let count = random.below(random.below(16) == 0 ? 41 : 10)
      let scale: Double = [1.0, 1000, 1e9].randomElement(using: &random) ?? 1
      let salaries: [Double?] = (0..<count).map { _ in
        Int.random(in: 0..<6, using: &random) == 0
          ? nil : (Double.random(in: -1...1, using: &random) * scale).rounded() / 4
      }
      for salary in salaries {
        try changes.insert(
          "Employee", ["name": .text("\(number)"), "salary": salary.map { .real($0) } ?? .null])
      }
      return (salaries, scale)
    }
    try changes.save()
    return (store, columns)
  }

  @Test("Random columns: counts, mean, median, deviation and intervals agree with plain arithmetic")
  func agreement() async throws {
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    let (store, columns) = try Self.columns(&random)
    for (column, (salaries, scale)) in columns.enumerated() {
      let count = salaries.count
      let numbers = salaries.compactMap { $0 }.sorted()
      let place: Comment = "seed \(seed), column \(column)"
      let request = FetchRequest(
        entity: "Employee",
        predicate: .comparison(
          Predicate.Comparison(.keyPath(["name"]), .equal, .value(.text("\(column)")))))

      let statistics = try await store.answer(StatisticsQuestion(of: ["salary"], in: request))
      #expect(statistics.rowCount == count, place)
      #expect(statistics.nullCount == count - numbers.count, place)
      #expect(statistics.distinctCount == Set(numbers).count, place)
      #expect((statistics.numbers == nil) == numbers.isEmpty, place)
      if let found = statistics.numbers {
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let middle = numbers.count / 2
        let median =
          numbers.count.isMultiple(of: 2)
          ? (numbers[middle - 1] + numbers[middle]) / 2 : numbers[middle]
        #expect(abs(found.mean - mean) <= 1e-9 * scale, place)
        #expect(found.median.number == median, place)
        if numbers.count > 1 {
          let squares = numbers.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
          let deviation = (squares / Double(numbers.count - 1)).squareRoot()
          #expect(abs((found.standardDeviation ?? .nan) - deviation) <= 1e-6 * scale, place)
        } else {
          #expect(found.standardDeviation == nil, place)
        }
      }

      let table = try await store.answer(
        FrequencyQuestion(of: ["salary"], in: request, limit: 1_000))
      let expected = Dictionary(salaries.map { ($0, 1) }, uniquingKeysWith: +)
      #expect(table.entries.count == expected.count, place)
      #expect(table.entries.map(\.count) == table.entries.map(\.count).sorted(by: >), place)
      let areCounted = table.entries.allSatisfy { entry in
        let salary: Double? = if case .real(let real) = entry.value { real } else { nil }
        return entry.count == expected[salary]
      }
      #expect(areCounted, place)

      let histogram = try await store.answer(
        HistogramQuestion(of: ["salary"], in: request, bins: 7))
      #expect((histogram == nil) == numbers.isEmpty, place)
      if let histogram {
        #expect(histogram.counts.reduce(0, +) == numbers.count, place)
        #expect(histogram.counts.count <= 7, place)
        #expect(histogram.otherCount == count - numbers.count, place)
        let areInside = histogram.counts.enumerated().allSatisfy { index, count in
          let (lower, upper) = histogram.bounds(of: index)
          let slack = 1e-9 * max(1, scale)
          return count <= numbers.count { $0 >= lower - slack && $0 <= upper + slack }
        }
        #expect(areInside, place)
      }
    }
  }

  @Test("Intervals of whole numbers are a whole number wide")
  func wholeNumbers() async throws {
    let store = try Self.store([nil, nil, nil, nil], ages: [1, 2, 2, 40])
    let histogram = try #require(
      try await store.answer(HistogramQuestion(of: ["age"], in: Self.request, bins: 20)))
    #expect(histogram.width == 2)
    #expect(histogram.counts.count == 20)
    #expect(histogram.counts.first == 3)
    #expect(histogram.counts.last == 1)
  }

  @Test("Sums, medians and deviations of great whole numbers are exact")
  func greatNumbers() async throws {
    let most = Int64.max
    let ages = (0..<20).map { most - Int64($0) }
    let store = try Self.store(ages.map { _ in nil }, ages: ages)
    let found = try await store.answer(StatisticsQuestion(of: ["age"], in: Self.request))
    #expect(abs((found.numbers?.standardDeviation ?? 0) - 35.0.squareRoot()) < 1e-9)
    let cents: [Int64] = [23_456_789_948, 3, 9_007_199_254_740_993]
    let sums = try Self.store([nil, nil, nil], ages: cents)
    let numbers = try #require(
      try await sums.answer(StatisticsQuestion(of: ["age"], in: Self.request)).numbers)
    #expect(numbers.sum == .integer(9_007_222_711_530_944))
    #expect(numbers.median == .integer(23_456_789_948))
  }

  @Test("The histograms of groups have the same intervals and count each row once")
  func groups() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for round in 0..<20 {
      let count = random.below(30)
      let salaries: [Double?] = (0..<count).map { _ in
        random.below(5) == 0 ? nil : Double(random.below(1000)) / 8
      }
      let ages: [Int64?] = (0..<count).map { _ in
        random.below(4) == 0 ? nil : Int64(random.below(3))
      }
      let store = try Self.store(salaries, ages: ages)
      let place: Comment = "seed \(seed), round \(round)"
      let scale = try await store.answer(
        HistogramScaleQuestion(of: HistogramQuestion(of: ["salary"], in: Self.request, bins: 5)))
      #expect((scale == nil) == salaries.allSatisfy { $0 == nil }, place)
      guard let scale else { continue }
      let groups = try await store.answer(
        GroupedHistogramsQuestion(
          of: ["salary"], in: Self.request, groupBy: ["age"], scale))
      #expect(Set(groups.map(\.group)).count == groups.count, place)
      var expected: [Value: [Int]] = [:]
      for (salary, age) in zip(salaries, ages) {
        guard let salary else { continue }
        let bin = min(scale.count - 1, Int((salary - scale.minimum) / scale.width))
        let group = age.map(Value.integer) ?? .null
        expected[group, default: [Int](repeating: 0, count: scale.count)][bin] += 1
      }
      #expect(
        Dictionary(uniqueKeysWithValues: groups.map { ($0.group, $0.counts) }) == expected, place)
    }
  }

  @Test("A limit keeps the most frequent values and still counts all")
  func limit() async throws {
    let store = try Self.store([1, 2, 2, 3, 3, 3, nil])
    let table = try await store.answer(
      FrequencyQuestion(of: ["salary"], in: Self.request, limit: 2))
    #expect(table.entries.map(\.value) == [3.0, 2.0])
    #expect(table.rowCount == 7)
  }

  @Test("Cancelling ends the query and says so")
  func cancelling() async throws {
    let store = try Self.store([1])
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.answer(StatisticsQuestion(of: ["salary"], in: Self.request))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
