import Basics
import TerminalUI

/// Recorded keys, to be pressed again later.
struct MacroState: FeatureState {
  /// The keys of the running recording; nil if there is none.
  private(set) var recording: [Key]?
  private(set) var last: [Key] = []

  /// Starts a recording.
  mutating func begin() { recording = [] }

  /// Records a key, if a recording is running.
  mutating func record(_ key: Key) { recording?.append(key) }

  /// Ends the recording and removes its last key, which ended it.
  mutating func end() {
    guard let keys = recording else { return }
    recording = nil
    if keys.count > 1 { last = keys.dropLast() }
  }
}

extension BrowserState {
  /// Starts or ends a recording of keys.
  mutating func toggleRecording() {
    if macro.recording == nil {
      macro.begin()
      message = Message(
        text: "Recording. Press the same key again to end it.", severity: .success)
    } else {
      macro.end()
      let count = macro.last.count
      message = Message(
        text: macro.last.isEmpty
          ? "Nothing was recorded." : "Recorded \(CountText.counted(count, "key")).",
        severity: .success)
    }
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
    if $0.macro.recording != nil { return "The keys are still being recorded." }
    return $0.macro.last.isEmpty ? "Nothing has been recorded yet." : nil
  }
}
