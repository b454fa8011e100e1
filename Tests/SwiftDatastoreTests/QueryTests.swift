import Foundation
import SwiftDatastore
import Testing

/// Conditions on the properties of the class itself.
@Suite struct QueryTests {
  @Test func comparisonsOfEveryType() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect(\.$age == 30, "age == 30", finds: ["Tim"])
    try await fixture.expect(\.$age != 30, "age != 30", finds: ["Åsa", "Tom", "eve"])
    try await fixture.expect(\.$age < 30, "age < 30", finds: ["Tom"])
    try await fixture.expect(\.$age <= 30, "age <= 30", finds: ["Tom", "Tim"])
    try await fixture.expect(\.$age > 34, "age > 34", finds: ["eve"])
    try await fixture.expect(\.$age >= 34, "age >= 34", finds: ["Åsa", "eve"])
    try await fixture.expect(\.$height < 1.75, "height < 1.75", finds: ["Tim"])
    try await fixture.expect(\.$isActive == false, "isActive == 0", finds: ["Tom"])
    try await fixture.expect(\.$level == .senior, "level == 1", finds: ["Åsa"])
    try await fixture.expect(\.$shift == .night, "shift == \"night\"", finds: ["Tom"])
    try await fixture.expect(
      \.$badge == QueryFixture.badge, "badge == x'0102030405060708090A0B0C0D0E0F10'",
      finds: ["Åsa"])
    try await fixture.expect(
      \.$home == URL(string: "https://example.org/asa"), "home == \"https://example.org/asa\"",
      finds: ["Åsa"])
    try await fixture.expect(\.$born > QueryFixture.born, "born > 1000.0", finds: ["Tim"])
    try await fixture.expect(
      \.$address == Address(street: "Main 1", city: "Umeå"),
      "address == x'" + hexadecimal("{\"city\":\"Umeå\",\"street\":\"Main 1\"}") + "'",
      finds: ["Åsa"])
  }

  @Test func missingValues() async throws {
    let fixture = try await QueryFixture()
    let unknown: String? = nil
    try await fixture.expect(\.$phone == unknown, "phone == NULL", finds: ["Åsa", "eve"])
    try await fixture.expect(\.$phone != nil, "phone != NULL", finds: ["Tom", "Tim"])
    try await fixture.expect(
      \.$phone != "555-1", "phone != \"555-1\"", finds: ["Åsa", "Tim", "eve"])
    try await fixture.expect(\.$phone < "6", "phone < \"6\"", finds: ["Tom", "Tim"])
    try await fixture.expect(\.$level == nil, "level == NULL", finds: ["Tim", "eve"])
    try await fixture.expect(\.$firm == nil, "firm == NULL", finds: ["eve"])
    try await fixture.expect(\.$address == nil, "address == NULL", finds: ["Tom", "Tim", "eve"])
  }

  @Test func lists() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect([20, 45, 99] ~= \.$age, "age IN {20, 45, 99}", finds: ["Tom", "eve"])
    try await fixture.expect(.in(\.$age, [20, 45]), "age IN {20, 45}", finds: ["Tom", "eve"])
    try await fixture.expect(
      ["Tom", "Åsa"] ~= \.$name, "name IN {\"Tom\", \"Åsa\"}", finds: ["Åsa", "Tom"])
    try await fixture.expect(
      [.junior, .senior] ~= \.$level, "level IN {0, 1}", finds: ["Åsa", "Tom"])
    try await fixture.expect([] ~= \.$age, "age IN {}", finds: [])
    try await fixture.expect(
      !([20, 45] ~= \.$age), "NOT age IN {20, 45}", finds: ["Åsa", "Tim"])
  }

  @Test func ranges() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect(
      20...30 ~= \.$age, "age BETWEEN {20, 30}", finds: ["Tom", "Tim"])
    try await fixture.expect(
      "Tim"..."Tom" ~= \.$name, "name BETWEEN {\"Tim\", \"Tom\"}", finds: ["Tom", "Tim"])
    let year = QueryFixture.born...QueryFixture.born.addingTimeInterval(100)
    try await fixture.expect(
      year ~= \.$born, "born BETWEEN {1000.0, 1100.0}", finds: ["Åsa"])
  }

  @Test func texts() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect(\.$name ?= "o", "name CONTAINS \"o\"", finds: ["Tom"])
    try await fixture.expect((\.$name ^= "T"), "name BEGINSWITH \"T\"", finds: ["Tom", "Tim"])
    try await fixture.expect((\.$name |= "m"), "name ENDSWITH \"m\"", finds: ["Tom", "Tim"])
    try await fixture.expect(.like(\.$name, "T?m"), "name LIKE \"T?m\"", finds: ["Tom", "Tim"])
    try await fixture.expect(
      .matches(\.$name, "[Te][iv].?"), "name MATCHES \"[Te][iv].?\"", finds: ["Tim", "eve"])
    try await fixture.expect(
      .search(\.$name, "TOM"), "name SEARCH \"TOM\"", finds: ["Tom"])
    try await fixture.expect(
      .search(\.$name, "t*"), "name SEARCH \"t*\"", finds: ["Tom", "Tim"])
    try await fixture.expect(
      .matches(\.$phone, "[0-9-]+"), "phone MATCHES \"[0-9-]+\"", finds: ["Tom"])
  }

  @Test func textOptions() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect(
      Where(\.$name, .beginsWith, "t", options: .caseInsensitive), "name BEGINSWITH[c] \"t\"",
      finds: ["Tom", "Tim"])
    try await fixture.expect(
      Where(\.$name, .equal, "ASA", options: [.caseInsensitive, .diacriticInsensitive]),
      "name ==[cd] \"ASA\"", finds: ["Åsa"])
    try await fixture.expect(
      (\.$name == "EVE").ignoringCase(), "name ==[c] \"EVE\"", finds: ["eve"])
    try await fixture.expect(
      (\.$name ^= "A").ignoringDiacritics(), "name BEGINSWITH[d] \"A\"", finds: ["Åsa"])
    try await fixture.expect(
      (\.$name |= "SA").ignoringCase().ignoringDiacritics(), "name ENDSWITH[cd] \"SA\"",
      finds: ["Åsa"])
    try await fixture.expect(
      (["TOM", "EVE"] ~= \.$name).ignoringCase(), "name IN[c] {\"TOM\", \"EVE\"}",
      finds: ["Tom", "eve"])
    try await fixture.expect(
      .matches(\.$name, "t.*").ignoringCase(), "name MATCHES[c] \"t.*\"", finds: ["Tom", "Tim"])
    try await fixture.expect(
      (\.$age > 25 && !(\.$name ?= "ASA")).ignoringCase().ignoringDiacritics(),
      "age > 25 AND NOT name CONTAINS[cd] \"ASA\"", finds: ["Tim", "eve"])
  }

  @Test func logic() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect(true, "TRUEPREDICATE", finds: ["Åsa", "Tom", "Tim", "eve"])
    try await fixture.expect(Where(false), "FALSEPREDICATE", finds: [])
    try await fixture.expect(
      \.$age >= 18 && (\.$name ^= "T") || (\.$name |= "e"),
      "age >= 18 AND name BEGINSWITH \"T\" OR name ENDSWITH \"e\"", finds: ["Tom", "Tim", "eve"])
    try await fixture.expect(
      \.$age > 18 && \.$age > 19 && \.$age < 40, "age > 18 AND age > 19 AND age < 40",
      finds: ["Åsa", "Tom", "Tim"])
    try await fixture.expect(
      \.$age == 20 || \.$age == 30 || \.$age == 45, "age == 20 OR age == 30 OR age == 45",
      finds: ["Tom", "Tim", "eve"])
    try await fixture.expect(
      !(\.$age > 30 || \.$isActive == false), "NOT (age > 30 OR isActive == 0)", finds: ["Tim"])
    try await fixture.expect(
      (\.$age < 25 || \.$age > 40) && \.$shift == .day,
      "(age < 25 OR age > 40) AND shift == \"day\"", finds: ["eve"])
  }

  private func hexadecimal(_ text: String) -> String {
    text.utf8.map { String(format: "%02X", $0) }.joined()
  }
}
