import OpenCombine

/// A publisher over an observation that lasts as long as the subscription.
struct ObservationPublisher<Output>: Publisher {
  typealias Failure = Never

  /// Starts the observation; the returned closure ends it.
  let begin: (@escaping (Output) -> Void) -> () -> Void

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let subscription = ObservationSubscription(subscriber: subscriber)
    subscriber.receive(subscription: subscription)
    subscription.start(begin)
  }
}

/// Passes changes to one subscriber. Changes beyond its demand are dropped: the next change reports a value
/// that has changed again.
private final class ObservationSubscription<S: Subscriber>: Subscription {
  private var subscriber: S?
  private var demand = Subscribers.Demand.none
  private var end: (() -> Void)?

  init(subscriber: S) {
    self.subscriber = subscriber
  }

  func start(_ begin: (@escaping (S.Input) -> Void) -> () -> Void) {
    guard subscriber != nil else { return }
    end = begin { [weak self] value in self?.deliver(value) }
  }

  func request(_ demand: Subscribers.Demand) {
    self.demand += demand
  }

  func cancel() {
    end?()
    end = nil
    subscriber = nil
  }

  private func deliver(_ value: S.Input) {
    guard let subscriber, demand > 0 else { return }
    demand -= 1
    demand += subscriber.receive(value)
  }
}
