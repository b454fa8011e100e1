#if PostgreSQL
import CPostgreSQL

/// One message to the server: statements, or parts of them, of which each has its results.
extension PostgreSQLConnection {
  /// Sends statements in one message and waits once for all answers.
  ///
  /// Without `BEGIN` among them they are one transaction. The server does not run those behind one that
  /// fails.
  ///
  /// - Returns: the answer to each.
  /// - Throws: `PostgreSQLFailure` of the first that has failed, with its number; `CancellationError` when
  ///   the `stopSignal` has ended them.
  package func run(_ statements: [PostgreSQLStatement]) throws -> [PostgreSQLResult] {
    do {
      return try runOnce(statements)
    } catch let failure as PostgreSQLFailure where failure.isOfPlan && !isInTransaction {
      forgetPlans()
      return try runOnce(statements)
    }
  }

  /// As `run(_:)`, and has the server answer one of the statements before it goes on, so that its answer is
  /// known also where the connection is lost behind it.
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
  /// - Throws: as `run(_:)` with several.
  @discardableResult
  package func run(_ statement: PostgreSQLStatement) throws -> PostgreSQLResult {
    try run([statement])[0]
  }

  /// Sends statements whose answers nobody waits for, such as `COMMIT` after reading. They are read before
  /// those of the next message.
  package func post(_ statements: [PostgreSQLStatement]) {
    var message = Message()
    do {
      try send(statements, in: &message)
      guard PQpipelineSync(pointer) == 1 else { return }
      outstanding.append(message)
      // So little never fills the buffers of the system.
      PQflush(pointer)
    } catch {
      // Only a lost connection refuses them; the next who uses it meets that.
    }
  }

  /// Sends statements in one message, and hands on the rows of the last one as they come.
  ///
  /// - Parameter take: gets the rows, some at a time; where it throws, the statement is ended.
  /// - Throws: what `take` throws; as `run(_:)` with several.
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

  /// What was sent, in the order in which it is answered.
  struct Message {
    enum Part {
      case plan(PlanKey, name: String)
      case statement(Int)
      /// What a borrowed session is told when a transaction begins.
      case settings
    }
    var parts: [Part] = []
    var statementCount = 0
    /// The number of the statement that the server answers before it goes on.
    var early: Int?
    /// The number of the statement whose rows are handed on as they come.
    var streamed: Int?
    /// Plans that are on their way; known once the server says that it has them.
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

  /// Pointers to the bytes of all parameters; NULL has none.
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
      // Text is read to its end, which libpq finds by a zero.
      let terminated = parameter.isWritten ? bytes + [0] : bytes
      return terminated.withUnsafeBytes {
        // An empty array may have no address, which would say NULL.
        values.append($0.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.nothing)
        return next(rest.dropFirst())
      }
    }
    return next(parameters[...])
  }

  /// Where bytes begin of which there are none; never read.
  private static var nothing: UnsafePointer<CChar>? { UnsafePointer(bitPattern: 8) }

  /// Ends a message, waits, and hands on the answers of its statements.
  ///
  /// - Parameter take: gets each answer in order; those of rows that come one after the other, too
  ///   (`PGRES_SINGLE_TUPLE`).
  func receive(_ message: Message, _ take: (PostgreSQLResult) throws -> Void) throws {
    guard PQpipelineSync(pointer) == 1 else { throw failure() }
    waitCount += 1
    let answers = answerCount
    for message in outstanding { try? receiveAnswers(message) { _ in } }
    outstanding = []
    // What nobody waited for is no answer to this message.
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
        // It has no end here; the connection is not used again, since it says that it is busy.
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
            // What is not wanted any more must be read to its end all the same.
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

  /// Has the next message ask for plans again.
  func forgetPlans() {
    plans = [:]
    // Where the server still keeps some, their names are not used again.
  }

  func requireUsable() throws {
    if stopSignal?.isStopped ?? false { throw CancellationError() }
    if PQstatus(pointer) != CONNECTION_OK { throw failure() }
  }
}

#endif
