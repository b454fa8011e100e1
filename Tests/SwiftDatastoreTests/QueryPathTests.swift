import Foundation
import SwiftDatastore
import Testing

/// Conditions and orders that run through relationships, and the text form.
@Suite struct QueryPathTests {
  @Test func pathsThroughToOne() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect(
      \.$firm ~ \.$name == "Initech", "firm.name == \"Initech\"", finds: ["Åsa", "Tom"])
    try await fixture.expect(
      (\.$firm ~ \.$name) != "Initech", "firm.name != \"Initech\"", finds: ["Tim", "eve"])
    try await fixture.expect(\.$firm ~ \.$city == nil, "firm.city == NULL", finds: ["Tim", "eve"])
    try await fixture.expect(
      \.$boss ~ \.$firm ~ \.$city == "Austin", "boss.firm.city == \"Austin\"",
      finds: ["Tom", "Tim"])
    try await fixture.expect(
      [.senior] ~= \.$boss ~ \.$level, "boss.level IN {1}", finds: ["Tom", "Tim"])
    try await fixture.expect(
      30...40 ~= \.$boss ~ \.$age, "boss.age BETWEEN {30, 40}", finds: ["Tom", "Tim"])
    try await fixture.expect(
      Where(\.$firm ~ \.$name, .like, "å*", options: .caseInsensitive),
      "firm.name LIKE[c] \"å*\"", finds: ["Tim"])
    try await fixture.expect(
      (\.$firm ~ \.$name ?= "tec") || (\.$boss ~ \.$name ^= "Å") || (\.$boss ~ \.$name |= "x"),
      "firm.name CONTAINS \"tec\" OR boss.name BEGINSWITH \"Å\" OR boss.name ENDSWITH \"x\"",
      finds: ["Åsa", "Tom", "Tim"])
    try await fixture.expect(
      \.$boss ~ \.$age > 33 && \.$boss ~ \.$age >= 34 && \.$boss ~ \.$age < 35
        && \.$boss ~ \.$age <= 34,
      "boss.age > 33 AND boss.age >= 34 AND boss.age < 35 AND boss.age <= 34",
      finds: ["Tom", "Tim"])
  }

  @Test func quantifiers() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect(
      (\.$chores ~ \.$title).any == "Report", "ANY chores.title == \"Report\"",
      finds: ["Åsa", "Tom"])
    try await fixture.expect(
      \.$chores ~ \.$title == "Report", "chores.title == \"Report\"", finds: ["Åsa", "Tom"])
    try await fixture.expect(
      (\.$chores ~ \.$isDone).all == true, "ALL chores.isDone == 1", finds: ["Tom", "Tim"])
    try await fixture.expect(
      (\.$chores ~ \.$hours).none > 7, "NONE chores.hours > 7.0", finds: ["Tom", "Tim"])
    try await fixture.expect(
      (\.$reports ~ \.$chores ~ \.$title).any ^= "Rep",
      "ANY reports.chores.title BEGINSWITH \"Rep\"", finds: ["Åsa"])
    try await fixture.expect(
      (\.$firm ~ \.$staff ~ \.$name).any == "Åsa", "ANY firm.staff.name == \"Åsa\"",
      finds: ["Åsa", "Tom"])
    try await fixture.expect(
      ["Plan", "Review"] ~= (\.$chores ~ \.$title).any,
      "ANY chores.title IN {\"Plan\", \"Review\"}", finds: ["Åsa", "eve"])
  }

  @Test func countsAndAggregates() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect(\.$chores.count > 1, "chores.@count > 1", finds: ["Åsa"])
    try await fixture.expect(\.$chores.count == 0, "chores.@count == 0", finds: ["Tim"])
    try await fixture.expect(\.$reports.count >= 2, "reports.@count >= 2", finds: ["Åsa"])
    try await fixture.expect(
      1...2 ~= \.$chores.count, "chores.@count BETWEEN {1, 2}", finds: ["Åsa", "Tom", "eve"])
    try await fixture.expect(
      \.$firm ~ \.$staff.count == 2, "firm.staff.@count == 2", finds: ["Åsa", "Tom"])
    try await fixture.expect(
      \.$reports ~ \.$chores.count == 1, "reports.chores.@count == 1", finds: ["Åsa"])
    try await fixture.expect(
      (\.$chores ~ \.$hours).sum >= 10, "chores.@sum.hours >= 10.0", finds: ["Åsa", "eve"])
    try await fixture.expect(
      (\.$chores ~ \.$hours).sum == nil, "chores.@sum.hours == NULL", finds: ["Tim"])
    try await fixture.expect(
      (\.$chores ~ \.$hours).average == 5, "chores.@avg.hours == 5.0", finds: ["Åsa", "Tom"])
    try await fixture.expect(
      (\.$chores ~ \.$hours).minimum < 5, "chores.@min.hours < 5.0", finds: ["Åsa"])
    try await fixture.expect(
      (\.$reports ~ \.$age).maximum == 30, "reports.@max.age == 30", finds: ["Åsa"])
  }

  @Test func objects() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect(finds: ["Åsa", "Tom"]) { context in
      let firm: Firm? = try context.fetchFirst(where: \.$name == "Initech")
      return \.$firm == firm
    }
    try await fixture.expect(finds: ["Tim", "eve"]) { context in
      let firm: Firm? = try context.fetchFirst(where: \.$name == "Initech")
      return \.$firm != firm
    }
    try await fixture.expect(finds: ["Åsa"]) { context in
      let tom: Person = try #require(try context.fetchFirst(where: \.$name == "Tom"))
      return \.$reports ?= tom
    }
    try await fixture.expect(finds: ["Åsa", "Tom", "Tim"]) { context in
      let firms: [Firm] = try context.fetch()
      return firms ~= \.$firm
    }
    try await fixture.expect(finds: ["Tom", "Tim"]) { context in
      let asa: Person? = try context.fetchFirst(where: \.$name == "Åsa")
      return try context.condition("boss == %@ AND age IN %@", .of(asa), .of([20, 30]))
    }
  }

  @Test func orders() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect(
      [.asc(\.$name)], "name", finds: ["Tim", "Tom", "eve", "Åsa"])
    try await fixture.expect(
      [.asc(\.$name, options: [.caseInsensitive, .diacriticInsensitive])], "name[cd]",
      finds: ["Åsa", "eve", "Tim", "Tom"])
    try await fixture.expect(
      [.desc(\.$name, options: .caseInsensitive)], "name[c] desc",
      finds: ["Åsa", "Tom", "Tim", "eve"])
    try await fixture.expect(
      [.asc(\.$firm ~ \.$name), .desc(\.$age)], "firm.name, age desc",
      finds: ["eve", "Åsa", "Tom", "Tim"])
    try await fixture.expect(
      [.desc(\.$firm ~ \.$name, options: .diacriticInsensitive), .asc(\.$age)],
      "firm.name[d] desc, age", finds: ["Tom", "Åsa", "Tim", "eve"])
    try await fixture.expect(
      [.desc(\.$chores.count), .asc(\.$name)], "chores.@count desc, name",
      finds: ["Åsa", "Tom", "eve", "Tim"])
    try await fixture.expect(
      [.asc(\.$firm ~ \.$staff.count), .asc(\.$name)], "firm.staff.@count, name",
      finds: ["eve", "Tim", "Tom", "Åsa"])
    try await fixture.expect(
      [.asc((\.$chores ~ \.$hours).sum)], "chores.@sum.hours",
      finds: ["Tim", "Tom", "Åsa", "eve"])
  }

  @Test func anOrderThroughAToManyTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let order: OrderBy<Person> = .asc(\.$chores ~ \.$title)
      print(order)
    }
    #expect(text(result).contains("Person cannot be sorted by chores.title"))
  }

  @Test func anAggregateOfOneObjectTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let condition: Where<Person> = (\.$firm ~ \.$name).maximum == "x"
      print(condition)
    }
    #expect(text(result).contains("firm.name does not run through a to-many relationship"))
  }

  @Test func aRangeNeedsTwoBounds() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(Where<Person>(\.$name, .between, "x"))
    }
    #expect(text(result).contains("between takes more than one value"))
  }

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func formats() async throws {
    let fixture = try await QueryFixture()
    let condition = try Where<Person>(
      format: "age > %@ AND ANY chores.title BEGINSWITH[c] %@ AND badge == %@",
      arguments: [.of(30), .of("re"), .of(QueryFixture.badge)], in: fixture.schema)
    let typed: Where<Person> =
      \.$age > 30
      && Where((\.$chores ~ \.$title).any, .beginsWith, "re", options: .caseInsensitive)
      && \.$badge == QueryFixture.badge
    #expect(condition == typed)
    let phone: String? = nil
    let missing = try Where<Person>(
      format: "phone == %@", arguments: [.of(phone)], in: fixture.schema)
    let withoutPhone: Where<Person> = \.$phone == nil
    #expect(missing == withoutPhone)
  }

  @Test func aFormatThatDoesNotFitSaysWhere() async throws {
    let fixture = try await QueryFixture()
    let error = #expect(throws: PredicateSyntaxError.self) {
      try Where<Person>(format: "aeg > 30", in: fixture.schema)
    }
    #expect(error?.found == "aeg")
    #expect(error?.suggestion == "age")
    #expect(throws: UnknownEntityError.self) {
      try Where<Employee>(format: "age > 30", in: fixture.schema)
    }
  }
}
