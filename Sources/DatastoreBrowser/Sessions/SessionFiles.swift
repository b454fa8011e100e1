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
    } as: { (result: Result<Void, EffectFailure>) in
      switch result {
      case .success:
        SessionSaid(
          text: "\(CountText.counted(steps, "step")) written to \(path).", isFailure: false)
      case .failure(let failure): SessionSaid(text: failure.message, isFailure: true)
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
    } as: { (result: Result<SessionScript, EffectFailure>) in
      switch result {
      case .success(let script): SessionRead(script: script)
      case .failure(let failure): SessionSaid(text: failure.message, isFailure: true)
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

/// The result of saving or reading a session.
struct SessionSaid: BrowserEvent {
  let text: String
  let isFailure: Bool

  func apply(to state: inout BrowserState) {
    state.tell(text, isFailure ? .error : .success)
  }
}

/// A session to replay was read.
struct SessionRead: BrowserEvent {
  let script: SessionScript

  func apply(to state: inout BrowserState) {
    state.session.forgetPresent()
    if script.saysWhereItBegins || state.showsAllRows { return replay(in: &state) }
    state.open(
      Question(
        title: "Replay session",
        message: "The session does not say where it begins, as those of older versions do not, and "
          + "not all rows of the table are shown. Its steps would change or delete what is shown.",
        answers: [
          Question.Answer("y", "replay here") { state in
            state.session.forgetPresent()
            replay(in: &state)
          },
          Question.Answer("n", "do nothing") { $0.session.forgetPresent() },
        ], role: .warning))
  }

  private func replay(in state: inout BrowserState) {
    state.request(.terminal(.replaySession(script.steps.map(\.step))))
  }
}

extension BrowserState {
  /// Whether the table has all rows of its entity.
  fileprivate var showsAllRows: Bool {
    table.map { $0.query.filter == nil && $0.query.scope == nil } ?? true
  }
}
