import DatastoreTestSupport
import Testing

/// Waiting until the browser has done what keys ask for: it writes the whole screen again at Ctrl-L, which comes after
/// them.
extension PseudoTerminal {
  /// Pressed after other keys: the program clears the screen when they are done.
  private static let mark = text(of: "ctrl-l")
  /// Ends Escape: the sequence of a key that no terminal has. Without it what follows would be pressed with Alt.
  private static let endOfEscape = "\u{1B}[99z"
  /// Looks at a program that does not answer, of a quarter of a second, before a test gives up.
  private static let mostSilence = 320

  /// Presses keys by their names, and returns the screen when the program has done what they say, and does nothing
  /// more by itself; nil when it has ended. Nothing is known of what a server still works on for it.
  ///
  /// - Parameter onAnswer: called when the keys are done, and what they change is written.
  func answer(
    _ keys: [String], onAnswer: () -> Void = {}, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String]? {
    let text = keys.map { Self.text(of: $0) + ($0 == "esc" ? Self.endOfEscape : "") }.joined()
    guard try await redrawn(after: text, sourceLocation) != nil else { return nil }
    onAnswer()
    while !isQuiet, !isClosed {
      _ = await Readiness.wait(for: [master], milliseconds: 4)
      pump(waiting: 0)
    }
    return try await redrawn(after: "", sourceLocation)
  }

  /// Waits until something is written, a tenth of a second at most; false when the program has ended.
  func pause() async throws -> Bool {
    _ = await Readiness.wait(for: [master], milliseconds: 100)
    return pump(waiting: 0)
  }

  /// Sends a text, and returns what the screen shows when the program has read it.
  private func redrawn(
    after text: String, _ sourceLocation: SourceLocation
  ) async throws -> [String]? {
    let count = screen.clearCount
    type(text + Self.mark)
    var silence = 0
    while silence < Self.mostSilence {
      let hasWritten = await Readiness.wait(for: [master], milliseconds: 250)
      let isOpen = pump(waiting: 0)
      if screen.clearCount > count { return screen.cleared.last }
      guard isOpen, !isClosed else { return nil }
      silence = hasWritten ? 0 : silence + 1
      if !hasWritten, isQuiet {
        if await Readiness.wait(for: [endOfProcess], milliseconds: 0) { return nil }
        // A replay that runs is stopped by a key, which does nothing else then.
        type(Self.mark)
      }
    }
    let picture = lines.joined(separator: "\n")
    Issue.record(
      "the program does not answer; the screen is:\n\(picture)", sourceLocation: sourceLocation)
    throw WaitedInVain(what: "an answer")
  }
}
