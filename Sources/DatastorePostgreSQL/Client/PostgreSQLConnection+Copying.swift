#if PostgreSQL
import CPostgreSQL
import Foundation

/// COPY, which carries rows in bulk. It cannot be part of a pipeline.
extension PostgreSQLConnection {
  /// Whether COPY would wait for nothing but its own answer: not for the answers to posted statements, which
  /// must be read before the pipeline ends, and not for settings, which a borrowed session gets in a message
  /// before it.
  package var isReadyToCopy: Bool {
    if isPooled { return false }
    while let message = outstanding.first {
      guard PQconsumeInput(pointer) == 1, PQisBusy(pointer) == 0 else { return false }
      try? receiveAnswers(message) { _ in }
      outstanding.removeFirst()
    }
    return true
  }

  /// Runs `COPY … TO STDOUT` and passes on each row, or each piece of the format, as it arrives.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - take: receives the rows.
  /// - Throws: the errors of `take`; `PostgreSQLFailure`; `CancellationError`.
  package func copyOut(
    _ sql: String, _ take: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let isOwn = stopSignal == nil
    if isOwn { stopSignal = StopSignal() }
    defer { if isOwn { stopSignal = nil } }
    _ = try outsideOfPipeline(sql, expecting: PGRES_COPY_OUT) {
      var error: (any Error)?
      while true {
        var piece: UnsafeMutablePointer<CChar>?
        let count = PQgetCopyData(pointer, &piece, 1)
        switch count {
        case 0: try wait()
        case -1:
          if let error { throw error }
          return try requireAllRows()
        case 1...:
          defer { PQfreemem(piece) }
          guard error == nil else { continue }
          do { try take(UnsafeRawBufferPointer(start: piece, count: Int(count))) } catch let other {
            error = other
            stopSignal?.stop()
          }
        default: throw failure()
        }
      }
    }
  }

  /// Runs `COPY … FROM STDIN` with the pieces that `next` returns, until it returns nil.
  ///
  /// - Returns: the number of rows that the server has written.
  /// - Throws: the errors of `next`, after which nothing is written; `PostgreSQLFailure`.
  package func copyIn(_ sql: String, _ next: () throws -> [UInt8]?) throws -> Int {
    try copyIn(sql) { put in
      while let piece = try next() { try put(piece) }
    }
  }

  /// Runs `COPY … FROM STDIN` with the pieces that `send` puts.
  package func copyIn(
    _ sql: String, sending send: (_ put: ([UInt8]) throws -> Void) throws -> Void
  ) throws -> Int {
    try outsideOfPipeline(sql, expecting: PGRES_COPY_IN) {
      do {
        try send(put)
      } catch {
        PQputCopyEnd(pointer, "the program has given up")
        throw error
      }
      while PQputCopyEnd(pointer, nil) == 0 { try waitForOutput() }
    }
  }

  private func put(_ piece: [UInt8]) throws {
    while true {
      let result = piece.withUnsafeBytes {
        PQputCopyData(
          pointer, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
      }
      if result == 1 { return }
      if result < 0 { throw failure() }
      try waitForOutput()
    }
  }

  /// Runs a statement whose answer is a transfer, performs the transfer, and returns to the pipeline.
  private func outsideOfPipeline(
    _ sql: String, expecting status: ExecStatusType, _ transfer: () throws -> Void
  ) throws -> Int {
    try requireUsable()
    // Posted statements must be answered first.
    if !outstanding.isEmpty { _ = try run([]) }
    PQexitPipelineMode(pointer)
    defer { PQenterPipelineMode(pointer) }
    guard PQsendQuery(pointer, sql) == 1 else { throw failure() }
    waitCount += 1
    var error: (any Error)?
    var count = 0
    while let result = try nextResult() {
      switch PQresultStatus(result.pointer) {
      case status:
        answerCount += 1
        do { try transfer() } catch let other {
          error = error ?? other
          if PQstatus(pointer) != CONNECTION_OK { throw other }
        }
        waitCount += status == PGRES_COPY_IN ? 1 : 0
      case PGRES_COMMAND_OK: count = result.affectedCount
      default:
        let failure = PostgreSQLFailure(result.pointer, statement: 0)
        let isStopped = failure.code == "57014" && stopSignal?.isStopped ?? false
        error = error ?? (isStopped ? CancellationError() : failure)
      }
    }
    if let error { throw error }
    return count
  }

  /// Waits until the server accepts more output.
  private func waitForOutput() throws {
    let unsent = PQflush(pointer)
    if unsent < 0 { throw failure() }
    guard unsent == 1 else { return }
    var event = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN | POLLOUT), revents: 0)
    while poll(&event, 1, -1) < 0 { if errno != EINTR { throw failure() } }
    // A server that refuses the rows says so before all have been sent.
    if event.revents & Int16(POLLIN) != 0, PQconsumeInput(pointer) == 0 { throw failure() }
  }
}

#endif
