import DatastoreCore

extension FetchedObjectsController: CustomDebugStringConvertible {
  /// What is fetched, and how much was found; on the main actor.
  public nonisolated var debugDescription: String {
    let name = "FetchedObjectsController<\(T.self)>"
    guard MainQueue.isCurrent else { return "\(name) (of another queue)" }
    return MainActor.assumeIsolated {
      guard hasFetched else { return "\(name) (not fetched)" }
      let (rows, sections) = (list.keys.count, list.sections.count)
      let found =
        "\(rows) \(rows == 1 ? "object" : "objects")"
        + (groupKeyPath == nil ? "" : " in \(sections) \(sections == 1 ? "section" : "sections")")
      return "\(name) (\(found))" + (request.predicate.map { " where \($0)" } ?? "")
    }
  }
}
