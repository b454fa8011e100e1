public import OpenCombine
public import SwiftDatastore

/// A namespace for the OpenCombine publishers of an `ObjectPublisher`, a `ListPublisher` and others:
/// `publisher.reactive`.
@dynamicMemberLookup
public struct Reactive<Base> {
  /// The source of the publishers.
  public let base: Base

  package init(base: Base) { self.base = base }
}

extension ObjectPublisher {
  /// The OpenCombine publishers of this publisher.
  public nonisolated var reactive: Reactive<ObjectPublisher<T>> { Reactive(base: self) }
}

extension ListPublisher {
  /// The OpenCombine publishers of this publisher.
  public nonisolated var reactive: Reactive<ListPublisher<T>> { Reactive(base: self) }
}

extension Reactive {
  /// The snapshot of the object after every change; nil when the object is deleted.
  ///
  /// Delivers on the main actor, and must be subscribed to there. Keeps the publisher alive as long as it is
  /// subscribed to. Never completes.
  ///
  /// - Parameter emitInitialValue: whether the current snapshot is delivered at once, too.
  /// - Returns: the publisher.
  public func snapshot<T>(
    emitInitialValue: Bool = true
  ) -> AnyPublisher<ObjectSnapshot<T>?, Never> where Base == ObjectPublisher<T> {
    publisher { base, relay in
      base.observe(notifyInitial: emitInitialValue) { relay.receive($0.snapshot) }
    }
  }

  /// The value of one property after every change: `publisher.reactive.$name`. nil when the object is
  /// deleted.
  ///
  /// Behaves like `snapshot(emitInitialValue:)`, and delivers the current value first.
  ///
  /// - Parameter property: the property, as `\.$name`.
  public subscript<T, P: SnapshotProperty>(
    dynamicMember property: any KeyPath<T, P> & Sendable
  ) -> AnyPublisher<P.SnapshotValue?, Never> where Base == ObjectPublisher<T> {
    snapshot().map { $0.map { $0[dynamicMember: property] } }.eraseToAnyPublisher()
  }

  /// The list after every change.
  ///
  /// Delivers on the main actor, and must be subscribed to there. Keeps the publisher alive as long as it is
  /// subscribed to. Never completes.
  ///
  /// - Parameter emitInitialValue: whether the current list is delivered at once, too.
  /// - Returns: the publisher.
  public func snapshot<T>(
    emitInitialValue: Bool = true
  ) -> AnyPublisher<ListSnapshot<T>, Never> where Base == ListPublisher<T> {
    publisher { base, relay in
      base.observe(notifyInitial: emitInitialValue) { relay.receive($0.snapshot) }
    }
  }

  /// The changes of the list, one by one.
  ///
  /// Delivers and ends like `snapshot(emitInitialValue:)`.
  ///
  /// - Returns: the publisher.
  public func changes<T>() -> AnyPublisher<ListChange<T>, Never> where Base == ListPublisher<T> {
    publisher { base, relay in base.observe { relay.receive($0) } }
  }

  /// A publisher over an observer on the main actor. Keeps the base alive as long as it is subscribed to.
  private func publisher<Output>(
    _ observe: @escaping @MainActor (Base, Relay<Output>) -> ObserverToken
  ) -> AnyPublisher<Output, Never> where Base: Sendable {
    let base = base
    return ObservationPublisher { receive in
      let relay = Relay(receive: receive)
      let token = MainActor.assumeIsolated { observe(base, relay) }
      return { withExtendedLifetime(base) { token.cancel() } }
    }
    .eraseToAnyPublisher()
  }
}
