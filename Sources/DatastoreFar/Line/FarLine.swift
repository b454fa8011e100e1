import DatastoreCore
import Dispatch
import Foundation

/// A line to a far end. Calls and their answers are asynchronous: several can be under way at once.
///
/// A thread reads the answers and passes them to the waiting calls. When the line ends, every waiting call
/// throws. Calls are sent before the far end has greeted, so the first ones are there when it starts.
package final class FarLine: Sendable {
  /// The name of the other end and its store in messages.
  package let name: String
  private let output: Lock<FarOutput>
  private let state = Lock(State())
  private let ending: Lock<Ending>
  private let lastPlacement = Lock<Int64?>(nil)
  let pulse: FarPulse

  private struct State {
    var waiting: [UInt32: FarWaiting] = [:]
    var lastNumber: UInt32 = 0
    /// Whether the far end has greeted.
    var isGreeted = false
    /// The fault of the line; nil while it works.
    var fault: String?
    /// The reason why there is no far end; calls throw it instead of `connectionLost`.
    var refusal: (any Error)?
    var changed: (@Sendable () -> Void)?
  }

  private struct Ending {
    var isClosed = false
    let input: FarInputFile
    let program: FarProgram?
  }

  /// Creates a line over two files, which it closes at the end.
  ///
  /// - Parameters:
  ///   - program: the program that holds the other end; nil if the line did not start one.
  package init(
    reading input: Int32, writing output: Int32, named name: String, program: FarProgram? = nil
  ) {
    self.name = name
    let end = FarOutput(output)
    pulse = FarPulse(written: end.written)
    self.output = Lock(end)
    ending = Lock(Ending(input: FarInputFile(input), program: program))
    read(FarInput(input))
  }

  deinit { closeFiles() }

  /// The last reported placement of rows; see `ObjectStore.placement`.
  var placement: Int64? { lastPlacement.withLock { $0 } }

  /// Whether no further message can arrive.
  var hasEnded: Bool { state.withLock { $0.fault != nil } }

  func compress() { output.withLock { $0.isCompressing = true } }

  /// A number that no call has used.
  func makeNumber() -> UInt32 {
    state.withLock { state in
      state.lastNumber &+= 1
      return state.lastNumber
    }
  }

  /// Sets the closure to run whenever the other end reports that others may have written.
  func onChange(_ changed: (@Sendable () -> Void)?) { state.withLock { $0.changed = changed } }

  // Calls.

  /// The options of a call.
  struct Manner {
    var reader: UInt32?
    var transaction: UInt32?
    /// Polled while the call waits for its answer.
    var isCancelled: (@Sendable () -> Bool)?
    var progress: ReadProgress?
    /// Whether the call writes: it waits for its outcome even if it is cancelled.
    var isWriting = false
  }

  /// Sends a call, and waits for the answer.
  ///
  /// - Parameter part: receives each part of an answer that arrives in parts.
  /// - Throws: errors of the other end and of `part`; `CancellationError`; `StoreError.connectionLost`, or
  ///   `.outcomeUnknown` if the call writes.
  func call<Call: FarCall>(
    _ call: Call, _ manner: Manner = Manner(), part: (Data) throws -> Void = { _ in }
  ) throws -> Call.Answer {
    let body = try FarHead(
      name: String(describing: Call.self), reader: manner.reader, transaction: manner.transaction
    ).body(with: call)
    let id = makeNumber()
    let waiting = FarWaiting()
    let fault = state.withLock { state in
      if state.fault == nil { state.waiting[id] = waiting }
      return state.fault
    }
    if let fault { throw lost(fault) }
    defer { state.withLock { _ = $0.waiting.removeValue(forKey: id) } }
    do {
      try output.withLock { try $0.write(FarFrame(.call, id, body)) }
    } catch {
      // Before a greeting, the reading thread knows better why there is no far end.
      if state.withLock(\.isGreeted) {
        fail("\(error)")
        throw lost("\(error)")
      }
    }
    var isGivenUp = false
    let isOnMain = MainQueue.isCurrent && !manner.isWriting
    while true {
      let isPolling = isOnMain || manner.isCancelled != nil && !isGivenUp
      guard let frame = waiting.next(isPolling: isPolling) else {
        if isOnMain, pulse.endsWaitingOnMain {
          cancel(id)
          throw lost("it does not answer")
        }
        guard manner.isCancelled?() ?? false else { continue }
        isGivenUp = true
        cancel(id)
        if !manner.isWriting { throw CancellationError() }
        continue
      }
      switch frame {
      case .success(let frame):
        switch frame.kind {
        case .answer:
          guard
            let answered = try? FarBody.decode(FarAnswered<Call.Answer>.self, frame.body)
          else {
            // The far end has done it, even if its answer is malformed.
            throw manner.isWriting
              ? StoreError.outcomeUnknown(server: name) : lost("an answer is not understood")
          }
          if let placement = answered.placement { lastPlacement.withLock { $0 = placement } }
          return answered.answer
        case .failure: throw try decode(FarFailure.self, frame.body).error
        case .part:
          do {
            try part(frame.body)
          } catch {
            cancel(id)
            throw error
          }
          send(.more, id)
        case .progress: manner.progress?(try decode(Int.self, frame.body))
        default: break
        }
      case .failure(let fault):
        throw manner.isWriting && state.withLock(\.isGreeted)
          ? StoreError.outcomeUnknown(server: name) : lost(fault.description)
      }
    }
  }

  /// Sends a call, and does not wait for an answer.
  ///
  /// - Throws: `StoreError.connectionLost`.
  func post<Call: FarCall>(_ call: Call) throws {
    let body = try FarHead(name: String(describing: Call.self), reader: nil, transaction: nil)
      .body(with: call)
    do {
      try output.withLock { try $0.write(FarFrame(.call, makeNumber(), body)) }
    } catch {
      fail("\(error)")
      throw lost("\(error)")
    }
  }

  /// - Throws: `StoreError.connectionLost` if the body is malformed.
  func decode<Value: Decodable>(_ type: Value.Type, _ body: Data) throws -> Value {
    do {
      return try FarBody.decode(type, body)
    } catch {
      throw lost("\(error)")
    }
  }

  /// Tells the far end that the answer of a call is no longer needed.
  func cancel(_ id: UInt32) { send(.cancel, id) }

  /// Ends the transaction, snapshot or baseline with this number.
  func end(_ number: UInt32) { send(.end, number) }

  private func send(_ kind: FarFrame.Kind, _ id: UInt32) {
    // If the line is gone, the far end has ended it, too.
    try? output.withLock { try $0.write(FarFrame(kind, id)) }
  }

  // The end.

  private func lost(_ fault: String) -> any Error {
    if let refusal = state.withLock({ $0.refusal }) { return refusal }
    if ending.withLock({ $0.isClosed }) { return StoreError.closed(path: name) }
    return StoreError.connectionLost(server: name, detail: fault)
  }

  /// Ends a line whose far end has not greeted.
  private func refuse(_ reason: any Error) {
    let program = ending.withLock { $0.program }
    let refusal =
      program?.failure(name) ?? StoreError.unreachable(server: name, detail: "\(reason)")
    state.withLock { if $0.fault == nil { $0.refusal = refusal } }
    fail("\(reason)")
  }

  private func read(_ input: consuming FarInput) {
    let start = Lock(input)
    let file = ending.withLock { $0.input }
    let thread = Thread { [weak self] in
      defer { file.close() }
      do {
        var input = start.withLock { $0 }
        do {
          try input.awaitGreeting()
        } catch {
          self?.refuse(error)
          return
        }
        self?.state.withLock { $0.isGreeted = true }
        input.watched = { [weak self] in try self?.listenForLife(hasArrived: $0) }
        while let frame = try input.next() {
          guard let self else { return }
          self.take(frame)
        }
        self?.fail("the program at the other end has ended")
      } catch {
        self?.fail("\(error)")
      }
    }
    thread.name = "FarLine"
    thread.start()
  }

  /// Asks the other end for a sign of life, if a call waits and nothing arrives.
  ///
  /// - Throws: `FarLineFault` if nothing has arrived for too long.
  private func listenForLife(hasArrived: Bool) throws {
    if hasArrived { return pulse.heard() }
    let isAwaited = state.withLock { !$0.waiting.isEmpty }
    let isWriting = output.withLockIfAvailable { _ in } == nil
    if try pulse.waited(isAwaited: isAwaited, isWriting: isWriting) {
      // A thread that holds the lock is writing, which tests the line as well.
      output.withLockIfAvailable { try? $0.write(FarFrame(.alive, 0)) }
    }
  }

  private func take(_ frame: FarFrame) {
    if frame.kind == .changed {
      // The callback makes calls, and this thread has to read their answers.
      if let changed = state.withLock({ $0.changed }) { BlockingWork.begin(changed) }
      return
    }
    // Messages of calls that no longer wait are dropped.
    state.withLock { $0.waiting[frame.id] }?.add(.success(frame))
  }

  /// Fails all waiting and later calls with the reason why there is no answer.
  func fail(_ reason: String) {
    let complaint = ending.withLock { $0.program }?.complaint()
    let fault = complaint.map { "\(reason): \($0)" } ?? reason
    let waiting = state.withLock { state in
      state.fault = fault
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for waiting in waiting { waiting.add(.failure(FarLineFault(fault))) }
  }

  /// Ends the line, and the program at its other end. A second call does nothing.
  package func close() {
    closeFiles()
    fail("it is closed")
  }

  private func closeFiles() {
    let former = ending.withLock { ending -> Ending? in
      if ending.isClosed { return nil }
      ending.isClosed = true
      return ending
    }
    guard let former else { return }
    // The far end reads the end of its input, closes the store and exits; then this input ends.
    output.withLock { $0.close() }
    former.program?.end()
    former.input.end()
  }
}

/// A call that waits for its messages.
private final class FarWaiting: Sendable {
  private let frames = Lock<[Result<FarFrame, FarLineFault>]>([])
  private let signal = DispatchSemaphore(value: 0)

  func add(_ frame: Result<FarFrame, FarLineFault>) {
    frames.withLock { $0.append(frame) }
    signal.signal()
  }

  /// The next message; nil if polling and none arrived within 20 milliseconds.
  func next(isPolling: Bool) -> Result<FarFrame, FarLineFault>? {
    if isPolling {
      guard signal.wait(timeout: .now() + 0.02) == .success else { return nil }
    } else {
      signal.wait()
    }
    return frames.withLock { $0.removeFirst() }
  }
}

extension FarInput {
  /// Skips the output of a shell or a banner before the greeting of the far end.
  ///
  /// - Throws: `FarLineFault` if no greeting arrives.
  fileprivate mutating func awaitGreeting() throws {
    let word = "datastore far end "
    var lines = 0
    while let line = try line(atMost: 4096) {
      if line.hasPrefix(word) { return }
      lines += 1
      guard lines < 1000 else { break }
    }
    throw FarLineFault("no datastore answers at the other end")
  }
}
