public import OpenCombine
public import SwiftDatastore

extension SwiftDatastore {
  /// The datastore's OpenCombine publishers.
  public nonisolated var reactive: Reactive<SwiftDatastore> { Reactive(base: self) }
}

extension Reactive where Base == SwiftDatastore {
  /// Makes an object from each source in a single transaction, and publishes the objects of the view context.
  ///
  /// The import starts when the publisher is subscribed to, which must happen on the main actor, and is
  /// cancelled with the subscription. Delivers on the main actor.
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - sources: the sources of their values.
  /// - Returns: a publisher of one array. Fails with errors of the import.
  public func importObjects<T: ImportableObject>(
    _ type: T.Type = T.self, from sources: [T.ImportSource]
  ) -> AnyPublisher<[T], any Error> where T.ImportSource: Sendable {
    let base = base
    return TaskPublisher { try await base.importObjects(T.self, from: sources) }
      .eraseToAnyPublisher()
  }

  /// Updates the objects that sources identify, and creates missing ones, in a single transaction; publishes
  /// the objects of the view context.
  ///
  /// The import starts when the publisher is subscribed to, which must happen on the main actor, and is
  /// cancelled with the subscription. Delivers on the main actor.
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - sources: the sources of their values.
  ///   - preProcess: receives all sources by their identifiers before any is imported, and returns those to
  ///     import; runs on the queue of the transaction.
  /// - Returns: a publisher of one array. Fails with errors of the import.
  public func importUniqueObjects<T: ImportableUniqueObject>(
    _ type: T.Type = T.self, from sources: [T.ImportSource],
    preProcess: (@Sendable (_ sources: T.SourcesByID) throws -> T.SourcesByID)? = nil
  ) -> AnyPublisher<[T], any Error> where T.ImportSource: Sendable {
    let base = base
    return TaskPublisher {
      try await base.importUniqueObjects(T.self, from: sources, preProcess: preProcess)
    }
    .eraseToAnyPublisher()
  }
}
