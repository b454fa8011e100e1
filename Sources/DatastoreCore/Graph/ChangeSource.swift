/// Who made a change that observers, controllers and contexts are notified of.
public enum ChangeSource: Sendable, Hashable {
  /// The context that notifies: something was staged, undone or changed by a batch operation in it.
  case thisContext
  /// Another context of the datastore, by a save or a batch operation, with its `transactionAuthor`
  /// and its `sourceIdentifier` at that time.
  case otherContext(author: String?, identifier: SourceIdentifier? = nil)
  /// Another process that has written the store. A store in a server reports the `transactionAuthor` of the
  /// context that saved there; files, and programs that write with other libraries, report none.
  case otherProcess(author: String?)

  /// Another process of which nothing is known.
  public static var otherProcess: ChangeSource { .otherProcess(author: nil) }

  /// The `transactionAuthor` of the context that saved, in this process or in another one; nil where it is
  /// not known.
  public var author: String? {
    switch self {
    case .thisContext: nil
    case .otherContext(let author, _), .otherProcess(let author): author
    }
  }

  /// Whether another process has made the change.
  public var isOtherProcess: Bool {
    if case .otherProcess = self { true } else { false }
  }

  /// The `sourceIdentifier` of the context that saved: the value itself, not a copy of what it refers to. nil
  /// for other sources.
  public var identifier: (any Sendable)? {
    if case .otherContext(_, let identifier) = self { identifier?.value } else { nil }
  }
}

/// A value of the program that says who saves, compared by identity: each one that is made is another.
public final class SourceIdentifier: Sendable, Hashable {
  /// The value.
  public let value: any Sendable

  /// An identifier that carries `value`.
  public init(_ value: any Sendable) { self.value = value }

  /// Whether both are the same one.
  public static func == (left: SourceIdentifier, right: SourceIdentifier) -> Bool { left === right }

  /// Hashes what identifies it.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What goes with everything that a context saves, so that the others know who it was.
package struct SaveOrigin: Sendable {
  package var author: String?
  package var identifier: SourceIdentifier?

  package init(author: String? = nil, identifier: SourceIdentifier? = nil) {
    self.author = author
    self.identifier = identifier
  }

  package var source: ChangeSource { .otherContext(author: author, identifier: identifier) }

  /// Who has the store written just now, on the thread that writes: for stores that record it with what they
  /// write.
  @TaskLocal package static var current = SaveOrigin()
}

extension ObjectGraph {
  /// Runs `body` while the reported changes come from someone else.
  func reporting<Result>(_ source: ChangeSource, _ body: () throws -> Result) rethrows -> Result {
    let former = changeSource
    changeSource = source
    defer { changeSource = former }
    return try body()
  }
}
