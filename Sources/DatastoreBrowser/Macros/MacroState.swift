import Basics
import TerminalUI

/// Recorded keys and pasted texts, to be given again later.
struct MacroState: FeatureState {
  /// The input of the running recording; nil if there is none.
  private(set) var recording: [InputEvent]?
  private(set) var last: [InputEvent] = []
  /// The length of the recording when an action last began in a panel.
  private var countInPanel = 0

  /// Starts a recording.
  mutating func begin() {
    recording = []
    countInPanel = 0
  }

  /// Marks the beginning of an action in a panel.
  mutating func beginAction() { countInPanel = recording?.count ?? 0 }

  /// Records a key or a pasted text, if a recording is running.
  mutating func record(_ input: InputEvent) { recording?.append(input) }

  /// Forgets the input of the current action.
  mutating func forgetPresent() { recording?.removeSubrange(countInPanel...) }

  /// Ends the recording, without the action that ended it.
  mutating func end() {
    forgetPresent()
    guard let input = recording else { return }
    recording = nil
    if !input.isEmpty { last = input }
  }
}

extension BrowserState {
  /// Starts or ends a recording of keys.
  mutating func toggleRecording() {
    if macro.recording == nil {
      macro.begin()
      tell("Recording. Press the same key again to end it.", .success)
    } else {
      macro.end()
      tell(
        macro.last.isEmpty ? "Nothing was recorded." : "Recorded \(macro.lastInWords).", .success)
    }
  }

  /// Gives the recorded input again. A recording that called itself would not end.
  mutating func replayRecording() {
    guard macro.recording == nil else {
      macro.forgetPresent()
      return tell("The keys are still being recorded.", .warning)
    }
    request(.replay(macro.last))
  }
}

extension MacroState {
  /// What was recorded last: `3 keys and 1 paste`.
  fileprivate var lastInWords: String {
    let pastes = last.count { if case .paste = $0 { true } else { false } }
    let keys = last.count - pastes
    return [(keys, "key"), (pastes, "paste")].filter { $0.0 > 0 }
      .map { CountText.counted($0.0, $0.1) }.joined(separator: " and ")
  }
}

extension BrowserState {
  var macro: MacroState {
    get { self[MacroState.self] }
    _modify { yield &self[MacroState.self] }
  }
}

extension DisabledReason {
  static let nothingRecorded = DisabledReason {
    $0.macro.recording == nil && $0.macro.last.isEmpty
      ? "Nothing has been recorded yet." : nil
  }
}
