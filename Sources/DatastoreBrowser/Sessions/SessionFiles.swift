import Basics
import DatastoreCore
import Foundation
import Gates
import SQLiteFiles
import TerminalUI

extension Effect {
  /// Writes a session to a file.
  static func saveSession(_ text: String, path: String, steps: Int) -> Effect {
    .answer { _ in
      let full = PathCompletion.expanded(path)
      try await BlockingWork.run {
        try SessionFile.write(text, to: full)
      }
    } then: { (state: inout BrowserState, result: Result<Void, EffectFailure>) in
      switch result {
      case .success: state.tell("\(CountText.counted(steps, "step")) written to \(path).", .success)
      case .failure(let failure): state.tell(failure.message, .error)
      }
    }
  }

  /// Reads a session from a file, and replays it.
  ///
  /// - Parameter commands: the commands that the session may name.
  static func readSession(_ path: String, _ commands: CommandTable) -> Effect {
    .answer { _ in
      let full = PathCompletion.expanded(path)
      return try await BlockingWork.run {
        try SessionScript(contentsOfFile: full, commands: commands)
      }
    } then: { (state: inout BrowserState, result: Result<SessionScript, EffectFailure>) in
      switch result {
      case .success(let script): state.replay(script)
      case .failure(let failure): state.tell(failure.message, .error)
      }
    }
  }
}

private enum SessionFile {
  /// Replaces an older session file, and no other file.
  static func write(_ text: String, to path: String) throws {
    if FileManager.default.fileExists(atPath: path) {
      let begin = (try? ReadableFile.contents(of: path, atMost: 1 << 24)) ?? []
      guard String(decoding: begin.prefix(64), as: UTF8.self).hasPrefix(SessionScript.mark) else {
        throw SessionRefusal(
          description: "\(path) is not a session; choose another name.")
      }
    }
    let data = Data(text.utf8)
    do {
      try NewFile.write(data, to: path, mode: 0o666)
    } catch {
      throw SessionRefusal(description: "The session could not be written: \(error.reason)")
    }
  }
}

private struct SessionRefusal: Error, CustomStringConvertible {
  let description: String
}

extension SessionScript {
  /// Reads a script from a file. Waits for the disk.
  ///
  /// - Throws: `SessionScriptFault`, or a sentence about why the file cannot be read.
  init(contentsOfFile path: String, commands: CommandTable) throws {
    let bytes: [UInt8]
    do {
      bytes = try ReadableFile.contents(of: path, atMost: 1 << 26)
    } catch {
      throw SessionRefusal(description: "\(path) cannot be read: \(error.reason)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SessionRefusal(description: "\(path) is not UTF-8 text.")
    }
    try self.init(parsing: text, commands: commands)
  }
}

extension BrowserState {
  /// Replays a session that was read; asks first if that could change other rows than those it was made with.
  fileprivate mutating func replay(_ script: SessionScript) {
    session.forgetPresent()
    let steps = script.steps.map(\.step)
    if script.saysWhereItBegins || showsAllRows {
      return request(.terminal(.replaySession(steps)))
    }
    ask(
      title: "Replay session",
      message: "The session does not say where it begins, as those of older versions do not, and "
        + "not all rows of the table are shown. Its steps would change or delete what is shown.",
      answers: [
        Question.Answer("y", "replay here") { state in
          state.session.forgetPresent()
          state.request(.terminal(.replaySession(steps)))
        },
        Question.Answer("n", "do nothing") { $0.session.forgetPresent() },
      ], role: .warning)
  }

  /// Whether the table has all rows of its entity.
  private var showsAllRows: Bool {
    table.map { $0.query.filter == nil && $0.query.scope == nil } ?? true
  }
}
