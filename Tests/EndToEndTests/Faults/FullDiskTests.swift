import DatastoreTestSupport
import Foundation
import Testing

/// A disk of a few hundred kilobytes, which only the program sees: in a mount namespace of its own.
@Suite(
  "A full disk", .serialized,
  .enabled(
    if: SmallDisk.isPossible,
    "no mount namespace can be made here (that takes root, or user namespaces), so there is no small disk"
  )
)
struct FullDiskTests {
  @Test(arguments: ["DELETE", "WAL"])
  func nothingIsLostAndSavingWorksAgain(journal: String) async throws {
    let program = try Program()
    let disk = try SmallDisk(program)
    let script = """
      PRAGMA journal_mode = \(journal);
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT);
      INSERT INTO employee (id, name) VALUES (1, 'Ada'), (2, 'Grace'), (3, 'Zoe');
      """
    try SQLiteFile.make(at: program.directory.url.appending(path: "f.sqlite"), script)
    let terminal = try PseudoTerminal(program, ["disk/f.sqlite"], command: disk.command)
    try await terminal.wait(for: "employee Ada", "no unsaved changes", "3 rows")
    let folder = disk.folder(of: terminal.process)
    try fill(folder)
    terminal.press("right", "right", "e")
    try await terminal.wait(for: "not changed")
    let note = String(repeating: "long ", count: 8_000)
    terminal.type("\u{1B}[200~\(note)\u{1B}[201~")
    terminal.press("enter")
    try await terminal.wait(for: "● 1 changed")
    // There is no room for them beside the store.
    try await terminal.wait(for: "the recovery file") { _ in
      try program.recoveryFilesElsewhere().contains { $0.contains(note) }
    }
    terminal.press("ctrl-s")
    try await terminal.wait(said: "There is no space left")
    try await terminal.dismiss("Nothing was saved")
    try FileManager.default.removeItem(at: folder.appending(path: "filler"))
    terminal.press("ctrl-s")
    try await terminal.wait(for: "Saved: 1 changed.", "no unsaved changes")
    // SQLite would follow the link to the root of the other namespace to the wrong place.
    let copy = program.directory.url.appending(path: "copy.sqlite")
    for side in ["", "-wal"] {
      let file = folder.appending(path: "f.sqlite" + side)
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      try FileManager.default.copyItem(
        at: file, to: URL(fileURLWithPath: copy.path + side))
    }
    let saved = try SQLiteFile.values("SELECT note FROM employee WHERE id = 1", in: copy)
    #expect(saved == [note])
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
    #expect(try program.recoveryFilesElsewhere() == [])
  }

  @Test func aLoadLeavesTheStoreAsItWas() async throws {
    let program = try Program()
    let disk = try SmallDisk(program)
    try SQLiteFile.make(
      at: program.directory.url.appending(path: "f.sqlite"),
      "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (1, 'Ada');"
    )
    let lines = (2...20_000).map { "\($0),a name that needs some space \($0)" }
    try program.directory.write("id,name\n" + lines.joined(separator: "\n"), to: "people.csv")
    let script = """
      "$@" load --quiet people.csv --into disk/f.sqlite; echo status $?
      "$@" query disk/f.sqlite people --format csv
      """
    let outcome = try await program.shell(
      disk.command(running: ["sh", "-c", script, "sh", Program.executable.path]))
    #expect(outcome.errors.contains("There is no space left"), "\(outcome.errors)")
    #expect(outcome.output.contains("status 74"), "\(outcome.output)")
    #expect(outcome.output.hasSuffix("1,Ada\n"), "\(outcome.output)")
  }

  /// Takes all the space that is left.
  private func fill(_ folder: URL) throws {
    let filler = fopen(folder.appending(path: "filler").path, "w")
    defer { fclose(filler) }
    setvbuf(filler, nil, Int32(_IONBF), 0)
    let block = [UInt8](repeating: 0, count: 4_096)
    while fwrite(block, 1, block.count, filler) == block.count {}
  }
}

/// A tmpfs of some hundred kilobytes, mounted for one program at `disk` in its directory, with `f.sqlite` on
/// it.
struct SmallDisk {
  private static let unshare = "/usr/bin/unshare"

  /// Tried once: mounting needs root, or user namespaces, which many containers do not have.
  static let isPossible: Bool = {
    let place = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    let status = try? spawn(
      "/bin/sh", ["-c", "\(words) mount -t tmpfs -o size=64k tmpfs '\(place.path)'"],
      environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"],
      output: URL(fileURLWithPath: "/dev/null"))
    return status == 0
  }()

  private static let words = geteuid() == 0 ? "\(unshare) -m" : "\(unshare) -rm"

  private let place: String
  private let mounting: String

  init(_ program: Program, kilobytes: Int = 256) throws {
    mounting =
      "mount -t tmpfs -o size=\(kilobytes)k tmpfs disk && if [ -e f.sqlite ]; then cp f.sqlite disk; fi "
      + "&& exec \"$@\""
    place = program.directory.path("disk")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  }

  /// The command that starts the program there.
  var command: [String] {
    [
      "/bin/sh", "-c", "exec \(Self.words) /bin/sh -c '\(mounting)' sh \"$0\" \"$@\"",
      Program.executable.path,
    ]
  }

  /// A command line that runs a command there.
  func command(running words: [String]) -> String {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    return "\(Self.words) /bin/sh -c '\(mounting)' sh \(quoted)"
  }

  /// The disk as this process sees it.
  func folder(of process: pid_t) -> URL {
    URL(fileURLWithPath: "/proc/\(process)/root\(place)")
  }
}
