import DatastoreCore

/// Contexts as a line of text, for logs and debuggers: what is staged in them. Outside its queue or actor a
/// context says only what it is.
extension ContextCore {
  /// - Parameter name: what the context is called.
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
  /// How many objects are staged.
  public var debugDescription: String { core.line("SwiftDatastoreContext") }
}

extension SwiftDatastoreContext: CustomDebugStringConvertible {
  /// How many objects are staged, on the context's queue.
  public var debugDescription: String { closure.debugDescription }
}

extension SwiftDatastoreViewContext: CustomDebugStringConvertible {
  /// How many objects are staged, on the main actor.
  public nonisolated var debugDescription: String {
    coreBox.core.line("SwiftDatastoreViewContext")
  }
}
