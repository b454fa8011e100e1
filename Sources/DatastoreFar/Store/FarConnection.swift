import DatastoreCore
import Dispatch

/// The line of a store, which is replaced if it ends: changes staged at this end outlive it.
///
/// The next call opens a new line, provided that the store still has the same tables and its keys mean the
/// same as before, which is true only of tables with integer keys.
final class FarConnection: Sendable {
  /// Opens a line.
  typealias Connecting = @Sendable () throws -> FarLine

  private struct State {
    var line: FarLine
    /// The process that answers on the line.
    var process: FarProcess?
    /// Whether others may have written while there was no line.
    var hasMissedChanges = false
    var told: (@Sendable () -> Void)?
    /// Whether the far end watches for changes by others, and has none to report.
    var isQuiet = false
    var reopened: (@Sendable (FarLine) throws -> Void)?
    var answering: (@Sendable (Bool) -> Void)?
    var isClosed = false
  }

  private static let pause = 5.0

  let description: FarDescription
  private let options: FarOptions
  private let connecting: Connecting?
  private let ifMissing: (@Sendable () -> Void)?
  private let state: Lock<State>
  /// The earliest time of the next attempt to connect.
  private let reconnecting = Lock(DispatchTime.now())

  /// Opens the store over a first line.
  ///
  /// - Parameters:
  ///   - connecting: opens another line; nil if that is impossible.
  ///   - ifMissing: runs when no program is found at the end of a line; then one more line is tried.
  /// - Throws: errors of opening the store there; `StoreError.connectionLost`; `FarProgramMissing`.
  init(
    _ line: FarLine, _ options: FarOptions, _ connecting: Connecting?,
    _ ifMissing: (@Sendable () -> Void)?
  ) throws {
    self.options = options
    self.connecting = connecting
    self.ifMissing = ifMissing
    let (line, description) = try Self.open(line, options, connecting, ifMissing)
    self.description = description
    state = Lock(State(line: line, process: description.process))
  }

  private static func open(
    _ line: FarLine, _ options: FarOptions, _ connecting: Connecting?,
    _ ifMissing: (@Sendable () -> Void)?
  ) throws -> (FarLine, FarDescription) {
    do {
      return (line, try open(line, options))
    } catch let missing as FarProgramMissing {
      guard let connecting, let ifMissing else { throw missing }
      ifMissing()
      let line = try connecting()
      return (line, try open(line, options))
    }
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

  /// The line to call on. If it has ended and cannot be replaced, calls on it throw.
  var line: FarLine {
    let line = state.withLock { $0.line }
    return line.hasEnded ? replaced(line, isUrgent: false) : line
  }

  /// Opens a new line in place of one that has ended. Only callers that need a line wait for this.
  ///
  /// - Parameter isUrgent: whether to try now, even if the last attempt was just made.
  private func replaced(_ former: FarLine, isUrgent: Bool) -> FarLine {
    reconnecting.withLock { nextTry in
      let (line, isClosed) = state.withLock { ($0.line, $0.isClosed) }
      guard line === former, !isClosed, let connecting, isUrgent || nextTry <= .now(),
        description.tables.allSatisfy(\.information.hasRowids)
      else { return line }
      do {
        let (line, found) = try Self.open(connecting(), options, connecting, ifMissing)
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
      // Keys may belong to other rows by now.
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

  /// The line to save on, and the process that answers on it. A save tries to reconnect at once.
  var lineToSaveOn: (line: FarLine, process: FarProcess?) {
    var line = state.withLock { $0.line }
    if line.hasEnded { line = replaced(line, isUrgent: true) }
    return (line, state.withLock { $0.line === line ? $0.process : nil })
  }

  /// Sets the closure to run whenever the far end stops answering, or answers again. It must not wait for an
  /// answer.
  func onAnswering(_ told: (@Sendable (_ isAnswering: Bool) -> Void)?) {
    state.withLock { state in
      state.answering = told
      state.line.pulse.onChange(told)
    }
  }

  /// Whether others may have written while there was no line, since the last call of this function.
  func takeMissedChanges() -> Bool {
    state.withLock { state in
      defer { state.hasMissedChanges = false }
      return state.hasMissedChanges
    }
  }

  /// Sets the closure to run when others may have written; nil to stop listening.
  func listen(_ told: (@Sendable () -> Void)?) {
    let line = line
    state.withLock { $0.told = told }
    if told == nil { line.onChange(nil) } else { tell(on: line) }
  }

  private func tell(on line: FarLine) {
    line.onChange { [weak self] in self?.hear() }
    // The answer has no content, so it is not awaited.
    try? line.post(ListenCall())
  }

  private func hear() {
    let told = state.withLock { state in
      state.isQuiet = false
      return state.told
    }
    told?()
  }

  /// Whether the far end watches for changes by others, and has reported none since the last call of this
  /// function.
  func isQuiet() -> Bool {
    state.withLock { state in
      if state.line.hasEnded || state.told == nil { return false }
      defer { state.isQuiet = true }
      return state.isQuiet
    }
  }

  /// Sets the closure to run each time the store was opened again. It must not use `line`.
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
  /// The reason why no line could be opened, as a part of a sentence that names the line.
  fileprivate var reasonOfLine: String {
    switch self as? StoreError {
    case .unreachable(_, let detail), .cannotOpen(_, let detail), .connectionLost(_, let detail):
      detail
    // Without its full stop, because the sentence continues.
    default: String("\(self)".reversed().drop { $0 == "." }.reversed())
    }
  }
}
