package import TerminalUI

/// One step of a session, as a line of a script: a command by its name, or input.
package enum SessionStep: Hashable, Sendable {
  /// Going to the place where a session begins, in the words of the browser.
  case begin(String)
  /// A command, and the argument after its name in the palette.
  case command(String, argument: String = "")
  /// Text for a line of text input.
  case type(String)
  /// A key without a command: an answer to a question, an arrow in a line.
  case key(Key)
  case paste(String)
  case click(column: Int, row: Int, clicks: Int)
  case size(Size)
  /// A step that did nothing. It is a remark in the script, because a replay would stop there.
  indirect case idle(SessionStep)
}

/// The steps since the browser was opened.
struct SessionLog: FeatureState {
  /// The most steps that are kept. Later ones are dropped: a script without its beginning would do something
  /// else.
  private static let most = 100_000

  private(set) var steps: [SessionStep] = []
  /// Whether steps were dropped.
  private(set) var isCut = false
  /// The number of steps when an action last began in a panel.
  private var countInPanel = 0
  /// Commands that are not recorded: they only repeat others, or have an effect that is recorded by itself.
  static let unnoted: Set<String> = [
    "macro-record", "macro-replay", "cancel-keys", "save-session", "replay-session", "suspend",
    "redraw",
  ]

  /// The steps before the current action: saving a session is not part of it.
  var stepsBefore: [SessionStep] { Array(steps.prefix(countInPanel)) }

  /// Marks the beginning of an action in a panel.
  mutating func begin() { countInPanel = steps.count }

  /// Forgets the steps of the current action: replaying a session records its steps.
  mutating func forgetPresent() { steps.removeSubrange(countInPanel...) }

  /// Marks the steps of the current action as steps that did nothing.
  mutating func idlePresent() {
    for index in countInPanel..<steps.count {
      if case .idle = steps[index] { continue }
      steps[index] = .idle(steps[index])
    }
  }

  mutating func record(_ step: SessionStep) {
    switch step {
    case .command(let name, _), .idle(.command(let name, _)):
      if Self.unnoted.contains(name) { return }
    default: break
    }
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

  /// Records a key without a command.
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
