public import OpenCombine
public import SwiftDatastore

extension SwiftDatastore {
  /// What this datastore gives to OpenCombine.
  public nonisolated var reactive: Reactive<SwiftDatastore> { Reactive(base: self) }
}

extension Reactive where Base == SwiftDatastore {
  /// Makes an object from each source in a transaction of its own, and publishes the objects of the view
  /// context.
  ///
  /// It begins with a subscription and is cancelled with it. Delivers on the main actor, and is subscribed to
  /// there.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - sources: what the objects are made from.
  /// - Returns: a publisher of one array, or of what the import throws.
  public func importObjects<T: ImportableObject>(
    _ type: T.Type = T.self, from sources: [T.ImportSource]
  ) -> AnyPublisher<[T], any Error> where T.ImportSource: Sendable {
    let base = base
    return TaskPublisher { try await base.importObjects(T.self, from: sources) }
      .eraseToAnyPublisher()
  }

  /// Updates the objects that sources are about, and creates those that do not exist, in a transaction of its
  /// own; publishes the objects of the view context.
  ///
  /// It begins with a subscription and is cancelled with it. Delivers on the main actor, and is subscribed to
  /// there.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - sources: where the values come from.
  ///   - preProcess: is given all sources by their identifiers before any is imported, and returns those that
  ///     are to be; runs on the queue of the transaction.
  /// - Returns: a publisher of one array, or of what the import throws.
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
