import TerminalUI

/// A question in the middle of the screen, answered by a key.
struct Question: Overlay {
  /// An answer: its key, its label of a word or two, and its action.
  struct Answer: Sendable {
    let key: Key
    let label: String
    /// Called after the question is closed.
    let perform: @Sendable (inout BrowserState) -> Void

    init(
      _ key: Key, _ label: String,
      _ perform: @escaping @Sendable (inout BrowserState) -> Void
    ) {
      self.key = key
      self.label = label
      self.perform = perform
    }
  }

  static var scope: CommandScope { .question }
  let title: String
  let message: String
  /// The answers; Escape gives the last one.
  let answers: [Answer]
  var role = StyleRole.text

  mutating func press(_ key: Key, in state: inout BrowserState) {
    guard let answer = answers.first(where: { $0.key == key }) else { return }
    state.closeOverlay()
    answer.perform(&state)
  }

  /// Gives the last answer, for Escape.
  static func dismiss(_ state: inout BrowserState) {
    guard let question = state.overlay(as: Question.self) else { return }
    state.closeOverlay()
    question.answers.last?.perform(&state)
  }

  mutating func click(at position: Position, clicks: Int, in state: inout BrowserState) {
    guard let index = modal.hint(at: position, in: Self.area(in: state.size), maximum: Self.widest)
    else { return }
    state.closeOverlay()
    answers[index].perform(&state)
  }

  private static let widest = 76

  private static func area(in size: Size) -> Rectangle {
    size.box(columns: size.columns, rows: size.rows)
  }

  private var modal: Modal {
    Modal(
      title: title, message: message,
      hints: answers.map { Footer.Hint(key: $0.key.description, label: $0.label) }, role: role)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    modal.draw(into: &buffer, in: Self.area(in: buffer.size), maximum: Self.widest)
    return nil
  }
}

extension BrowserState {
  /// Opens a question; Escape gives the last answer.
  mutating func ask(
    title: String, message: String, answers: [Question.Answer], role: StyleRole = .text
  ) {
    open(Question(title: title, message: message, answers: answers, role: role))
  }

  /// Asks whether to do something; the other answer does nothing.
  mutating func ask(
    title: String, message: String, role: StyleRole = .text, _ yes: String, by key: Key = "y",
    else no: String, by other: Key = "n",
    _ perform: @escaping @Sendable (inout BrowserState) -> Void
  ) {
    let answers = [Question.Answer(key, yes, perform), Question.Answer(other, no) { _ in }]
    ask(title: title, message: message, answers: answers, role: role)
  }
}
