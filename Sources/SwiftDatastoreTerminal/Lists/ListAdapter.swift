public import SwiftDatastore
import TerminalUI

/// A list on the screen: its publisher, which of its objects is selected, and how far it is scrolled.
///
/// `$contacts` of a ``ListState`` is one. While objects come, go and move, the selected one stays selected, and stays
/// in its row of the screen. When it goes, the next one that is still there is selected; what is not on the screen
/// costs nothing. Lives on the main actor.
@MainActor
public final class ListAdapter<T: DatastoreObject> {
  /// Where the list comes from.
  public let publisher: ListPublisher<T>
  /// The publisher of the selected object; nil in an empty list.
  public private(set) var selection: ObjectPublisher<T>?
  /// Why the list could not be read when it was read last; nil when it could. It then stays as it was before.
  public private(set) var fault: (any Error)?

  /// The place of the selected object, counted over all sections.
  private(set) var index = 0
  /// Which lines are on the screen.
  private var firstLine = 0
  /// The objects that are on the screen: kept, so that the next picture reads none of them again.
  private var shown: [ObjectPublisher<T>?] = []
  /// The rows that it was drawn in last.
  private var height = 0
  /// What is selected as soon as it is in the list.
  private var awaited: DatastoreObjectID?
  private var reading: Task<Void, Never>?
  private var isFetched: Bool
  /// Whether the end of the list was asked for before that was known.
  private var awaitsEnd = false
  /// Asks for another picture.
  private var needsDrawing: (@MainActor () -> Void)?

  /// Rows that are read before the whole list is: a few screens.
  private static var firstRows: Int { 200 }

  /// An adapter for a list; it is read when it is drawn first, unless it was read before.
  ///
  /// - Parameter publisher: where the list comes from.
  public init(_ publisher: ListPublisher<T>) {
    self.publisher = publisher
    isFetched = publisher.isComplete
    publisher.addObserver(self) { [weak self] change in self?.follow(change) }
    if publisher.fetchFailed == nil {
      publisher.fetchFailed = { [weak self] error in
        self?.fault = error
        self?.needsDrawing?()
      }
    }
    if !publisher.snapshot.isEmpty { select(0) }
  }

  /// The list as it is.
  public var snapshot: ListSnapshot<T> { publisher.snapshot }

  /// Whether nothing of the list has been read yet. The first rows of a long one are there before the rest.
  public var isReading: Bool { !publisher.hasFetched && fault == nil }

  /// The values of the selected object; nil in an empty list.
  public var selected: ObjectSnapshot<T>? { selection?.snapshot }

  /// Selects an object. One that is not in the list is selected as soon as it is: one that was just made, for example,
  /// before the list has been told of it.
  ///
  /// - Parameter id: what identifies the object. O(objects), several at a time.
  public func select(_ id: DatastoreObjectID) {
    if let index = snapshot.index(of: id) {
      select(index)
    } else {
      (awaited, awaitsEnd) = (id, false)
    }
    needsDrawing?()
  }

  /// Selects the object at a place, or at the nearest there is.
  func select(_ index: Int) {
    awaited = nil
    awaitsEnd = false
    place(index)
  }

  private func place(_ index: Int) {
    self.index = min(max(0, index), max(0, snapshot.count - 1))
    selection = snapshot[safe: self.index]
  }

  /// Follows the list in a picture, and reads it if nobody has.
  func follow(in drawing: Drawing) {
    drawing.followed.follow(publisher) { [weak self] in await self?.settled() }
    needsDrawing = drawing.needsAnother
    guard !isFetched, reading == nil else { return }
    reading = Task { [self] in
      do {
        try await publisher.performFetch(firstRows: Self.firstRows)
      } catch is CancellationError {
        // A newer fetch has taken its place.
      } catch {
        fault = error
      }
      isFetched = true
      reading = nil
      needsDrawing?()
    }
  }

  /// Returns when the list has been read.
  private func settled() async {
    await reading?.value
    await publisher.settled()
  }
}

/// Following the list.
extension ListAdapter {
  private func follow(_ change: ListChange<T>) {
    fault = nil
    let row = ListLines(list: change.previous).line(ofItem: index) - firstLine
    let wasEmpty = change.previous.isEmpty
    let wanted =
      awaitsEnd && publisher.isComplete
      ? change.snapshot.count - 1 : awaited.flatMap { change.snapshot.index(of: $0) }
    if let wanted { select(wanted) } else { place(successor(in: change)) }
    guard !wasEmpty, wanted == nil else { return }
    // In the row of the screen that it was in; `settle` says where that cannot be.
    firstLine = max(0, ListLines(list: change.snapshot).line(ofItem: index) - row)
  }

  /// The place of the selected object after a change, or of the one that is selected in its place: the next that has
  /// stayed where it was, or the one before.
  private func successor(in change: ListChange<T>) -> Int {
    guard let selection else { return 0 }
    if let index = change.snapshot.index(of: selection.objectID) { return index }
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

/// Scrolling.
extension ListAdapter {
  /// The objects in a range, read together where they are not in memory, and kept until others are asked for.
  func show(_ items: Range<Int>) -> [ObjectPublisher<T>?] {
    shown = snapshot.publishers(in: items)
    return shown
  }

  /// Fits the place to the rows that it is drawn in, and returns the lines that are visible.
  func settle(height: Int) -> Range<Int> {
    self.height = height
    let lines = ListLines(list: snapshot)
    var scroll = ScrollState(cursor: lines.line(ofItem: index), first: firstLine)
    scroll.settle(count: lines.count, height: height)
    firstLine = scroll.first
    // The title of the section is shown with its first object.
    if height > 1, firstLine == scroll.cursor, firstLine > 0,
      case .section = lines[firstLine - 1]
    {
      firstLine -= 1
    }
    return ScrollState(cursor: scroll.cursor, first: firstLine)
      .visible(count: lines.count, height: height)
  }
}

extension ListAdapter: ScrolledList {
  func handle(_ key: Key) -> Bool {
    let page = max(1, height - 1)
    switch key {
    case "up", "k": select(index - 1)
    case "down", "j": select(index + 1)
    case "pgup", "ctrl-b": select(index - page)
    case "pgdn", "ctrl-f": select(index + page)
    case "home", "g":
      firstLine = 0
      select(0)
    case "end", "G":
      select(snapshot.count - 1)
      awaitsEnd = !publisher.isComplete
    default: return false
    }
    return true
  }

  func click(row: Int) {
    let lines = ListLines(list: snapshot)
    guard row >= 0, firstLine + row < lines.count else { return }
    switch lines[firstLine + row] {
    case .section(let section): select(section.indices.lowerBound)
    case .item(let index): select(index)
    }
  }

  func scroll(by rows: Int) {
    let lines = ListLines(list: snapshot)
    firstLine = min(max(0, firstLine + rows), max(0, lines.count - height))
    let visible = lines.items(in: firstLine..<min(lines.count, firstLine + height))
    guard !visible.isEmpty else { return }
    select(min(max(index, visible.lowerBound), visible.upperBound - 1))
  }
}
