import DatastoreTestSupport
import Foundation

/// The other end of a `--via` command, where no `datastore` is installed: a folder of programs, which is its
/// `PATH`, and one for what is temporary.
struct FarMachine {
  let programs: URL
  let temporary: URL
  /// What leads there.
  let command: String

  /// What every small machine has.
  static let basic = [
    "cat", "chmod", "cksum", "df", "echo", "env", "head", "mktemp", "rm", "sh", "sleep", "uname",
    "wc",
  ]
  static let usual = basic + ["gzip", "sha256sum", "sqlite3", "zstd"]

  /// - Parameters:
  ///   - tools: the programs that it has.
  ///   - others: programs of its own, by name, each the lines of a script of `sh`.
  ///   - environment: what else its environment has, as `env` takes it.
  init(
    _ program: Program, tools: [String] = usual, others: [String: String] = [:],
    environment: String = ""
  ) throws {
    let name = "far-\(UUID().uuidString.prefix(8))"
    let folder = program.directory.url.appending(path: name)
    programs = folder.appending(path: "bin")
    temporary = folder.appending(path: "tmp")
    // A name that is short, since questions have it.
    command = "sh \(name)/go"
    for url in [programs, temporary] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    for tool in tools where others[tool] == nil {
      let path = ["/usr/bin/\(tool)", "/bin/\(tool)"].first {
        FileManager.default.isExecutableFile(atPath: $0)
      }
      try FileManager.default.createSymbolicLink(
        atPath: programs.appending(path: tool).path,
        withDestinationPath: path ?? "/usr/bin/\(tool)")
    }
    for (name, script) in others {
      let text = folder.appending(path: name)
      try "#!/bin/sh\n\(script)\n".write(to: text, atomically: true, encoding: .utf8)
      // Another process writes what is run: one that is started by this one meanwhile would have it open.
      let status = try spawn(
        "/usr/bin/install", ["-m", "700", text.path, programs.appending(path: name).path],
        output: folder.appending(path: "log"))
      guard status == 0 else { throw POSIXError(.EACCES) }
    }
    let words =
      "PATH='\(programs.path)' HOME=/nonexistent TMPDIR='\(temporary.path)' \(environment)"
    try "exec env -u XDG_RUNTIME_DIR \(words) \"$@\"\n".write(
      to: folder.appending(path: "go"), atomically: true, encoding: .utf8)
  }

  /// What lies in its temporary folder.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporary.path)
  }

  /// The processes that run or have open what had a name in its temporary folder.
  func users() -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      let folder = "/proc/\(process)/fd"
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return (files.map { "\(folder)/\($0)" } + ["/proc/\(process)/exe"]).contains {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: $0)
        return path?.hasPrefix(temporary.path) ?? false
      }
    }
  }

  /// Waits until nobody has anything of it.
  func end() async throws {
    for process in users() {
      guard let end = try? Readiness.end(of: process) else { continue }
      while await !Readiness.wait(for: [end], milliseconds: 250) {}
      close(end)
    }
  }
}
