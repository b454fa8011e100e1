import DatastoreCore
import Foundation

/// Writes golden texts into the sources that hold them. The tests fail all the same, so that no text is
/// accepted unseen.
enum GoldenRecorder {
  static let isOn = ProcessInfo.processInfo.environment["DATASTORE_RECORD_GOLDENS"] == "1"

  /// By file: after which lines how many have come, so that the lines of the compiler are found again.
  private static let shifts = Lock<[String: [(line: Int, by: Int)]]>([:])

  /// Puts a text in place of the literal behind the first `is: """` of a call.
  static func record(_ golden: String, inCallAt line: Int, of file: String) throws {
    try shifts.withLock { shifts in
      var lines = try String(contentsOfFile: file, encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let known = shifts[file, default: []]
      let start = known.reduce(line - 1) { $1.line < line ? $0 + $1.by : $0 }
      guard let begin = lines[start...].firstIndex(where: { $0.hasSuffix("is: \"\"\"") }),
        let end = lines[(begin + 1)...].firstIndex(where: {
          $0.drop { $0 == " " }.hasPrefix("\"\"\"")
        })
      else { return }
      let indent = String(lines[end].prefix { $0 == " " })
      let text = golden.replacing("\\", with: "\\\\")
        .split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : indent + $0 }
      shifts[file] = known + [(line, text.count - (end - begin - 1))]
      lines.replaceSubrange((begin + 1)..<end, with: text)
      try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    }
  }
}
