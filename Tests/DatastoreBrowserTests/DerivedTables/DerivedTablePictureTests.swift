import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The whole screen of each derived table, compared with `Pictures`.
///
/// To change a table's appearance, run the tests with `DATASTORE_RECORD_GOLDENS=1`, which writes the
/// pictures, and read the diff.
@MainActor
@Suite struct DerivedTablePictureTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Pictures")
  private static let isRecording =
    ProcessInfo.processInfo.environment["DATASTORE_RECORD_GOLDENS"] == "1"

  nonisolated private static let sizes = [
    Size(columns: 80, rows: 24), Size(columns: 120, rows: 40),
  ]

  /// Times have the zone of the user, and its name takes room. Set once, at the first use.
  private static let isInUTC = setenv("TZ", "UTC", 1) == 0

  // Promise: a table is derived → the whole screen looks as any table does, at 80x24 and at 120x40.
  @Test(arguments: DerivedSample.allCases, sizes)
  func looksAsItIsKept(_ sample: DerivedSample, _ size: Size) async throws {
    #expect(Self.isInUTC)
    let browser = try await sample.open(size)
    let shown = browser.picture.map(Self.withoutTimes).joined(separator: "\n") + "\n"
    #expect(browser.picture.allSatisfy { $0.displayWidth() <= size.columns })
    let file = Self.folder.appending(path: "\(sample.rawValue)-\(size.columns).txt")
    if Self.isRecording { try Data(shown.utf8).write(to: file) }
    let kept = try String(contentsOf: file, encoding: .utf8)
    browser.expect(
      shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
      kept.hasSuffix("\n") ? String(kept.dropLast()) : kept)
  }

  /// Removes the time of day and the folder of the files, which differ each time.
  private static func withoutTimes(_ line: String) -> String {
    line.replacing(#/\d\d:\d\d:\d\d/#, with: "hh:mm:ss").replacing(#/\d\d:\d\d/#, with: "hh:mm")
      .replacing(#/\/[^│┃]*datastore-tests-[^│┃]*/#, with: "FILE")
  }
}
