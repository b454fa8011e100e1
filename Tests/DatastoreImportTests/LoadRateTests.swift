import Testing

@testable import DatastoreImport

@Suite("How fast a load is")
struct LoadRateTests {
  private static func progress(rows: Int, bytes: Int, of total: Int?) -> LoadProgress {
    LoadProgress(
      stage: .loading, file: "t.csv", fileNumber: 1, fileCount: 1, rows: rows, bytesRead: bytes,
      totalBytes: total)
  }

  @Test("Rate and remaining time follow from what has been read")
  func pace() {
    let half = LoadRate(Self.progress(rows: 1_000, bytes: 500, of: 1_000), after: 4)
    #expect(half.fraction == 0.5)
    #expect(half.rowsPerSecond == 250)
    #expect(half.secondsLeft == 4)
    let done = LoadRate(Self.progress(rows: 2_000, bytes: 1_000, of: 1_000), after: 8)
    #expect(done.fraction == 1)
    #expect(done.secondsLeft == 0)
  }

  @Test("What cannot be told is not made up")
  func unknown() {
    let pipe = LoadRate(Self.progress(rows: 1_000, bytes: 500, of: nil), after: 4)
    #expect(pipe.fraction == nil)
    #expect(pipe.secondsLeft == nil)
    #expect(pipe.rowsPerSecond == 250)
    let early = LoadRate(Self.progress(rows: 10, bytes: 5, of: 1_000), after: 0.01)
    #expect(early.rowsPerSecond == nil)
    #expect(early.secondsLeft == nil)
    let empty = LoadRate(Self.progress(rows: 0, bytes: 0, of: 0), after: 1)
    #expect(empty.fraction == nil)
    // A file that grows while it is read.
    #expect(LoadRate(Self.progress(rows: 9, bytes: 20, of: 10), after: 1).fraction == 1)
  }

  @Test(
    "Durations are written as clocks do",
    arguments: [(0, "0:00"), (7, "0:07"), (60, "1:00"), (754, "12:34"), (3_723, "1:02:03")])
  func duration(seconds: Int, text: String) {
    #expect(LoadRate.duration(seconds) == text)
  }
}
