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
}

extension String {
  fileprivate func text(afterFirst sign: String) -> String {
    range(of: sign).map { String(self[$0.upperBound...]) } ?? self
  }
}
