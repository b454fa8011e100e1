import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

/// A load reports its changes.
@Suite("What a load changes")
struct LoadChangesTests {
  @Test(
    "Moments that lose their zone are counted by column",
    arguments: [
      (
        "t.csv",
        "at,until,day\n2024-01-05T09:00:00+02:00,2024-01-05 09:00Z,2024-01-05\n2024-01-05 09:00-0530,2024-01-05 10:00+00:00,2024-01-06\n2024-01-05T09:00:00Z,2024-01-05T11:00+01,2024-01-07\n"
      ),
      (
        "t.json",
        "[{\"at\":\"2024-01-05T09:00:00+02:00\",\"until\":\"2024-01-05T09:00:00-01\"},{\"at\":\"2024-01-05 09:00+01:00\",\"until\":\"2024-01-05T09:00:00Z\"}]"
      ),
    ])
  func zones(name: String, text: String) async throws {
    let fixture = try LoadFixture()
    let file = fixture.directory.file(name)
    try Data(text.utf8).write(to: file)
    let notes = try await fixture.load([file.path]).report.notes
    #expect(
      notes.filter { $0.contains("zone") }.map { $0.text(afterFirst: ": ") } == [
        "in “at” 2 values lose their zone; stored as UTC.",
        "in “until” 1 value loses its zone; stored as UTC.",
      ])
  }

  @Test("Numbers that lose digits in the columns of a table are counted by column")
  func digits() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(at: fixture.store, "CREATE TABLE t (d DECIMAL(30, 2), r REAL, i INTEGER)")
    let file = try fixture.directory.write(
      """
      d,r,i
      12345678901234567890.12,9007199254740993,9007199254740993
      1.50,0.10000000000000001,1
      99999999999999999999,0.12345678901234567890,2

      """, to: "t.csv")
    let notes = try await fixture.load([file]).report.notes
    #expect(
      notes.filter { $0.contains("digits") }.map { $0.text(afterFirst: ": ") } == [
        "in “d” 2 values lose digits; the column keeps about 15.",
        "in “r” 2 values lose digits; the column keeps about 15.",
      ])
  }

  @Test("A number that a Float does not hold is a fault, and not infinite")
  func floats() throws {
    #expect(try ImportValue.text("3.5").converted(to: .float) == .real(3.5))
    #expect(throws: ConversionFault.self) {
      _ = try ImportValue.text("1e300").converted(to: .float)
    }
  }
}

extension String {
  fileprivate func text(afterFirst sign: String) -> String {
    range(of: sign).map { String(self[$0.upperBound...]) } ?? self
  }
}
