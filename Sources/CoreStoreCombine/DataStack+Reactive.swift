public import CoreStoreCompatibility
public import OpenCombine
public import SwiftDatastore
public import SwiftDatastoreCombine

extension DataStack {
  /// What this stack gives to OpenCombine.
  public typealias ReactiveNamespace = Reactive<DataStack>

  /// What this stack gives to OpenCombine.
  public var reactive: Reactive<DataStack> { Reactive(base: self) }
}

/// Each publisher begins with a subscription, which is made on the main actor, and delivers there.
extension Reactive where Base == DataStack {
  /// A transaction: `perform(asynchronous:sourceIdentifier:completion:)`. What has begun is ended also where
  /// the subscription is cancelled.
  ///
  /// - Parameters:
  ///   - task: what is done in the transaction. It runs again where someone else has changed the same.
  ///   - sourceIdentifier: the source of the changes, for observers.
  /// - Returns: a publisher of what `task` returns, or of why nothing was saved.
  public func perform<Output: Sendable>(
    asynchronous task: @escaping @Sendable (AsynchronousDataTransaction) throws -> Output,
    sourceIdentifier: (any Sendable)? = nil
  ) -> AnyPublisher<Output, CoreStoreError> {
    let base = base
    return published { try await base.async.perform(task, sourceIdentifier: sourceIdentifier) }
  }

  /// Makes an object from a source in a transaction of its own.
  ///
  /// - Parameters:
  ///   - into: its class.
  ///   - source: what it is made from.
  /// - Returns: a publisher of the object of the view context, of nil where the class passes it over, or of
  ///   why nothing was saved.
  public func importObject<O: ImportableObject>(
    _ into: Into<O>, source: O.ImportSource
  ) -> AnyPublisher<O?, CoreStoreError> where O.ImportSource: Sendable {
    importObjects(into, sourceArray: [source]).map(\.first).eraseToAnyPublisher()
  }

  /// Gives an object the values of a source in a transaction of its own.
  ///
  /// - Parameters:
  ///   - object: the object, of any context.
  ///   - source: where its values come from.
  /// - Returns: a publisher of the object of the view context, of nil where it is gone, or of why nothing
  ///   was saved.
  @MainActor
  public func importObject<O: ImportableObject>(
    _ object: O, source: O.ImportSource
  ) -> AnyPublisher<O?, CoreStoreError> where O.ImportSource: Sendable {
    let base = base
    return published { try await base.async.importObject(object, source: source) }
  }

  /// Makes an object from each source in a transaction of its own.
  ///
  /// - Parameters:
  ///   - into: their class.
  ///   - sourceArray: what they are made from.
  /// - Returns: a publisher of the objects of the view context, or of why nothing was saved.
  public func importObjects<O: ImportableObject>(
    _ into: Into<O>, sourceArray: [O.ImportSource]
  ) -> AnyPublisher<[O], CoreStoreError> where O.ImportSource: Sendable {
    let base = base
    return published { try await base.async.importObjects(into, sourceArray: sourceArray) }
  }

  /// Updates the object that a source is about, or makes it, in a transaction of its own.
  ///
  /// - Parameters:
  ///   - into: its class.
  ///   - source: where its values come from.
  /// - Returns: a publisher of the object of the view context, of nil where the class passes it over, or of
  ///   why nothing was saved.
  public func importUniqueObject<O: ImportableUniqueObject>(
    _ into: Into<O>, source: O.ImportSource
  ) -> AnyPublisher<O?, CoreStoreError> where O.ImportSource: Sendable {
    importUniqueObjects(into, sourceArray: [source]).map(\.first).eraseToAnyPublisher()
  }

  /// Updates the objects that sources are about, and creates those that do not exist, in a transaction of its
  /// own.
  ///
  /// - Parameters:
  ///   - into: their class.
  ///   - sourceArray: where the values come from.
  ///   - preProcess: is given all sources by their identifiers before any is imported, and returns those that
  ///     are to be; runs on the queue of the transaction.
  /// - Returns: a publisher of the objects of the view context, or of why nothing was saved.
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
  /// What this publisher gives to OpenCombine.
  public typealias ReactiveNamespace = Reactive<ObjectPublisher>
  /// What `reactive.snapshot(emitInitialValue:)` gives.
  public typealias SnapshotPublisher = AnyPublisher<ObjectSnapshot<T>?, Never>
}

extension ListPublisher {
  /// What this publisher gives to OpenCombine.
  public typealias ReactiveNamespace = Reactive<ListPublisher>
  /// What `reactive.snapshot(emitInitialValue:)` gives.
  public typealias SnapshotPublisher = AnyPublisher<ListSnapshot<T>, Never>
}
