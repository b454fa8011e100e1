import Basics
import DatastoreCore

extension FetchedObjectsController: CustomDebugStringConvertible {
  /// The query, and the size of its result; on the main actor.
  public nonisolated var debugDescription: String {
    let name = "FetchedObjectsController<\(T.self)>"
    guard MainQueue.isCurrent else { return "\(name) (of another queue)" }
    return MainActor.assumeIsolated {
      guard hasFetched else { return "\(name) (not fetched)" }
      let (rows, sections) = (list.keys.count, list.sections.count)
      let found =
        "\(CountText.counted(rows, "object"))"
        + (groupKeyPath == nil ? "" : " in \(CountText.counted(sections, "section"))")
      return "\(name) (\(found))" + (request.predicate.map { " where \($0)" } ?? "")
    }
  }
}
