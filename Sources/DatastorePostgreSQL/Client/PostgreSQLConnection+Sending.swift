#if PostgreSQL
import CPostgreSQL

/// One message to the server: statements, or parts of them, each with its results.
extension PostgreSQLConnection {
  /// Sends statements in one message and waits once for all answers.
  ///
  /// Without `BEGIN` among them they are one transaction. The server does not run the statements after one
  /// that fails.
  ///
  /// - Returns: the answer to each.
  /// - Throws: the `PostgreSQLFailure` of the first statement that has failed, with its number;
  ///   `CancellationError` when the `stopSignal` has ended them.
  package func run(_ statements: [PostgreSQLStatement]) throws -> [PostgreSQLResult] {
    do {
      return try runOnce(statements)
    } catch let failure as PostgreSQLFailure where failure.isOfPlan && !isInTransaction {
      forgetPlans()
      return try runOnce(statements)
    }
  }

  /// Like `run(_:)`, but has the server answer one of the statements before it continues, so that this answer
  /// is known even if the connection is lost afterwards.
  ///
  /// - Parameter early: the number of that statement.
  package func run(
    _ statements: [PostgreSQLStatement], early: Int, _ take: (PostgreSQLResult) -> Void
  ) throws -> [PostgreSQLResult] {
    do {
      return try runOnce(statements, early: early, take)
    } catch let failure as PostgreSQLFailure where failure.isOfPlan && !isInTransaction {
      forgetPlans()
      return try runOnce(statements, early: early, take)
    }
  }

  /// Sends one statement and waits for its answer.
  ///
  /// - Throws: the same errors as `run(_:)` for several statements.
  @discardableResult
  package func run(_ statement: PostgreSQLStatement) throws -> PostgreSQLResult {
    try run([statement])[0]
  }

  /// Sends statements without waiting for their answers, such as `COMMIT` after reading. The answers are read
  /// before those of the next message.
  package func post(_ statements: [PostgreSQLStatement]) {
    var message = Message()
    do {
      try send(statements, in: &message)
      guard PQpipelineSync(pointer) == 1 else { return }
      outstanding.append(message)
      // So little never fills the buffers of the system.
      PQflush(pointer)
    } catch {
      // Only a lost connection refuses them; the next use of the connection reports that.
    }
  }

  /// Sends statements in one message, and passes on the rows of the last one as they arrive.
  ///
  /// - Parameter take: receives the rows, some at a time; if it throws, the statement is ended.
  /// - Throws: the errors of `take`; the same errors as `run(_:)` for several statements.
  package func stream(
    _ statements: [PostgreSQLStatement], _ take: (PostgreSQLResult) throws -> Void
  ) throws {
    try requireUsable()
    let isOwn = stopSignal == nil
    if isOwn { stopSignal = StopSignal() }
    defer { if isOwn { stopSignal = nil } }
    var message = Message()
    try send(statements, in: &message)
    let last = message.statementCount - 1
    message.streamed = last
    var number = 0
    try receive(message) { result in
      if number >= last { try take(result) }
      number += 1
    }
  }

  private func runOnce(
    _ statements: [PostgreSQLStatement], early: Int? = nil,
    _ take: (PostgreSQLResult) -> Void = { _ in }
  ) throws -> [PostgreSQLResult] {
    try requireUsable()
    var message = Message()
    message.early = early
    try send(statements, in: &message)
    var results: [PostgreSQLResult] = []
    results.reserveCapacity(statements.count)
    try receive(message) { result in
      if results.count == early { take(result) }
      results.append(result)
    }
    return results
  }

  /// The parts that were sent, in the order of their answers.
  struct Message {
    enum Part {
      case plan(PlanKey, name: String)
      case statement(Int)
      /// The settings of a borrowed session at the beginning of a transaction.
      case settings
    }
    var parts: [Part] = []
    var statementCount = 0
    /// The number of the statement that the server answers before it continues.
    var early: Int?
    /// The number of the statement whose rows are passed on as they arrive.
    var streamed: Int?
    /// Plans that are being sent; recorded once the server confirms them.
    var plans: [PlanKey: String] = [:]
  }

  /// Puts a statement into libpq's buffer.
  func send(_ statement: PostgreSQLStatement, in message: inout Message) throws {
    let parameters = statement.parameters
    let types = parameters.map(\.type.rawValue)
    var name: String?
    if statement.isKept, !isPooled {
      let key = PlanKey(statement)
      name = plans[key] ?? message.plans[key]
      if name == nil {
        lastPlan += 1
        let new = "datastore_\(lastPlan)"
        guard PQsendPrepare(pointer, new, statement.text, Int32(types.count), types) == 1 else {
          throw failure()
        }
        message.parts.append(.plan(key, name: new))
        message.plans[key] = new
        name = new
      }
    }
    let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
    let formats = parameters.map { $0.isWritten ? 0 as Int32 : 1 }
    let isSent = withPointers(to: parameters) { values in
      name.map {
        PQsendQueryPrepared(pointer, $0, Int32(values.count), values, lengths, formats, 1)
      }
        ?? PQsendQueryParams(
          pointer, statement.text, Int32(values.count), types, values, lengths, formats, 1)
    }
    guard isSent == 1 else { throw failure() }
    message.parts.append(.statement(message.statementCount))
    if message.statementCount == message.early { PQsendFlushRequest(pointer) }
    message.statementCount += 1
  }

