public import CoreStoreCompatibility
public import OpenCombine
public import SwiftDatastore
public import SwiftDatastoreCombine

extension DataStack {
  /// The namespace of the stack's OpenCombine publishers.
  public typealias ReactiveNamespace = Reactive<DataStack>

  /// The stack's OpenCombine publishers.
  public var reactive: Reactive<DataStack> { Reactive(base: self) }
}

/// Each publisher starts its work when it is subscribed to, which must happen on the main actor, and delivers
/// there.
extension Reactive where Base == DataStack {
  /// Performs a transaction: `perform(asynchronous:sourceIdentifier:completion:)`. Cancelling the
  /// subscription does not stop a transaction that has begun.
  ///
  /// - Parameters:
  ///   - task: the work of the transaction. It runs again if someone else has changed the same objects.
  ///   - sourceIdentifier: the source of the changes, for observers.
  /// - Returns: a publisher of the value that `task` returns. Fails if nothing was saved.
  public func perform<Output: Sendable>(
    asynchronous task: @escaping @Sendable (AsynchronousDataTransaction) throws -> Output,
    sourceIdentifier: (any Sendable)? = nil
  ) -> AnyPublisher<Output, CoreStoreError> {
    let base = base
    return published { try await base.async.perform(task, sourceIdentifier: sourceIdentifier) }
  }

  /// Makes an object from a source in its own transaction.
  ///
  /// - Parameters:
  ///   - into: the class of the object.
  ///   - source: the source of its values.
  /// - Returns: a publisher of the object in the view context, or of nil if the class ignores the source.
  ///   Fails if nothing was saved.
  public func importObject<O: ImportableObject>(
    _ into: Into<O>, source: O.ImportSource
  ) -> AnyPublisher<O?, CoreStoreError> where O.ImportSource: Sendable {
    importObjects(into, sourceArray: [source]).map(\.first).eraseToAnyPublisher()
  }

  /// Sets the values of an object from a source in its own transaction.
  ///
  /// - Parameters:
  ///   - object: the object to update, of any context.
  ///   - source: the source of its values.
  /// - Returns: a publisher of the object in the view context, or of nil if it was deleted. Fails if nothing
  ///   was saved.
  @MainActor
  public func importObject<O: ImportableObject>(
    _ object: O, source: O.ImportSource
  ) -> AnyPublisher<O?, CoreStoreError> where O.ImportSource: Sendable {
    let base = base
    return published { try await base.async.importObject(object, source: source) }
  }

  /// Makes an object from each source in a single transaction.
  ///
  /// - Parameters:
  ///   - into: the class of the objects.
  ///   - sourceArray: the sources of their values.
  /// - Returns: a publisher of the objects in the view context. Fails if nothing was saved.
  public func importObjects<O: ImportableObject>(
    _ into: Into<O>, sourceArray: [O.ImportSource]
  ) -> AnyPublisher<[O], CoreStoreError> where O.ImportSource: Sendable {
    let base = base
    return published { try await base.async.importObjects(into, sourceArray: sourceArray) }
  }

  /// Updates the object that a source identifies, or creates it, in its own transaction.
  ///
  /// - Parameters:
  ///   - into: the class of the object.
  ///   - source: the source of its values.
  /// - Returns: a publisher of the object in the view context, or of nil if the class ignores the source.
  ///   Fails if nothing was saved.
  public func importUniqueObject<O: ImportableUniqueObject>(
    _ into: Into<O>, source: O.ImportSource
  ) -> AnyPublisher<O?, CoreStoreError> where O.ImportSource: Sendable {
    importUniqueObjects(into, sourceArray: [source]).map(\.first).eraseToAnyPublisher()
  }

  /// Updates the objects that sources identify, and creates missing ones, in a single transaction.
  ///
  /// - Parameters:
  ///   - into: the class of the objects.
  ///   - sourceArray: the sources of their values.
  ///   - preProcess: receives all sources by their identifiers before any is imported, and returns those to
  ///     import; runs on the queue of the transaction.
  /// - Returns: a publisher of the objects in the view context. Fails if nothing was saved.
  public func importUniqueObjects<O: ImportableUniqueObject>(
    _ into: Into<O>, sourceArray: [O.ImportSource],
    preProcess: (@Sendable (_ sources: O.SourcesByID) throws -> O.SourcesByID)? = nil
  ) -> AnyPublisher<[O], CoreStoreError> where O.ImportSource: Sendable {
    let base = base
    return published {
      try await base.async.importUniqueObjects(
        into, sourceArray: sourceArray, preProcess: preProcess)
    }
  }

  private func published<Output>(
    _ body: @escaping @MainActor () async throws -> Output
  ) -> AnyPublisher<Output, CoreStoreError> {
    TaskPublisher(body).mapError { CoreStoreError($0) }.eraseToAnyPublisher()
  }
}

extension ObjectPublisher {
  /// The namespace of this publisher's OpenCombine publishers.
  public typealias ReactiveNamespace = Reactive<ObjectPublisher>
  /// The type of `reactive.snapshot(emitInitialValue:)`.
  public typealias SnapshotPublisher = AnyPublisher<ObjectSnapshot<T>?, Never>
}

extension ListPublisher {
  /// The namespace of this publisher's OpenCombine publishers.
  public typealias ReactiveNamespace = Reactive<ListPublisher>
  /// The type of `reactive.snapshot(emitInitialValue:)`.
  public typealias SnapshotPublisher = AnyPublisher<ListSnapshot<T>, Never>
}
