package import DatastoreCore
import Foundation

/// The far end of a line: does what the other end asks of one store, until the line ends.
///
/// It opens the store that it was made for and nothing else. Whatever comes over the line is checked before
/// it is used: what is no message ends the line, and a call that makes no sense is answered by saying so.
package final class FarServer: Sendable {
  /// What is written first, so that the other end knows where what a shell may say at the beginning ends.
  package static let greeting = "datastore far end \(FarOptions.version)"

  private let input: Int32
  private let session: FarSession
  /// The transactions that were begun.
  private let transactions = Lock<[UInt32: FarTransactionCalls]>([:])

  /// - Parameters:
  ///   - input: where calls come from.
  ///   - output: where answers go. Is closed in the end.
  ///   - newFile: the path of the file that may be made of one that comes over the line; nil for none.
  ///   - opening: opens the store. Called once.
  package init(
    reading input: Int32, writing output: Int32, newFile: String? = nil,
    _ opening: @escaping @Sendable (FarOptions) throws -> any StoreEngine
  ) {
    self.input = input
    session = FarSession(FarOutput(output), newFile: newFile, opening)
  }

  /// Answers calls until the line ends, and closes the store. Blocks.
  ///
  /// - Throws: `FarLineFault` for what is no message of this protocol.
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

  /// Begins what is asked for, and returns at once.
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
        return .goOn
      }
      work.run(type, body)
      return .goOn
    }
    if isNew { calls.read(work) }
    work.onCancel { calls.cancel() }
  }

  /// Answers a call in a transaction of its own, which is interrupted when the call is cancelled.
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
  /// The call, where it is one that begins to write rows; nil for all others.
  fileprivate static func decode<Call: FarCall>(
    _ type: Call.Type, ifBeginning body: Data
  ) throws -> (any FarRowsBeginning)? {
    guard type is any FarRowsBeginning.Type else { return nil }
    return try decode(type, body) as? any FarRowsBeginning
  }
}

extension FarSession {
  func greet(_ greeting: String) throws { try sendBytes(Data("\(greeting)\n".utf8)) }

  /// Says that nothing came of a call.
  func fail(_ id: UInt32, _ error: any Error) {
    // Where nobody reads, nobody waits.
    guard let body = try? FarBody.encode(FarFailure(error)) else { return }
    try? send(FarFrame(.failure, id, body))
  }
}

extension FarWork {
  /// - Throws: what the call throws.
  func body<Call: FarCall>(of call: Call) throws -> Data {
    let answer = try call.answer(in: self)
    // A file that is made has no store.
    let placement = (try? session.store)?.placement
    return try FarBody.encode(FarAnswered(answer: answer, placement: placement))
  }

  /// Does what a body asks for.
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
      // One that is too long has an answer, too.
      session.fail(id, error)
    }
  }

  func fail(_ error: any Error) {
    session.end(self)
    session.fail(id, error)
  }
}
