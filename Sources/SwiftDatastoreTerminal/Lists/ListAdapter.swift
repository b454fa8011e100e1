public import SwiftDatastore

/// A list on the screen: its publisher, which of its objects is selected, and how far it is scrolled.
///
/// `$contacts` of a ``ListState`` is one. While objects come, go and move, the selected one stays selected,
/// and stays in its row of the screen. When it goes, the next one that is still there is selected; what is
/// not on the screen costs nothing. Lives on the main actor.
@MainActor
public final class ListAdapter<T: DatastoreObject> {
  /// Where the list comes from.
  public let publisher: ListPublisher<T>
  /// The publisher of the selected object; nil in an empty list.
  public private(set) var selection: ObjectPublisher<T>?
  /// Why the list could not be read when it was read last; nil when it could. It then stays as it was before.
  public internal(set) var fault: (any Error)?

  /// The place of the selected object, counted over all sections.
  private(set) var index = 0
  /// Which lines are on the screen.
  var firstLine = 0
  /// The objects that are on the screen: kept, so that the next picture reads none of them again.
  var shown: [ObjectPublisher<T>?] = []
  /// The rows that it was drawn in last.
  var height = 0
  /// What is selected as soon as it is in the list.
  var awaited: DatastoreObjectID?
  private var reading: Task<Void, Never>?
  private var isFetched: Bool
  /// Whether the end of the list was asked for before that was known.
  var awaitsEnd = false
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

  /// Selects an object. One that is not in the list is selected as soon as it is: one that was just made, for
  /// example, before the list was notified of it.
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

  func place(_ index: Int) {
    self.index = min(max(0, index), max(0, snapshot.count - 1))
    selection = snapshot[safe: self.index]
  }

  /// Follows the list in a picture, and reads it if it was not read.
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