  /// Pointers to the bytes of all parameters; nil for NULL.
  private func withPointers<Result>(
    to parameters: [PostgreSQLParameter], _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    var values: [UnsafePointer<CChar>?] = []
    values.reserveCapacity(parameters.count)
    func next(_ rest: ArraySlice<PostgreSQLParameter>) -> Result {
      guard let parameter = rest.first else { return body(values) }
      guard let bytes = parameter.bytes else {
        values.append(nil)
        return next(rest.dropFirst())
      }
      // libpq finds the end of text by a zero byte.
      let terminated = parameter.isWritten ? bytes + [0] : bytes
      return terminated.withUnsafeBytes {
        // An empty array may have no address, which would mean NULL.
        values.append($0.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.nothing)
        return next(rest.dropFirst())
      }
    }
    return next(parameters[...])
  }

  /// The address of an empty parameter; never read.
  private static var nothing: UnsafePointer<CChar>? { UnsafePointer(bitPattern: 8) }

  /// Ends a message, waits, and passes on the answers of its statements.
  ///
  /// - Parameter take: receives each answer in order, including those of rows that arrive one by one
  ///   (`PGRES_SINGLE_TUPLE`).
  func receive(_ message: Message, _ take: (PostgreSQLResult) throws -> Void) throws {
    guard PQpipelineSync(pointer) == 1 else { throw failure() }
    waitCount += 1
    let answers = answerCount
    for message in outstanding { try? receiveAnswers(message) { _ in } }
    outstanding = []
    // Answers to posted statements are no answers to this message.
    answerCount = answers
    try receiveAnswers(message, take)
  }

  func receiveAnswers(
    _ message: Message, _ take: (PostgreSQLResult) throws -> Void
  ) throws {
    var first: (any Error)?
    for part in message.parts {
      do {
        if case .statement(let number) = part, number == message.streamed {
          _ = cpostgresql_stream(pointer)
        }
        try receive(part, isFailed: first != nil, take)
      } catch let failure as PostgreSQLFailure
        where failure.isOfConnection || failure.endsConnection
      {
        throw failure
      } catch {
        first = first ?? error
      }
    }
    try receiveSync()
    if let first { throw first }
  }

  private func receive(
    _ part: Message.Part, isFailed: Bool, _ take: (PostgreSQLResult) throws -> Void
  ) throws {
    var error: (any Error)?
    while let result = try nextResult() {
      if cpostgresql_is_copy(result.pointer) == 1 {
        // The transfer has no end here; the connection is not reused, since it reports that it is busy.
        var failure = PostgreSQLFailure(
          code: "0A000", message: "COPY from or to a program cannot be run here")
        failure.endsConnection = true
        throw failure
      }
      if cpostgresql_is_success(result.pointer) == 1 {
        switch part {
        case .plan(let key, let name): plans[key] = name
        case .statement where !isFailed && error == nil:
          answerCount += 1
          do { try requireAllRows() } catch let lost {
            error = lost
            continue
          }
          do { try take(result) } catch let other {
            // Answers that are no longer wanted must still be read to their end.
            error = other
            stopSignal?.stop()
          }
        case .statement, .settings: break
        }
      } else if PQresultStatus(result.pointer) != PGRES_PIPELINE_ABORTED {
        error = error ?? Self.failure(result, part, isStopped: stopSignal?.isStopped ?? false)
      }
    }
    if let error { throw error }
  }

  private static func failure(
    _ result: PostgreSQLResult, _ part: Message.Part, isStopped: Bool
  ) -> any Error {
    var statement: Int?
    if case .statement(let number) = part { statement = number }
    let failure = PostgreSQLFailure(result.pointer, statement: statement)
    return failure.code == "57014" && isStopped ? CancellationError() : failure
  }

  private func receiveSync() throws {
    while true {
      guard let result = try nextResult() else {
        if PQstatus(pointer) != CONNECTION_OK { throw failure() }
        continue
      }
      if PQresultStatus(result.pointer) == PGRES_PIPELINE_SYNC { return }
    }
  }

  /// Makes the next message request plans again.
  func forgetPlans() {
    plans = [:]
    // If the server still keeps some, their names are not reused.
  }

  func requireUsable() throws {
    if stopSignal?.isStopped ?? false { throw CancellationError() }
    if PQstatus(pointer) != CONNECTION_OK { throw failure() }
  }
}

#endif
