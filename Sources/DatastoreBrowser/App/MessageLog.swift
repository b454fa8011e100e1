import DatastoreCore

/// The messages of the status line, to be read again. All stores that are shown above each other share one
/// log.
final class MessageLog: Sendable {
  /// The most messages that are kept; the oldest are removed first.
  private static let most = 500

  private let kept = Lock<[BrowserState.Message]>([])

  var messages: [BrowserState.Message] { kept.withLock { $0 } }

  /// Records a message, unless it repeats the last one.
  func record(_ message: BrowserState.Message) {
    kept.withLock { messages in
      guard messages.last != message else { return }
      messages.append(message)
      if messages.count > Self.most { messages.removeFirst(messages.count - Self.most) }
    }
  }
}

extension BrowserState {
  /// Records sentences as messages; the first one is shown if the status line has no other.
  mutating func report(_ sentences: [String], severity: Message.Severity) {
    for sentence in sentences {
      let new = Message(text: sentence, severity: severity)
      if message == nil { message = new } else { messageLog.record(new) }
    }
  }
}
