import DatastoreTestSupport
import Foundation
import Testing

/// `Tests/FirstProgram`, which is built with the tests as a program of its own.
@Suite struct FirstProgramTests {
  @Test func itIsShort() throws {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("FirstProgram/main.swift")
    #expect(try Data(contentsOf: source).count { $0 == UInt8(ascii: "\n") } <= 60)
  }

  @Test func itPrintsWhatItShould() throws {
    let folder = try TemporaryDirectory()
    let output = URL(fileURLWithPath: folder.path("output"))
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("FirstProgram")
    let status = try spawn(
      program.path, [], environment: ["TMPDIR": folder.url.path, "HOME": folder.url.path],
      output: output)
    #expect(status == 0)
    #expect(
      try String(contentsOf: output, encoding: .utf8) == """
        long: ["The Dispossessed"]
        sections: 1
        new: The Carrier Bag Theory of Fiction at 1 0
        pages: 38
        Le Guin has 3 books
        changed: The Carrier Bag Theory of Fiction has 38 pages
        Author 2 cannot be saved, because another Author has the same name; change one of them.

        """)
  }
}
