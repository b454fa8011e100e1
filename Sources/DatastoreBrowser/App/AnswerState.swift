import Basics
import TerminalUI

/// What is known of the answer to SQL whose rows are shown; nothing where a file is.
struct AnswerState: FeatureState {
  enum Phase: Hashable, Sendable {
    case reading
    case whole
    case stopped
    case failed(String)
  }

  struct Shown: Hashable, Sendable {
    let sql: String
    /// The time of day at which it was asked.
    let time: String
    /// Whether what was asked is itself the rows of an answer, which are gone the next time.
    let isOfAnswer: Bool
    /// How many rows have been read.
    var rows: Int
    var phase: Phase
  }

  var shown: Shown?
}

extension AnswerState.Shown {
  /// What it is and how old, before the statement, of which there may be more than there is room for.
  var title: String {
    "SQL at \(time): "
      + sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// How far it has been read, where that is not to its end.
  var note: String? {
    switch phase {
    case .whole: nil
    case .reading: "\(CountText.counted(rows, "row")) read so far, esc stops"
    case .stopped: "not all of it: reading was stopped"
    case .failed: "not all of it: reading has failed"
    }
  }
}

extension BrowserState {
  /// The answer to SQL whose rows are shown.
  var answer: AnswerState.Shown? {
    get { self[AnswerState.self].shown }
    _modify { yield &self[AnswerState.self].shown }
  }
}
