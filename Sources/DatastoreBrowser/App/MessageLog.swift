import DatastoreCore

/// What the status line has said, so that it can be read again. All stores that are shown above each other
/// write into one.
final class MessageLog: Sendable {
  /// More are not kept; the oldest go first.
  private static let most = 500

  private let kept = Lock<[BrowserState.Message]>([])

  var messages: [BrowserState.Message] { kept.withLock { $0 } }

  /// Adds a message, unless it says what the last one said.
  func record(_ message: BrowserState.Message) {
    kept.withLock { messages in
      guard messages.last != message else { return }
      messages.append(message)
      if messages.count > Self.most { messages.removeFirst(messages.count - Self.most) }
    }
  }
}

extension BrowserState {
  /// Puts sentences among the messages; the first one is shown where nothing else is said.
  mutating func report(_ sentences: [String], severity: Message.Severity) {
    for sentence in sentences {
      let new = Message(text: sentence, severity: severity)
      if message == nil { message = new } else { messageLog.record(new) }
    }
  }
}
