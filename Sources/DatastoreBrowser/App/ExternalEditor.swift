import Basics
import Foundation
import TerminalUI

/// The user's own editor, for texts that are too long for a line.
struct ExternalEditor {
  /// The shell command: `$VISUAL`, `$EDITOR` or else `vi`.
  let command: String

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    command =
      ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
  }

  /// The outcome of an edit.
  enum Outcome: Hashable, Sendable {
    case edited(String)
    case unchanged
    /// Nothing is applied; the reason is a sentence.
    case failed(String)
  }

  /// Gives the screen to the editor until it ends. The text is in a temporary file that only the user can
  /// read.
  @MainActor
  func edit(_ text: String, suffix: String, on terminal: any Terminal) -> Outcome {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("datastore-\(UUID().uuidString)", isDirectory: true)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("value.\(suffix)")
      try Data(text.utf8).write(to: file)
      let status = try terminal.run(["/bin/sh", "-c", "\(command) \"$1\"", "sh", file.path])
      guard status == 0 else {
        return .failed(
          status == 127
            ? "The editor “\(command)” was not found; set VISUAL or EDITOR to yours."
            : "The editor ended with status \(status), so nothing was changed.")
      }
      return outcome(try Data(contentsOf: file), before: text)
    } catch {
      return .failed("The text could not be edited: \(error)")
    }
  }

  private func outcome(_ data: Data, before: String) -> Outcome {
    guard var text = String(validating: data, as: UTF8.self) else {
      return .failed("The editor wrote text that is not UTF-8, so nothing was changed.")
    }
    // Editors add a newline to the last line, whether or not it had one.
    if !before.ends(with: "\n"), text.ends(with: "\n") { text.removeLast() }
    return text.utf8.elementsEqual(before.utf8) ? .unchanged : .edited(text)
  }
}
