import DatastoreCore

extension MessageLogState: CopyableOverlay {
  /// The whole message, however many lines it takes.
  func copyableCell(in state: BrowserState) -> CopyRequest? {
    message(in: state).map { .text($0.text) }
  }

  /// The cursor does not go to the message about the copy.
  mutating func willCopy() { stay() }
}
