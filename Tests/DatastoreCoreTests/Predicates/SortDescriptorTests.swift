import Testing

import struct Foundation.Data

@testable import DatastoreCore

@Suite struct SortDescriptorTests {
  private func keys(_ subjects: [Subject], _ order: [SortDescriptor]) -> [RowKey] {
    subjects.sorted { order.compare($0, $1) == .ascending }.map(\.predicateKey)
  }

  @Test func ascendingIsTheDefault() {
    let order = SortDescriptor(["name"])
    #expect(order.ascending)
    #expect(order.options.isEmpty)
    #expect(order.keyPath == ["name"])
  }

  @Test func anOrderByAnExpressionHasNoPath() {
    #expect(SortDescriptor(.function(.length, [.keyPath(["name"])])).keyPath == nil)
  }

  @Test func missingValuesComeFirst() {
    let subjects = [Subject(1, ["age": 3]), Subject(2), Subject(3, ["age": -3])]
    #expect(keys(subjects, [SortDescriptor(["age"])]) == [2, 3, 1])
    #expect(keys(subjects, [SortDescriptor(["age"], ascending: false)]) == [1, 3, 2])
  }

  @Test func valuesOfAllClassesHaveAnOrder() {
    let values: [Value] = [.blob(Data([0])), "a", 1.5, 1, .null]
    let subjects = values.enumerated().map { Subject(RowKey(Int64($0)), ["anything": $1]) }
    #expect(keys(subjects, [SortDescriptor(["anything"])]) == [4, 3, 2, 1, 0])
  }

  @Test func whatIsEqualComesByItsKeyInEitherDirection() {
    let subjects = [Subject(3, ["age": 1]), Subject(1, ["age": 1]), Subject(2, ["age": 1])]
    #expect(keys(subjects, [SortDescriptor(["age"])]) == [1, 2, 3])
    #expect(keys(subjects, [SortDescriptor(["age"], ascending: false)]) == [1, 2, 3])
  }

  @Test func laterDescriptorsDecideAmongEquals() {
    let subjects = [
      Subject(1, ["name": "b", "age": 2]), Subject(2, ["name": "a", "age": 1]),
      Subject(3, ["name": "a", "age": 2]),
    ]
    let order = [SortDescriptor(["name"]), SortDescriptor(["age"], ascending: false)]
    #expect(keys(subjects, order) == [3, 2, 1])
  }

  @Test func caseIsIgnoredWhereAsked() {
    let subjects = [
      Subject(1, ["name": "a"]), Subject(2, ["name": "B"]), Subject(3, ["name": "C"]),
    ]
    #expect(keys(subjects, [SortDescriptor(["name"])]) == [2, 3, 1])
    #expect(keys(subjects, [SortDescriptor(["name"], options: .caseInsensitive)]) == [1, 2, 3])
  }

  @Test func marksAreIgnoredWhereAsked() {
    let subjects = [Subject(1, ["name": "f"]), Subject(2, ["name": "é"])]
    #expect(keys(subjects, [SortDescriptor(["name"])]) == [1, 2])
    #expect(keys(subjects, [SortDescriptor(["name"], options: .diacriticInsensitive)]) == [2, 1])
  }

  @Test func pathsAreFollowed() {
    let (ada, bob) = (Subject(10, ["name": "Ada"]), Subject(11, ["name": "Bob"]))
    let subjects = [Subject(1), Subject(2), Subject(3)]
    subjects[0].related["manager"] = [bob]
    subjects[1].related["manager"] = [ada]
    #expect(keys(subjects, [SortDescriptor(["manager", "name"])]) == [3, 2, 1])
  }

  @Test func expressionsAreComputed() {
    let subjects = [Subject(1, ["name": "ccc"]), Subject(2, ["name": "b"]), Subject(3)]
    let length = SortDescriptor(.function(.length, [.keyPath(["name"])]))
    #expect(keys(subjects, [length]) == [3, 2, 1])
  }

  @Test func countsOfMembersAreAnOrder() {
    let subjects = [Subject(1), Subject(2)]
    subjects[0].related["tasks"] = [Subject("Task", 1), Subject("Task", 2)]
    #expect(keys(subjects, [SortDescriptor(.count(["tasks"]))]) == [2, 1])
  }

  @Test func theRankIsThatOfTheSearch() {
    let entity = PredicateFixture.entity()
    #expect(SortDescriptor.rank.isRank(of: entity))
    #expect(!SortDescriptor(["name"]).isRank(of: entity))
    let order = [SortDescriptor(["name"]), .rank, SortDescriptor(["age"])]
    #expect(order.hasRank(of: entity))
    #expect(order.beforeRank(of: entity) == [SortDescriptor(["name"])])
    #expect([SortDescriptor(["name"])].beforeRank(of: entity) == [SortDescriptor(["name"])])
  }

  @Test func anOrderLeadsSectionsByItsPath() {
    #expect(SortDescriptor(["age"]).leadsSections(by: ["age"]))
    #expect(SortDescriptor(["age"], ascending: false).leadsSections(by: ["age"]))
    #expect(!SortDescriptor(["name"]).leadsSections(by: ["age"]))
  }

  /// Dates in their order have their months in theirs.
  @Test func anOrderByDatesLeadsSectionsByTheirParts() {
    #expect(SortDescriptor(["hired"]).leadsSections(by: ["hired", "@month"]))
    #expect(!SortDescriptor(["hired"]).leadsSections(by: ["hired", "name"]))
  }

  @Test func anOrderByAPropertyOfTheGroupOrdersSections() {
    #expect(SortDescriptor(["company", "name"]).ordersSections(by: ["company"]))
    #expect(!SortDescriptor(["company"]).ordersSections(by: ["company"]))
    #expect(!SortDescriptor(["name"]).ordersSections(by: ["company"]))
    #expect(!SortDescriptor(["name"]).ordersSections(by: []))
  }

  @Test func aListIsSortedByItsGroupFirst() {
    let request = FetchRequest(entity: "Employee", sortDescriptors: [SortDescriptor(["name"])])
    #expect(request.listOrder(groupBy: nil, nil) == [SortDescriptor(["name"])])
    #expect(
      request.listOrder(groupBy: ["age"], .keyPath(["age"])) == [
        SortDescriptor(["age"]), SortDescriptor(["name"]),
      ])
  }

  @Test func groupsComeInTheDirectionOfAnOrderThatLeadsThem() {
    let down = SortDescriptor(["age"], ascending: false)
    let request = FetchRequest(entity: "Employee", sortDescriptors: [down])
    #expect(request.listOrder(groupBy: ["age"], .keyPath(["age"])) == [down, down])
  }

  @Test func groupsOfObjectsComeByTheirPropertyFirst() {
    let byName = SortDescriptor(["company", "name"])
    let request = FetchRequest(entity: "Employee", sortDescriptors: [byName])
    #expect(
      request.listOrder(groupBy: ["company"], .keyPath(["company"])) == [
        byName, SortDescriptor(["company"]), byName,
      ])
  }
}
