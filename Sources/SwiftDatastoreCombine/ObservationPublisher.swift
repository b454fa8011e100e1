import OpenCombine

/// A publisher over an observation: it begins with a subscription and ends with it.
struct ObservationPublisher<Output>: Publisher {
  typealias Failure = Never

  /// Begins the observation; the closure it returns ends it.
  let begin: (@escaping (Output) -> Void) -> () -> Void

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let subscription = ObservationSubscription(subscriber: subscriber)
    subscriber.receive(subscription: subscription)
    subscription.start(begin)
  }
}

/// Hands changes to one subscriber. Changes beyond its demand are dropped: a value that has changed
/// again is reported by the next change.
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
