import SwiftDatastore

extension ListAdapter {
  func follow(_ change: ListChange<T>) {
    fault = nil
    let row = ListLines(list: change.previous).line(ofItem: index) - firstLine
    let wasEmpty = change.previous.isEmpty
    let wanted =
      awaitsEnd && publisher.isComplete
      ? change.snapshot.count - 1 : awaited.flatMap { change.snapshot.index(of: $0) }
    if let wanted { select(wanted) } else { place(successor(in: change)) }
    guard !wasEmpty, wanted == nil else { return }
    // The object keeps its row of the screen; `settle` adjusts this if it cannot.
    firstLine = max(0, ListLines(list: change.snapshot).line(ofItem: index) - row)
  }

  /// The place of the selected object after a change. If the object is gone, the place of the next object
  /// that did not move, or else of the one before; the first place if the list was fetched with another
  /// condition.
  private func successor(in change: ListChange<T>) -> Int {
    guard let selection else { return 0 }
    if index < change.snapshot.count, change.snapshot.itemIDs[index] == selection.objectID {
      return index
    }
    if let index = change.snapshot.index(of: selection.objectID) { return index }
    // After a fetch with another condition nothing of the old place is left, and a comparison would go
    // through both lists.
    guard !change.sources.isEmpty else { return 0 }
    let batch = change.batch
    let leaving = Set(
      (batch.deleted + batch.moved.map(\.from)).compactMap { change.previous.index(at: $0) })
    let after = index..<max(index, change.previous.count)
    let stays =
      after.first { !leaving.contains($0) }
      ?? (0..<min(index, change.previous.count)).last { !leaving.contains($0) }
    return stays.flatMap { change.snapshot.index(of: change.previous.itemIDs[$0]) } ?? 0
  }
}
