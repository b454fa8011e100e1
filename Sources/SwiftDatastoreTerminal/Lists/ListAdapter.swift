public import SwiftDatastore

/// A list on the screen: its publisher, its selection and its scroll position.
///
/// `$contacts` of a ``ListState`` is a list adapter. While objects come, go and move, the selected object
/// stays selected and keeps its row of the screen. When it goes, the next object that remains is selected.
/// Objects outside the screen cost nothing. The adapter lives on the main actor.
@MainActor
public final class ListAdapter<T: DatastoreObject> {
  /// The publisher of the list.
  public let publisher: ListPublisher<T>
  /// The publisher of the selected object; nil in an empty list.
  public private(set) var selection: ObjectPublisher<T>?
  /// The error of the last read; nil if it succeeded. After an error the list stays as it was.
  public internal(set) var fault: (any Error)?

  /// The place of the selected object, counted over all sections.
  private(set) var index = 0
  var firstLine = 0
  /// The objects on the screen, kept so that the next picture does not read them again.
  var shown: [ObjectPublisher<T>?] = []
  /// The number of rows that the list was last drawn in.
  var height = 0
  /// The object to select as soon as it is in the list.
  var awaited: DatastoreObjectID?
  private var reading: Task<Void, Never>?
  private var isFetched: Bool
  /// Whether to select the last object as soon as the end of the list is known.
  var awaitsEnd = false
  /// Requests another picture.
  private var needsDrawing: (@MainActor () -> Void)?

  /// The number of rows to read before the whole list: a few screens.
  private static var firstRows: Int { 200 }

  /// Creates an adapter for a list. The first drawing reads the list, unless it was read before.
  ///
  /// - Parameter publisher: the publisher of the list.
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

  /// The current list.
  public var snapshot: ListSnapshot<T> { publisher.snapshot }

  /// Whether no rows of the list have been read yet. The first rows of a long list arrive before the rest.
  public var isReading: Bool { !publisher.hasFetched && fault == nil }

  /// The values of the selected object; nil in an empty list.
  public var selected: ObjectSnapshot<T>? { selection?.snapshot }

  /// Selects an object. An object that is not in the list is selected as soon as it is: for example a new
  /// object of which the list has not been notified yet.
  ///
  /// - Parameter id: the identifier of the object. Complexity: O(objects), several at a time.
  public func select(_ id: DatastoreObjectID) {
    if let index = snapshot.index(of: id) {
      select(index)
    } else {
      (awaited, awaitsEnd) = (id, false)
    }
    needsDrawing?()
  }

  /// Selects the object at a place, or at the nearest one in the list.
  func select(_ index: Int) {
    awaited = nil
    awaitsEnd = false
    place(index)
  }

  func place(_ index: Int) {
    self.index = min(max(0, index), max(0, snapshot.count - 1))
    selection = snapshot[safe: self.index]
  }

  /// Follows the list in a picture, and reads the list if it has not been read.
  func follow(in drawing: Drawing) {
    drawing.followed.follow(publisher) { [weak self] in await self?.settled() }
    needsDrawing = drawing.needsAnother
    guard !isFetched, reading == nil else { return }
    reading = Task { [self] in
      do {
        try await publisher.performFetch(firstRows: Self.firstRows)
      } catch is CancellationError {
        // A newer fetch has replaced this one.
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
