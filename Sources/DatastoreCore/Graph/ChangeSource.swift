/// Who made a change that observers, controllers and contexts are notified of.
public enum ChangeSource: Sendable, Hashable {
  /// The context that tells: something was staged, taken back or changed by a batch operation in it.
  case thisContext
  /// Another context of the datastore, by a save or a batch operation, with its `transactionAuthor`
  /// at that time.
  case otherContext(author: String?)
  /// Another process that has written the file.
  case otherProcess

  /// The `transactionAuthor` of the context that saved; nil for other sources.
  public var author: String? {
    if case .otherContext(let author) = self { author } else { nil }
  }
}

extension ObjectGraph {
  /// Runs `body` while the changes that are told come from someone else.
  func reporting<Result>(_ source: ChangeSource, _ body: () throws -> Result) rethrows -> Result {
    let former = changeSource
    changeSource = source
    defer { changeSource = former }
    return try body()
  }
}
