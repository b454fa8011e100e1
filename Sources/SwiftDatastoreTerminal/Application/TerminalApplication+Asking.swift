import Basics
import TerminalUI

/// A question to the person at the terminal, with the continuation that waits for the answer.
enum Question {
  case form(Form, CheckedContinuation<[String]?, Never>)
  case decision(Modal, CheckedContinuation<Bool, Never>)

  var hints: [Footer.Hint] {
    switch self {
    case .form(let form, _): form.hints
    case .decision(let modal, _): modal.hints
    }
  }

  mutating func insert(_ text: String) {
    guard case .form(var form, let continuation) = self else { return }
    form.insert(text)
    self = .form(form, continuation)
  }

  /// Draws the question and returns the position of the terminal's cursor.
  mutating func draw(into buffer: inout ScreenBuffer, in area: Rectangle) -> Position? {
    switch self {
    case .form(var form, let continuation):
      let cursor = form.draw(into: &buffer, in: area)
      self = .form(form, continuation)
      return cursor
    case .decision(let modal, _):
      modal.draw(into: &buffer, in: area)
      return nil
    }
  }
}

/// Questions and messages of a command.
extension TerminalApplication {
  /// Asks for texts in a form over the screen. `enter` moves to the next field and, in the last one, submits
  /// the form; `ctrl-s` submits it from any field.
  ///
  /// - Parameters:
  ///   - title: the subject of the form.
  ///   - fields: the label and the initial text of each field.
  /// - Returns: the texts, in the order of the fields; nil if the person cancelled the form.
  public func ask(_ title: String, _ fields: KeyValuePairs<String, String>) async -> [String]? {
    guard canAsk else { return nil }
    return await withCheckedContinuation { continuation in
      present(.form(Form(title: title, fields), continuation))
    }
  }

  /// Asks a yes-or-no question.
  ///
  /// - Parameter question: a sentence.
  /// - Returns: true if the person pressed `y` or `enter`, false for `n` or `esc`.
  public func confirm(_ question: String) async -> Bool {
    guard canAsk else { return false }
    let modal = Modal(
      title: "", message: question,
      hints: [Footer.Hint(key: "y", label: "yes"), Footer.Hint(key: "n", label: "no")])
    return await withCheckedContinuation { present(.decision(modal, $0)) }
  }

  /// Shows a message in the last line of the screen until the next key.
  ///
  /// - Parameters:
  ///   - text: a sentence.
  ///   - role: the meaning of the text, which decides its style.
  public func say(_ text: String, role: TextRole = .text) {
    message = (text, role)
    redraw()
  }

  private var canAsk: Bool { !isEnded && !Task.isCancelled }

  private func present(_ question: Question) {
    require(self.question == nil, "a question was asked before the last one was answered")
    self.question = question
    redraw()
    takeWaiting()
    schedule.workEnded()
  }

  /// Handles a key as part of the answer.
  func answer(_ key: Key) {
    switch question {
    case .form(var form, let continuation):
      switch form.handle(key) {
      case .goesOn: question = .form(form, continuation)
      case .cancelled: cancelQuestion()
      case .answered(let texts):
        question = nil
        continuation.resume(returning: texts)
      }
    case .decision(_, let continuation):
      guard ["y", "enter", "n", "esc", "ctrl-c"].contains(key) else { return }
      question = nil
      continuation.resume(returning: key == "y" || key == "enter")
    case nil: break
    }
  }

  func cancelQuestion() {
    let asked = question
    question = nil
    switch asked {
    case .form(_, let continuation): continuation.resume(returning: nil)
    case .decision(_, let continuation): continuation.resume(returning: false)
    case nil: break
    }
  }
}
