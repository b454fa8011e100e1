import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

@Suite("Reading the first records only")
struct ReadingPortionTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let rows = (0..<200_000).map { "\($0),name \($0) of a row that is not short\n" }.joined()
    try directory.write("id,name\n" + rows, to: "r.csv")
    try directory.write(
      (0..<200_000).map { "{\"id\": \($0), \"name\": \"of a row that is not short\"}\n" }.joined(),
      to: "r.jsonl")
    _ = try spawn(
      "/bin/sh", ["-c", "gzip -k \"$0\"", directory.path("r.csv")],
      output: URL(fileURLWithPath: "/dev/null"))
  }

  @Test("Records come up to the number that is wanted, after the part that shows the types")
  func records() throws {
    for name in ["r.csv", "r.jsonl", "r.csv.gz"] {
      var options = ReadingOptions()
      options.mostRecords = 30_000
      var reader = try ByteInput(path: directory.path(name)).makeReader(options)
      let total = try #require(reader.totalBytes)
      var count = 0
      while try reader.next() != nil { count += 1 }
      #expect(count >= 30_000 && count < 200_000, "\(name): \(count)")
      #expect(reader.bytesRead < max(total / 3, 3 << 20), "\(name): \(reader.bytesRead)")
    }
  }

  @Test("What comes by a pipe is read as far as it is asked for, and again from the start")
  func spooled() throws {
    let text = try String(contentsOfFile: directory.path("r.csv"), encoding: .utf8)
    let spooled = try SpooledInput(ByteInput(Array(text.utf8), name: "p"))
    var options = ReadingOptions()
    options.format = .csv
    options.mostRecords = 3
    for _ in 0..<2 {
      var reader = try ByteInput(spooled, name: "p").makeReader(options)
      var ids: [String?] = []
      while let record = try reader.next() { ids.append(record["id"]?.text) }
      #expect(ids == ["0", "1", "2"])
    }
    #expect(spooled.size == nil)
    options.mostRecords = nil
    var reader = try ByteInput(spooled, name: "p").makeReader(options)
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count == 200_000)
    #expect(spooled.size == text.utf8.count)
  }
}
