package import OpenCombine

/// A publisher of the result of a task, which starts when a value is requested, and is cancelled with the
/// subscription.
package struct TaskPublisher<Output>: Publisher {
  package typealias Failure = any Error

  private let body: @MainActor () async throws -> Output

  package init(_ body: @escaping @MainActor () async throws -> Output) { self.body = body }

  package func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == any Error {
    subscriber.receive(subscription: TaskSubscription(subscriber: subscriber, body: body))
  }
}

/// Unchecked: subscribing is bound to the main actor, and the task delivers there.
private final class TaskSubscription<S: Subscriber>: Subscription, @unchecked Sendable
where S.Failure == any Error {
  private var subscriber: S?
  private let body: @MainActor () async throws -> S.Input
  private var task: Task<Void, Never>?

  init(subscriber: S, body: @escaping @MainActor () async throws -> S.Input) {
    self.subscriber = subscriber
    self.body = body
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0, task == nil, subscriber != nil else { return }
    task = Task { @MainActor in
      do {
        let value = try await body()
        _ = subscriber?.receive(value)
        finish(.finished)
      } catch {
        finish(.failure(error))
      }
    }
  }

  private func finish(_ completion: Subscribers.Completion<any Error>) {
    let subscriber = subscriber
    self.subscriber = nil
    subscriber?.receive(completion: completion)
  }

  func cancel() {
    subscriber = nil
    task?.cancel()
  }
}
