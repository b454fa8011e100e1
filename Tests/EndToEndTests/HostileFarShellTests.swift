import DatastoreTestSupport
import Foundation
import Testing

/// A machine that claims to have no `datastore`, and whose shell answers whatever it likes.
@Suite("A shell at the other end that is hostile") struct HostileFarShellTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  /// What it says when it has read the beginning of what it is sent; then it reads on until nothing comes.
  private static let answers: [String] = [
    "exit 0",
    "head -c 1000000 /dev/urandom",
    "yes banner | head -n 100000",
    "yes | tr -d '\\n' | head -c 1000000",
    "printf 'datastore: ready 1\\n'",
    "printf 'datastore: system \\033[2J\\033]0;title\\007\\n'",
    "printf 'datastore: \\000\\001\\n\\n\\ndatastore:\\ndatastore: \\n'",
    "yes 'datastore: has sha256sum' | head -n 100000",
    "yes 'datastore: begins' | head -n 100000",
    "\(system); printf 'datastore: has cksum\\ndatastore: ready 0\\n'",
    "\(system); printf 'datastore: has cksum\\ndatastore: ready 99999999999999999999\\n'",
    "\(system); printf 'datastore: has rm -rf /\\ndatastore: ready 1\\n'",
    "\(system); printf 'datastore: has cksum\\ndatastore: ready 1\\n'; exec < /dev/null; sleep 0",
    "\(system); printf 'datastore: has cksum\\ndatastore: ready 1\\ndatastore: sum 1 2\\n'",
    "\(system); printf 'datastore: has cksum\\ndatastore: ready 1\\ndatastore: fails \\033[31mred\\n'",
    "printf 'datastore: passes noexec \\033[31m\\ndatastore: passes\\ndatastore: nowhere\\n'",
    "printf 'datastore: size -1\\n'",
    "printf 'datastore: size 99999999999999999999\\n'",
    "printf 'datastore: size 9000000000000000\\n'",
    "printf 'datastore: size 10\\ndatastore: copy 99999999999999\\n'",
    "printf 'datastore: size 10\\ndatastore: copy 0\\n'",
    "printf 'datastore: size 100\\ndatastore: copy 100\\n'; head -c 100 /dev/zero",
    "printf 'datastore: size 100\\ndatastore: copy 100\\nSQLite format 3\\000'; exit 0",
    "printf 'datastore: size 10\\n'; yes 'datastore: waits' | head -n 100000; exit 0",
    "printf 'datastore: lacks\\n'",
  ]

  private static let system = "printf \"datastore: system $(uname -sm)\\n\""

  // Promise: a machine without datastore is hostile → a sentence ends the command, which has written nothing
  // to the terminal that it obeys, and no file
  @Test("Nonsense ends in a sentence", arguments: answers.indices, ["bring", "copy"])
  func nonsense(_ index: Int, _ way: String) async throws {
    let script = program.directory.path("hostile")
    try """
    #!/bin/sh
    case $1 in
      datastore) exit 127 ;;
    esac
    head -c 100 > /dev/null
    \(Self.answers[index])
    exec cat > /dev/null

    """.write(toFile: script, atomically: true, encoding: .utf8)
    let outcome = try await program.start([
      "query", "f.sqlite", "--via", "sh '\(script)'", "--when-missing", way,
    ]).outcome()
    let answer = Self.answers[index]
    #expect(outcome.status == 74, "\(answer): \(outcome)")
    #expect(outcome.output == "", "\(answer): \(outcome)")
    #expect(outcome.errors.hasPrefix("datastore: f.sqlite (sh"), "\(answer): \(outcome)")
    #expect(!outcome.errors.contains("\u{1B}"), "\(answer): \(outcome)")
    let files = try FileManager.default.contentsOfDirectory(atPath: program.directory.url.path)
    #expect(
      Set(files).isSubset(of: ["hostile", "streams", "state", ".config", "data"]), "\(files)")
  }
}
