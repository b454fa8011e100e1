/// The source of a change that observers, controllers and contexts are notified of.
public enum ChangeSource: Sendable, Hashable {
  /// The notifying context: something was staged, undone or changed by a batch operation in it.
  case thisContext
  /// Another context of the datastore, by a save or a batch operation, with its `transactionAuthor`
  /// and its `sourceIdentifier` at that time.
  case otherContext(author: String?, identifier: SourceIdentifier? = nil)
  /// Another process that has written the store. A store in a server reports the `transactionAuthor` of the
  /// saving context; files, and programs that write with other libraries, do not.
  case otherProcess(author: String?)

  /// Another process, without an author.
  public static var otherProcess: ChangeSource { .otherProcess(author: nil) }

  /// The `transactionAuthor` of the context that saved, in this process or in another one; nil if it is not
  /// known.
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

  /// The `sourceIdentifier` of the context that saved: the value itself, not a copy of an object it refers
  /// to. nil for other sources.
  public var identifier: (any Sendable)? {
    if case .otherContext(_, let identifier) = self { identifier?.value } else { nil }
  }
}

/// A value of the program that identifies the saving party, compared by identity: each instance is distinct.
public final class SourceIdentifier: Sendable, Hashable {
  /// The value.
  public let value: any Sendable

  /// Creates an identifier that carries `value`.
  public init(_ value: any Sendable) { self.value = value }

  /// Whether both are identical.
  public static func == (left: SourceIdentifier, right: SourceIdentifier) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Accompanies everything that a context saves, and identifies the source to the other contexts.
package struct SaveOrigin: Sendable {
  package var author: String?
  package var identifier: SourceIdentifier?

  package init(author: String? = nil, identifier: SourceIdentifier? = nil) {
    self.author = author
    self.identifier = identifier
  }

  package var source: ChangeSource { .otherContext(author: author, identifier: identifier) }

  /// The origin of the current write, on the writing thread: for stores that record it.
  @TaskLocal package static var current = SaveOrigin()
}

extension ObjectGraph {
  /// Runs `body` while reported changes have the given source.
  func reporting<Result>(_ source: ChangeSource, _ body: () throws -> Result) rethrows -> Result {
    let former = changeSource
    changeSource = source
    defer { changeSource = former }
    return try body()
  }
}
