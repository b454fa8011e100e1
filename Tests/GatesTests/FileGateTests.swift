import DatastoreTestSupport
import Foundation
import Gates
import Testing
import Yams

// Promise: a link, a pipe or another user's file stands where we write → it is not followed, read or
// written.
// Also: `RecoveryTrustTests`, `HostileFileTests.exports`
/// What is written and read by a name that someone else may have prepared.
@Suite struct FileGateTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func path(_ name: String) -> String { folder.path(name) }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    lstat(path, &status)
    return status.st_mode
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("A file is new, its owner's alone, and leaves nothing beside it")
  func newFile() throws {
    try NewFile.write("first".utf8, to: path("a"))
    chmod(path("a"), 0o666)
    try NewFile.write("second".utf8, to: path("a"))
    #expect(try text(path("a")) == "second")
    #expect(mode(path("a")) == S_IFREG | 0o600)
    #expect(try folder.names() == ["a"])
    #expect(throws: FileFault.self) { try NewFile.write("x".utf8, to: path("none/a")) }
  }

  @Test("A pipe in the place of a file is replaced, not waited for; one's own link is followed")
  func whatStandsThere() throws {
    #expect(mkfifo(path("pipe"), 0o666) == 0)
    try NewFile.write("x".utf8, to: path("pipe"))
    #expect(mode(path("pipe")) == S_IFREG | 0o600)
    try "victim".write(toFile: path("victim"), atomically: false, encoding: .utf8)
    symlink(path("victim"), path("own"))
    try NewFile.write("y".utf8, to: path("own"))
    #expect(try text(path("victim")) == "y")
    symlink(path("nowhere"), path("dangling"))
    try NewFile.write("z".utf8, to: path("dangling"))
    #expect(!FileManager.default.fileExists(atPath: path("nowhere")))
    #expect(mode(path("dangling")) & S_IFMT == S_IFREG)
  }

  @Test("The link of another user is replaced", .enabled(if: geteuid() == 0))
  func foreignLink() throws {
    try "victim".write(toFile: path("victim"), atomically: false, encoding: .utf8)
    symlink(path("victim"), path("link"))
    lchown(path("link"), 65_534, 65_534)
    try NewFile.write("x".utf8, to: path("link"))
    #expect(try text(path("victim")) == "victim")
    #expect(try text(path("link")) == "x")
  }

  @Test("Pipes, devices, sockets and endless files are refused in a sentence")
  func reading() throws {
    mkfifo(path("pipe"), 0o666)
    for (name, word) in [
      (path("pipe"), "named pipe"), ("/dev/zero", "device"), (folder.url.path, "directory"),
      (path("none"), "No such file"),
    ] {
      do throws(FileFault) {
        _ = try ReadableFile.contents(of: name, atMost: 100)
        Issue.record("\(name) was read")
      } catch {
        #expect(error.reason.contains(word), "\(error)")
      }
    }
    try String(repeating: "x", count: 101).write(
      toFile: path("long"), atomically: false, encoding: .utf8)
    #expect(throws: FileFault.self) { try ReadableFile.contents(of: path("long"), atMost: 100) }
    #expect(try ReadableFile.contents(of: path("long"), atMost: 101).count == 101)
  }

  @Test("Aliases that stand for a tree that doubles are refused, as keys and as values")
  func aliases() throws {
    var lines = ["a0: &a0 [x, x]"]
    for number in 1..<60 {
      lines.append("a\(number): &a\(number) [*a\(number - 1), *a\(number - 1)]")
    }
    let bomb = lines.joined(separator: "\n")
    for end in [
      "? *a59\n: x\n", "b: *a59\n", "{*a59 : x}: y\n", "b: {*a59:x}\n", "b: {\"k\":*a59}\n",
      "b: [*a58,*a58]\n", "b:\n- *a59\n",
    ] {
      #expect(throws: TooManyAliases.self) { try YAMLText.compose(bomb + "\n" + end) }
    }
    let node = try #require(try YAMLText.compose("a: &n {x: 1}\nb: *n\nc: \"2 * 3\"\n"))
    #expect(node["b"]?["x"]?.int == 1 && node["c"]?.string == "2 * 3")
    // No aliases: in tags, quotes, comments and texts of many lines.
    for text in ["a: !x*y z\n", "a: '*b' # *c\n", "a: |\n  *b\n  2 * 3\n"] {
      #expect(try YAMLText.compose(text) == Yams.compose(yaml: text))
    }
    // Few of them, one name twice, and in keys.
    let few = "a: &n [1, 2]\nb: &n {x: *n}\nc: {? *n : *n}\n"
    #expect(try YAMLText.compose(few) == Yams.compose(yaml: few))
    #expect(throws: YamlError.self) { try YAMLText.compose("a: *none") }
    #expect(throws: YamlError.self) { try YAMLText.compose("a: [*") }
  }
}
