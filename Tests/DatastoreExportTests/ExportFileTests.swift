import DatastoreExport
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Files that are exported")
struct ExportFileTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Records which file each file operation uses, and the target's content at that moment.
  private final class Journal {
    var entries: [String] = []
  }

  // Promise: power fails around an export → the whole new file or the old one.
  // Also: `ExportFileTests.failing`
  @Test(
    "What is written reaches the disk before its name changes, and then the name does",
    arguments: [true, false])
  func order(isReplacing: Bool) throws {
    let path = directory.path("out.csv")
    if isReplacing { try directory.write("before", to: "out.csv") }
    let folder = directory.url
    let journal = Journal()
    let file = try ExportFile(path: path) { descriptor in
      var status = stat()
      #expect(fstat(descriptor, &status) == 0)
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      let target = try? String(contentsOfFile: path, encoding: .utf8)
      journal.entries.append(
        "\(isDirectory ? "directory" : "file of \(status.st_size)"), target: \(target ?? "none")")
      if isDirectory {
        var expected = stat()
        #expect(stat(folder.path, &expected) == 0 && expected.st_ino == status.st_ino)
      }
      return fsync(descriptor)
    }
    file.output.write("after")
    try file.finish(isReplacing: isReplacing)
    #expect(
      journal.entries == [
        "file of 5, target: \(isReplacing ? "before" : "none")", "directory, target: after",
      ])
  }

  @Test("What does not reach the disk does not take the place of what is there")
  func failing() throws {
    let path = directory.path("out.csv")
    try directory.write("before", to: "out.csv")
    let file = try ExportFile(path: path) { _ in
      errno = EIO
      return -1
    }
    file.output.write("after")
    #expect(throws: ExportError.cannotWrite(name: path, reason: "Input/output error")) {
      try file.finish()
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "before")
    #expect(try directory.names() == ["out.csv"])
  }

  // Promise: an export or an import is given a database → refused.
  // Also: `DatabaseAsInputTests`
  @Test("A database is not replaced, nor what belongs to one")
  func databases() throws {
    let url = directory.url.appendingPathComponent("f.db")
    try SQLiteFile.make(at: url, "PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    let before = try Data(contentsOf: url)
    try FileManager.default.createSymbolicLink(
      at: directory.url.appendingPathComponent("link"), withDestinationURL: url)
    for name in ["f.db", "f.db-wal", "f.db-shm", "f.db-journal", "link"] {
      #expect(throws: ExportError.self, "\(name)") {
        try ExportFile(path: directory.path(name)).finish()
      }
    }
    #expect(try Data(contentsOf: url) == before)
    #expect(try directory.names() == ["f.db", "link"])
  }
}
