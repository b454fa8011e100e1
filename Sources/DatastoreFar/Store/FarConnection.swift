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
    /// Whether others may have written while there was no line.
    var hasMissedChanges = false
    var told: (@Sendable () -> Void)?
    /// Whether the far end looks for what others write, and has nothing to tell.
    var isQuiet = false
    var reopened: (@Sendable (FarLine) throws -> Void)?
    var isClosed = false
    /// The earliest time of the next attempt to connect: callers wait while one is made.
    var nextTry = DispatchTime.now()
  }

  private static let pause = 5.0

  let description: FarDescription
  private let options: FarOptions
  private let connecting: Connecting?
  private let state: Lock<State>

  /// Opens the store over a first line.
  ///
  /// - Parameter connecting: nil where there is no other line to be had.
  /// - Throws: what opening throws there; `StoreError.connectionLost`.
  init(_ line: FarLine, _ options: FarOptions, _ connecting: Connecting?) throws {
    self.options = options
    self.connecting = connecting
    description = try Self.open(line, options)
    state = Lock(State(line: line))
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
    state.withLock { state in
      guard state.line.hasEnded, !state.isClosed, let connecting, state.nextTry <= .now(),
        description.tables.allSatisfy(\.information.hasRowids)
      else { return state.line }
      do {
        let line = try connecting()
        let found = try Self.open(line, options)
        guard found.isSame(as: description) else {
          line.close()
          state.line.fail("the file there has other tables now; open it again")
          return state.line
        }
        state.line.close()
        state.line = line
        state.hasMissedChanges = true
        try state.reopened?(line)
        // Keys may lead to other rows by now.
        _ = try line.call(MarkSharedCall())
        state.isQuiet = false
        if state.told != nil {
          line.onChange { [weak self] in self?.hear() }
          try line.post(ListenCall())
        }
      } catch {
        state.line.fail("\(error)")
        state.nextTry = .now() + Self.pause
      }
      return state.line
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
    guard told != nil else { return line.onChange(nil) }
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
