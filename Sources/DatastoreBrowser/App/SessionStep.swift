package import TerminalUI

/// One step of a session, as a line of a script: a command by its name, or what was typed.
package enum SessionStep: Hashable, Sendable {
  /// A command, and what follows its name in the palette.
  case command(String, argument: String = "")
  /// Text for a line in which one types.
  case type(String)
  /// A key that is not a command there: an answer to a question, an arrow in a line.
  case key(Key)
  case paste(String)
  case click(column: Int, row: Int, clicks: Int)
  case size(Size)
}

/// What was done since the browser was opened.
struct SessionLog: FeatureState {
  /// More are not kept; a script without its beginning would do something else.
  private static let most = 100_000

  private(set) var steps: [SessionStep] = []
  /// Whether some are not kept, since there were too many.
  private(set) var isCut = false
  /// How many there were when something was last begun in a panel.
  private var countInPanel = 0
  /// Commands that only repeat others, or begin what is recorded by its own name.
  static let unnoted: Set<String> = [
    "macro-record", "macro-replay", "cancel-keys", "save-session", "replay-session", "suspend",
    "redraw",
  ]

  /// What was done before that which is being done now: saving a session is not part of it.
  var stepsBefore: [SessionStep] { Array(steps.prefix(countInPanel)) }

  /// Records that something is begun in a panel.
  mutating func begin() { countInPanel = steps.count }

  /// Forgets what is being done now: replaying a session is recorded by its steps.
  mutating func forgetPresent() { steps.removeSubrange(countInPanel...) }

  mutating func record(_ step: SessionStep) {
    if case .command(let name, _) = step, Self.unnoted.contains(name) { return }
    if case .type(let more) = step, case .type(let text)? = steps.last, steps.count > countInPanel {
      steps[steps.count - 1] = .type(text + more)
      return
    }
    guard steps.count < Self.most else {
      isCut = true
      return
    }
    steps.append(step)
  }

  /// Records a key that is not a command.
  mutating func record(_ key: Key) {
    if case .character(let character) = key.base, key.modifiers.isEmpty {
      record(.type(String(character)))
    } else {
      record(.key(key))
    }
  }
}

extension BrowserState {
  var session: SessionLog {
    get { self[SessionLog.self] }
    _modify { yield &self[SessionLog.self] }
  }
}
