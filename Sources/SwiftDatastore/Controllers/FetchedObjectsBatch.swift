public import DatastoreCore
public import Foundation

/// A batch of changes of a controller's list, as index paths for a view to apply.
///
/// Remove `deleted` and the old places of `moved`, then `deletedSections`; insert `insertedSections`, then
/// `inserted` and the new places of `moved`, ascending.
public struct FetchedObjectsBatch: Sendable, Equatable {
  /// An object that has moved.
  public struct Move: Sendable, Equatable {
    /// Its place before the batch.
    public let from: IndexPath
    /// Its place after the batch.
    public let to: IndexPath
  }

  /// Sections of the list before the batch, ascending.
  public let deletedSections: [Int]
  /// Sections of the list after the batch, ascending.
  public let insertedSections: [Int]
  /// Places before the batch, ascending.
  public let deleted: [IndexPath]
  /// Places after the batch, ascending.
  public let inserted: [IndexPath]
  /// Objects that have moved, by their old place, ascending.
  public let moved: [Move]
  /// Objects that have changed and kept their place: places before the batch, ascending.
  public let updated: [IndexPath]
  /// The sources of the changes; several if changes arrived while the list was being reloaded.
  public let sources: Set<ChangeSource>
}

extension FetchedObjectsBatch {
  init(
    _ difference: ListDifference, from old: KeyList, to new: KeyList, hasSections: Bool,
    sources: Set<ChangeSource>
  ) {
    self.sources = sources
    deletedSections = hasSections ? difference.deletedSections : []
    insertedSections = hasSections ? difference.insertedSections : []
    deleted = difference.deleted.map { old.indexPath(at: $0) }
    inserted = difference.inserted.map { new.indexPath(at: $0) }
    moved = difference.moved.map {
      Move(from: old.indexPath(at: $0.from), to: new.indexPath(at: $0.to))
    }
    updated = difference.updated.map { old.indexPath(at: $0) }
  }
}

extension FetchedObjectsController {
  /// The batches of changes from now on, as an asynchronous sequence that ends when the controller is
  /// released. Every caller has its own sequence. Batches that were not read yet are kept.
  ///
  /// ```swift
  /// for await batch in controller.batches { tableView.apply(batch) }
  /// ```
  public var batches: AsyncStream<FetchedObjectsBatch> { batchStreams.makeStream() }
}

/// The sequences of batches that a controller feeds; they end when it is released.
final class BatchStreams: Sendable {
  private let continuations = Lock<[Int: AsyncStream<FetchedObjectsBatch>.Continuation]>([:])

  deinit {
    for continuation in continuations.withLock({ $0.values.map(\.self) }) { continuation.finish() }
  }

  var isEmpty: Bool { continuations.withLock { $0.isEmpty } }

  func makeStream() -> AsyncStream<FetchedObjectsBatch> {
    let (stream, continuation) = AsyncStream.makeStream(of: FetchedObjectsBatch.self)
    let id = continuations.withLock { continuations in
      let id = (continuations.keys.max() ?? 0) + 1
      continuations[id] = continuation
      return id
    }
    continuation.onTermination = { [weak self] _ in
      self?.continuations.withLock { $0[id] = nil }
    }
    return stream
  }

  func yield(_ batch: FetchedObjectsBatch) {
    for continuation in continuations.withLock({ $0.values.map(\.self) }) {
      continuation.yield(batch)
    }
  }
}
