package import Foundation

/// The sqlite3 program as another process that comes and goes: it opens a file, runs statements, and closes
/// it. An oracle from outside.
package enum SQLiteCommand {
  /// The reason of a test that does not run without the program.
  package static let absence = "the sqlite3 program is not installed"

  private static let path = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  package static var isPresent: Bool { path != nil }

  /// The output of some statements, which the program runs in a process of its own. It waits for locks.
  ///
  /// - Throws: `Failed` with the text on standard error; `POSIXError` if the program cannot be started.
  @discardableResult
  package static func run(_ sql: String, on url: URL) throws -> String {
    let folder = try TemporaryDirectory()
    let output = folder.url.appendingPathComponent("out")
    let errors = folder.url.appendingPathComponent("err")
    let status = try spawn(
      path ?? "sqlite3", ["-bail", "-cmd", ".timeout 30000", url.path, sql], output: output,
      errors: errors)
    guard status == 0 else {
      throw Failed(message: try String(contentsOf: errors, encoding: .utf8))
    }
    return try String(contentsOf: output, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  package struct Failed: Error, CustomStringConvertible {
    package let message: String
    package var description: String { message }
  }
}
