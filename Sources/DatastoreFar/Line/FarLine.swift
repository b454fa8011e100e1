import DatastoreCore
import Dispatch
import Foundation

/// A line to a far end: calls are sent and answers come, side by side.
///
/// A thread reads the answers and hands them to the calls that wait. When the line ends, every waiting call
/// throws. Calls are sent before the far end has greeted: what is asked first is there when it begins.
package final class FarLine: Sendable {
  /// What people call the other end, and what is there.
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
    /// What is wrong with the line; nil while it is good.
    var fault: String?
    /// Why there is no far end: what calls throw instead of saying that the line was lost.
    var refusal: (any Error)?
    var changed: (@Sendable () -> Void)?
  }

  private struct Ending {
    var isClosed = false
    let input: FarInputFile
    let program: FarProgram?
  }

  /// A line over two files, which it closes in the end.
  ///
  /// - Parameters:
  ///   - program: what holds the other end; nil where it is somebody else's.
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

  /// Where rows lie, as last heard; see `ObjectStore.placement`.
  var placement: Int64? { lastPlacement.withLock { $0 } }

  /// Whether nothing comes over it any more.
  var hasEnded: Bool { state.withLock { $0.fault != nil } }

  func compress() { output.withLock { $0.isCompressing = true } }

  /// A number that no call has had.
  func makeNumber() -> UInt32 {
    state.withLock { state in
      state.lastNumber &+= 1
      return state.lastNumber
    }
  }

  /// Has something done whenever the other end says that others may have written.
  func onChange(_ changed: (@Sendable () -> Void)?) { state.withLock { $0.changed = changed } }

  // Calls.

  /// How a call is made.
  struct Manner {
    var reader: UInt32?
    var transaction: UInt32?
    /// Asked again and again while the answer is awaited.
    var isCancelled: (@Sendable () -> Bool)?
    var progress: ReadProgress?
    /// Whether it writes: what became of it is awaited, also when it is cancelled.
    var isWriting = false
  }

  /// Calls, and waits for the answer.
  ///
  /// - Parameter part: takes each part of an answer that comes piece by piece.
  /// - Throws: what the other end throws; what `part` throws; `CancellationError`;
  ///   `StoreError.connectionLost`, or `.outcomeUnknown` where something was being written.
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
      // Without a greeting, the thread that reads knows better why nobody is there.
      if state.withLock(\.isGreeted) {
        fail("\(error)")
        throw lost("\(error)")
      }
    }
    var isGivenUp = false
    let isOnMain = Thread.isMainThread && !manner.isWriting
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
            // It was done, whatever is said of it.
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

  /// Calls, and waits for nothing.
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

  /// - Throws: `StoreError.connectionLost` for what is no such value.
  func decode<Value: Decodable>(_ type: Value.Type, _ body: Data) throws -> Value {
    do {
      return try FarBody.decode(type, body)
    } catch {
      throw lost("\(error)")
    }
  }

  /// Says that nobody waits for a call any more.
  func cancel(_ id: UInt32) { send(.cancel, id) }

  /// Ends what was begun by that number: a transaction, a snapshot, rows that were kept.
  func end(_ number: UInt32) { send(.end, number) }

  private func send(_ kind: FarFrame.Kind, _ id: UInt32) {
    // Where the line is gone, so is what was to be ended.
    try? output.withLock { try $0.write(FarFrame(kind, id)) }
  }

  // The end.

  private func lost(_ fault: String) -> any Error {
    if let refusal = state.withLock({ $0.refusal }) { return refusal }
    if ending.withLock({ $0.isClosed }) { return StoreError.closed(path: name) }
    return StoreError.connectionLost(server: name, detail: fault)
  }

  /// Ends a line at whose other end nobody has greeted.
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
        input.waited = { [weak self] in try self?.listenForLife() }
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

  /// Asks the other end whether it is there, when somebody waits and nothing comes.
  ///
  /// - Throws: `FarLineFault` when nothing has come for too long.
  private func listenForLife() throws {
    let isAwaited = state.withLock { !$0.waiting.isEmpty }
    if try pulse.waited(isAwaited: isAwaited) {
      // Whoever writes now is seen by that.
      output.withLockIfAvailable { try? $0.write(FarFrame(.alive, 0)) }
    }
  }

  private func take(_ frame: FarFrame) {
    pulse.heard()
    if frame.kind == .changed {
      // The callback asks what has changed, and this thread has to read the answer.
      if let changed = state.withLock({ $0.changed }) { BlockingWork.begin(changed) }
      return
    }
    // What nobody waits for any more is passed over.
    state.withLock { $0.waiting[frame.id] }?.add(.success(frame))
  }

  /// Tells everyone who waits, or calls from now on, why there is no answer.
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

  /// Ends the line, and the program at its other end. Does nothing the second time.
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
    // The other end sees the end of its input, closes the store and ends; then this input ends.
    output.withLock { $0.close() }
    former.program?.end()
    former.input.end()
  }
}

/// Somebody who waits for what comes of a call.
private final class FarWaiting: Sendable {
  private let frames = Lock<[Result<FarFrame, FarLineFault>]>([])
  private let signal = DispatchSemaphore(value: 0)

  func add(_ frame: Result<FarFrame, FarLineFault>) {
    frames.withLock { $0.append(frame) }
    signal.signal()
  }

  /// The next message; nil where none came within a moment.
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
  /// Passes over what a shell or a banner says before the far end greets.
  ///
  /// - Throws: `FarLineFault` where it does not.
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
