import TerminalUI

/// A question in the middle of the screen, answered by a key.
struct Question: Overlay {
  /// One answer: its key, what it does in a word or two, and what follows.
  struct Answer: Sendable {
    let key: Key
    let label: String
    /// Called when the question is closed already.
    let perform: @Sendable (inout BrowserState) -> [Effect]

    init(
      _ key: Key, _ label: String,
      _ perform: @escaping @Sendable (inout BrowserState) -> [Effect]
    ) {
      self.key = key
      self.label = label
      self.perform = perform
    }
  }

  var scope: CommandScope { .question }
  let title: String
  let message: String
  let answers: [Answer]
  var role = StyleRole.text

  /// The last answer is the one of Escape.
  init(title: String, message: String, answers: [Answer], role: StyleRole = .text) {
    self.title = title
    self.message = message
    self.answers = answers
    self.role = role
  }

  /// Everything in one line, for screens that are too small for the box.
  var sentence: String {
    message + " " + answers.map { "\($0.key): \($0.label)." }.joined(separator: " ")
  }

  mutating func press(_ key: Key, in state: inout BrowserState) -> [Effect] {
    // Escape and ctrl-c reach it as commands, but for screens that are too small for commands.
    if key == "esc" || key == "ctrl-c" { return Self.dismiss(&state) }
    guard let answer = answers.first(where: { $0.key == key }) else { return [] }
    state.closeOverlay()
    return answer.perform(&state)
  }

  /// Escape: the last answer.
  static func dismiss(_ state: inout BrowserState) -> [Effect] {
    guard let question = state.overlay(as: Question.self) else { return [] }
    state.closeOverlay()
    return question.answers.last?.perform(&state) ?? []
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    Modal(
      title: title, message: message,
      hints: answers.map { Footer.Hint(key: $0.key.description, label: $0.label) }, role: role
    ).draw(into: &buffer, in: Rectangle(buffer.size).inset(horizontal: 2, vertical: 1), maximum: 76)
    return nil
  }
}
