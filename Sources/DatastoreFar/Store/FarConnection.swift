import DatastoreCore
import Dispatch

/// The line of a store, and the next one when it has ended: what was staged here outlives both.
///
/// A line is opened again by the next call, and only where the store is found as it was: with the same
/// tables, and with keys that mean the same as before, which those of tables without integer keys do not.
final class FarConnection: Sendable {
  /// Begins a line.
  typealias Connecting = @Sendable () throws -> FarLine

  private struct State {
    var line: FarLine
    /// Who answers on it.
    var process: FarProcess?
    /// Whether others may have written while there was no line.
    var hasMissedChanges = false
    var told: (@Sendable () -> Void)?
    /// Whether the far end looks for what others write, and has nothing to tell.
    var isQuiet = false
    var reopened: (@Sendable (FarLine) throws -> Void)?
    var answering: (@Sendable (Bool) -> Void)?
    var isClosed = false
  }

  private static let pause = 5.0

  let description: FarDescription
  private let options: FarOptions
  private let connecting: Connecting?
  private let state: Lock<State>
  /// The earliest time of the next attempt to connect.
  private let reconnecting = Lock(DispatchTime.now())

  /// Opens the store over a first line.
  ///
  /// - Parameter connecting: nil where there is no other line to be had.
  /// - Throws: what opening throws there; `StoreError.connectionLost`.
  init(_ line: FarLine, _ options: FarOptions, _ connecting: Connecting?) throws {
    self.options = options
    self.connecting = connecting
    description = try Self.open(line, options)
    state = Lock(State(line: line, process: description.process))
  }

  private static func open(_ line: FarLine, _ options: FarOptions) throws -> FarDescription {
    do {
      let description = try line.call(OpenCall(options: options))
      _ = try description.checkedSchema()
      if options.isCompressed { line.compress() }
      return description
    } catch {
      line.close()
      if let fault = error as? FarLineFault {
        throw StoreError.connectionLost(server: line.name, detail: fault.description)
      }
      throw error
    }
  }

  /// The line to call on. Where it has ended and no other can be had, calls on it say so.
  var line: FarLine {
    let line = state.withLock { $0.line }
    return line.hasEnded ? replaced(line, isUrgent: false) : line
  }

  /// Begins another line in place of one that has ended. Others who need one wait, and nobody else.
  ///
  /// - Parameter isUrgent: whether it is tried now, although it was tried just before.
  private func replaced(_ former: FarLine, isUrgent: Bool) -> FarLine {
    reconnecting.withLock { nextTry in
      let (line, isClosed) = state.withLock { ($0.line, $0.isClosed) }
      guard line === former, !isClosed, let connecting, isUrgent || nextTry <= .now(),
        description.tables.allSatisfy(\.information.hasRowids)
      else { return line }
      do {
        let line = try connecting()
        let found = try Self.open(line, options)
        guard found.isSame(as: description) else {
          line.close()
          former.fail("the file there has other tables now; open it again")
          return former
        }
        former.close()
        try begin(line, found.process)
        return line
      } catch {
        former.fail(error.reasonOfLine)
        nextTry = .now() + Self.pause
        return former
      }
    }
  }

  private func begin(_ line: FarLine, _ process: FarProcess?) throws {
    do {
      try state.withLock { $0.reopened }?(line)
      // Keys may lead to other rows by now.
      _ = try line.call(MarkSharedCall())
    } catch {
      line.close()
      throw error
    }
    let state = self.state.withLock { state in
      state.line = line
      state.process = process
      state.hasMissedChanges = true
      state.isQuiet = false
      return state
    }
    line.pulse.onChange(state.answering)
    state.answering?(true)
    if state.told != nil { tell(on: line) }
  }

  /// The line to save on, and who answers on it. Whoever saves wants it now.
  var lineToSaveOn: (line: FarLine, process: FarProcess?) {
    var line = state.withLock { $0.line }
    if line.hasEnded { line = replaced(line, isUrgent: true) }
    return (line, state.withLock { $0.line === line ? $0.process : nil })
  }

  /// Has something done whenever the far end stops answering, or answers again. It must not wait for an
  /// answer.
  func onAnswering(_ told: (@Sendable (_ isAnswering: Bool) -> Void)?) {
    state.withLock { state in
      state.answering = told
      state.line.pulse.onChange(told)
    }
  }

  /// Whether others may have written while there was no line, since this was asked.
  func takeMissedChanges() -> Bool {
    state.withLock { state in
      defer { state.hasMissedChanges = false }
      return state.hasMissedChanges
    }
  }

  /// Has something done when others may have written; nil for nothing any more.
  func listen(_ told: (@Sendable () -> Void)?) {
    let line = line
    state.withLock { $0.told = told }
    if told == nil { line.onChange(nil) } else { tell(on: line) }
  }

  private func tell(on line: FarLine) {
    line.onChange { [weak self] in self?.hear() }
    // The answer is not waited for: it says nothing.
    try? line.post(ListenCall())
  }

  private func hear() {
    let told = state.withLock { state in
      state.isQuiet = false
      return state.told
    }
    told?()
  }

  /// Whether the far end looks for what others write, and has told of nothing since this was asked before.
  func isQuiet() -> Bool {
    state.withLock { state in
      if state.line.hasEnded || state.told == nil { return false }
      defer { state.isQuiet = true }
      return state.isQuiet
    }
  }

  /// Registers a closure that runs each time that the store was opened again. Must not ask for `line`.
  func onReopening(_ reopened: @escaping @Sendable (FarLine) throws -> Void) {
    state.withLock { $0.reopened = reopened }
  }

  func close() {
    let line = state.withLock { state in
      state.isClosed = true
      return state.line
    }
    line.close()
  }
}

extension Error {
  /// Why no line could be begun: a part of a sentence that says which line.
  fileprivate var reasonOfLine: String {
    switch self as? StoreError {
    case .unreachable(_, let detail), .cannotOpen(_, let detail), .connectionLost(_, let detail):
      detail
    // A sentence, which a longer one goes on behind.
    default: String("\(self)".reversed().drop { $0 == "." }.reversed())
    }
  }
}
