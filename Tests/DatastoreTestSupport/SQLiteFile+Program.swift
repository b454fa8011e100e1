package import Foundation

/// The sqlite3 program as an oracle.
extension SQLiteFile {
  /// The output of the sqlite3 program for statements on a file: one line a row, values between bars.
  ///
  /// - Throws: the errors of starting it, and `Failure` if it does not end well.
  package static func output(of sql: String, at url: URL) throws -> String {
    let directory = try TemporaryDirectory()
    let script = try directory.write(sql, to: "script.sql")
    let output = directory.url.appending(path: "output")
    let status = try spawn(
      "/bin/sh", ["-c", "exec sqlite3 -batch -bail \"$0\" < \"$1\" 2>&1", url.path, script],
      output: output)
    let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    guard status == 0 else { throw Failure(description: text) }
    return text
  }

  /// The message of the program when it failed.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }
}
