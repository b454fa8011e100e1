import TerminalUI

/// Opening answers to SQL as tables.
extension BrowserState {
  /// Opens an answer as a table; what is typed meanwhile is meant for that.
  ///
  /// - Parameter key: what is to be pressed there first.
  mutating func openAnswer(_ request: AnswerRequest, pressing key: Key? = nil) {
    awaitAnswer(.storeAbove)
    if let key { editing.typedAhead = [key] }
    self.request(.openAnswer(request))
  }

  /// Runs the statement of the answer that is shown again.
  mutating func readAnswerAgain() {
    message = Message(text: "Running the statement again…", severity: .information)
    request(.readAnswerAgain)
  }
}
