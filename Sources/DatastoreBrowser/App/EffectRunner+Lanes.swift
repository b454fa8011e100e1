import Dispatch

/// Starting, replacing and cancelling work.
extension EffectRunner {
  /// Registers a piece of work and starts it when its lane allows.
  ///
  /// - Returns: the number to cancel it by.
  @discardableResult
  func perform(
    in lane: Lane? = nil, _ body: @escaping @MainActor (EffectRunner) async -> Void
  ) -> Int {
    let before = lane.flatMap { latest(in: $0) }
    if lane?.order == .latest { before?.cancel() }
    let isInOrder = lane?.order == .inOrder
    return register(in: lane) { runner in
      if isInOrder { await before?.value }
      await body(runner)
    }
  }

  /// Registers a piece of work whose error is sent as an event. Cancelled work sends nothing.
  @discardableResult
  func perform(
    in lane: Lane? = nil, _ body: @escaping @MainActor (EffectRunner) async throws -> Void,
    orSend failure: @escaping @MainActor (any Error) -> any BrowserEvent
  ) -> Int {
    perform(in: lane) { runner in
      do {
        try await body(runner)
      } catch is CancellationError {
        return
      } catch {
        runner.send(failure(error))
      }
    }
  }

  /// Finds an answer and sends it, or the error, as an event. Cancelled work sends nothing.
  @discardableResult
  func answer<Answer>(
    in lane: Lane? = nil, _ find: @escaping @MainActor (EffectRunner) async throws -> Answer,
    as event: @escaping @MainActor (Result<Answer, EffectFailure>) -> any BrowserEvent
  ) -> Int {
    perform(in: lane) { runner in
      let answer = try await find(runner)
      try Task.checkCancellation()
      runner.send(event(.success(answer)))
    } orSend: {
      event(.failure(EffectFailure($0)))
    }
  }

  /// Reports a failure that no other event reports.
  func report(_ sentence: String) { send(StateChange { $0.tell(sentence, .error) }) }

  /// Cancels the latest work of a lane; it stays registered until it ends.
  func cancel(_ lane: Lane) { latest(in: lane)?.cancel() }

  /// Returns when the latest work of a lane has ended.
  func ended(_ lane: Lane) async { await latest(in: lane)?.value }

  /// Returns when everything that is now on the main queue has run, including merges of saved changes.
  func drainMainQueue() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}

extension Effect {
  /// Finds an answer and sends it, or the error, as an event. Cancelled work sends nothing.
  static func answer<Answer: Sendable>(
    in lane: Lane? = nil, of maker: String = #function,
    _ find: @escaping @MainActor (EffectRunner) async throws -> Answer,
    as event: @escaping @MainActor (Result<Answer, EffectFailure>) -> any BrowserEvent
  ) -> Effect {
    .work(of: maker) { $0.answer(in: lane, find, as: event) }
  }

  /// Finds an answer and changes the state by it, or by the error. Cancelled work changes nothing.
  static func answer<Answer: Sendable>(
    in lane: Lane? = nil, of maker: String = #function,
    _ find: @escaping @MainActor (EffectRunner) async throws -> Answer,
    then change: @escaping @Sendable (inout BrowserState, Result<Answer, EffectFailure>) -> Void
  ) -> Effect {
    answer(in: lane, of: maker, find, as: { result in StateChange { change(&$0, result) } })
  }
}
