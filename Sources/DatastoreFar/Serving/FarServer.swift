package import DatastoreCore
import Foundation

/// The far end of a line: executes the calls of the other end on one store until the line ends.
///
/// It opens the store that it was created for and nothing else. It checks all input before using it: a
/// malformed message ends the line, and an invalid call is answered with an error.
package final class FarServer: Sendable {
  /// The first line of output, which ends what a shell may print when it starts.
  package static let greeting = "datastore far end \(FarOptions.version)"

  private let input: Int32
  private let session: FarSession
  /// The transactions under way.
  private let transactions = Lock<[UInt32: FarTransactionCalls]>([:])

  /// - Parameters:
  ///   - input: the file that calls are read from.
  ///   - output: the file that answers are written to. It is closed at the end.
  ///   - newFile: the path at which the other end may create a file from its own; nil to refuse that.
  ///   - opening: opens the store. Called at most once.
  package init(
    reading input: Int32, writing output: Int32, newFile: String? = nil,
    _ opening: @escaping @Sendable (FarOptions) throws -> any StoreEngine
  ) {
    self.input = input
    session = FarSession(FarOutput(output), newFile: newFile, opening)
  }

  /// Answers calls until the line ends, and closes the store. Blocks.
  ///
  /// - Throws: `FarLineFault` for anything that is not a message of this protocol.
  package func run() throws {
    defer {
      for transaction in transactions.withLock({ Array($0.values) }) {
        transaction.end()
        transaction.cancel()
      }
      session.close()
    }
    try session.greet(Self.greeting)
    var input = FarInput(input)
    while let frame = try input.next() {
      switch frame.kind {
      case .call: begin(frame)
      case .cancel: session.work(frame.id)?.cancel()
      case .more: session.work(frame.id)?.more()
      case .end:
        transactions.withLock { $0.removeValue(forKey: frame.id) }?.end()
        session.end(frame.id)
      case .alive: try session.send(FarFrame(.alive, frame.id))
      case .answer, .failure, .part, .progress, .changed:
        throw FarLineFault("what came is no message for this end")
      }
    }
  }

  /// Starts a call, and returns at once.
  private func begin(_ frame: FarFrame) {
    do {
      let (head, body) = try FarHead.read(frame.body)
      guard let type = FarCalls.all[head.name] else {
        throw FarLineFault(
          "this end does not know “\(head.name)”; install the same datastore at both ends")
      }
      let work = FarWork(frame.id, in: session, reading: head.reader)
      session.begin(work)
      try begin(type, body, of: head, work)
    } catch {
      if let work = session.work(frame.id) { session.end(work) }
      session.fail(frame.id, error)
    }
  }

  private func begin<Call: FarCall>(
    _ type: Call.Type, _ body: Data, of head: FarHead, _ work: FarWork
  ) throws {
    guard let number = head.transaction else {
      if let type = type as? any FarReadingCall.Type { return read(type, body, work) }
      return BlockingWork.begin { work.run(type, body) }
    }
    let (calls, isNew) = transactions.withLock { all in
      if let known = all[number] { return (known, false) }
      let new = FarTransactionCalls()
      all[number] = new
      return (new, true)
    }
    if isNew, let beginning = try FarBody.decode(type, ifBeginning: body) {
      return calls.writeRows(beginning, work)
    }
    calls.add { place in
      switch place {
      case .reading(let transaction): work.begin(transaction)
      case .writing(let rows):
        work.begin(rows)
        if type == CommitRowsCall.self { return .commit(work) }
      case .failed(let error):
        work.fail(error)
        return .wait
      }
      work.run(type, body)
      return .wait
    }
    if isNew { calls.read(work) }
    work.onCancel { calls.cancel() }
  }

  /// Answers a call in its own transaction; cancelling the call interrupts it.
  private func read<Call: FarReadingCall>(_ type: Call.Type, _ body: Data, _ work: FarWork) {
    let task = Task(executorPreference: FarExecutor.shared) {
      do {
        let call = try FarBody.decode(type, body)
        let answer = try await work.reader.readTransaction(reporting: work.progress) {
          transaction in
          work.begin(transaction)
          return try work.body(of: call)
        }
        work.answer(answer)
      } catch {
        work.fail(error)
      }
    }
    work.onCancel { task.cancel() }
  }
}

extension FarBody {
  /// The call, if it begins to write rows; nil for all others.
  fileprivate static func decode<Call: FarCall>(
    _ type: Call.Type, ifBeginning body: Data
  ) throws -> (any FarRowsBeginning)? {
    guard type is any FarRowsBeginning.Type else { return nil }
    return try decode(type, body) as? any FarRowsBeginning
  }
}

extension FarSession {
  func greet(_ greeting: String) throws { try sendBytes(Data("\(greeting)\n".utf8)) }

  /// Answers a call with an error.
  func fail(_ id: UInt32, _ error: any Error) {
    // If the line is gone, no call waits for the answer.
    guard let body = try? FarBody.encode(FarFailure(error)) else { return }
    try? send(FarFrame(.failure, id, body))
  }
}

extension FarWork {
  /// - Throws: errors of the call.
  func body<Call: FarCall>(of call: Call) throws -> Data {
    let answer = try call.answer(in: self)
    // No store is open while a new file is received.
    let placement = (try? session.store)?.placement
    return try FarBody.encode(FarAnswered(answer: answer, placement: placement))
  }

  /// Decodes a call, and executes it.
  func run<Call: FarCall>(_ type: Call.Type, _ body: Data) {
    do {
      run(try FarBody.decode(type, body))
    } catch {
      fail(error)
    }
  }

  func run(_ call: some FarCall) {
    do {
      answer(try body(of: call))
    } catch {
      fail(error)
    }
  }

  func answer(_ body: Data) {
    session.end(self)
    do {
      try session.send(FarFrame(.answer, id, body))
    } catch {
      // An answer that is too long becomes an error.
      session.fail(id, error)
    }
  }

  func fail(_ error: any Error) {
    session.end(self)
    session.fail(id, error)
  }
}
