import DatastoreCore

/// One-line descriptions of contexts and what is staged in them, for logs and debuggers. Outside its queue or
/// actor, a context gives only its kind.
extension ContextCore {
  /// - Parameter name: the kind of the context.
  func line(_ name: String) -> String {
    guard graph.executor?.isCurrent ?? true else { return "\(name) (of another queue)" }
    let counts = [
      (graph.insertedObjects.count, "new"), (graph.updatedObjects.count, "changed"),
      (graph.deletedObjects.count, "to be deleted"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let staged = counts.isEmpty ? "nothing staged" : counts.joined(separator: ", ")
    return "\(name) (\(staged))" + (origin.author.map { " of \($0)" } ?? "")
  }
}

extension SwiftDatastoreContext.Closure: CustomDebugStringConvertible {
  /// The number of staged objects.
  public var debugDescription: String { core.line("SwiftDatastoreContext") }
}

extension SwiftDatastoreContext: CustomDebugStringConvertible {
  /// The number of staged objects, on the context's queue.
  public var debugDescription: String { closure.debugDescription }
}

extension SwiftDatastoreViewContext: CustomDebugStringConvertible {
  /// The number of staged objects, on the main actor.
  public nonisolated var debugDescription: String {
    coreBox.core.line("SwiftDatastoreViewContext")
  }
}
