package import DatastoreCore
import Foundation

/// A request to the store at the far end: a value with its parameters, which is sent there and executes
/// itself there.
package protocol FarCall: Codable, Sendable {
  associatedtype Answer: Codable & Sendable

  /// Executes the call. Runs at the far end, on its own thread.
  ///
  /// - Throws: the error to send instead of an answer.
  func answer(in work: FarWork) throws -> Answer
}

/// A call that reads in a transaction: its own, or one begun before.
package protocol FarReadingCall: FarCall {
  func answer(in transaction: any ReadTransaction, of work: FarWork) throws -> Answer
}

extension FarReadingCall {
  package func answer(in work: FarWork) throws -> Answer {
    guard let transaction = work.transaction else {
      return try work.reader.readTransaction { try answer(in: $0, of: work) }
    }
    return try answer(in: transaction, of: work)
  }
}

/// A call that writes rows in a transaction begun before.
package protocol FarRowsCall: FarCall {
  func answer(to rows: any RowTransaction, of work: FarWork) throws -> Answer
}

extension FarRowsCall {
  package func answer(in work: FarWork) throws -> Answer {
    guard let rows = work.rows else { throw FarLineFault("no rows are being written") }
    return try answer(to: rows, of: work)
  }
}

/// The first call of a transaction that writes rows.
package protocol FarRowsBeginning: FarCall where Answer == FarNothing {
  var entity: EntityIndex { get }
  var key: Slot? { get }
}

/// The answer of calls that have no result.
package struct FarNothing: Codable, Sendable {
  package init() {}
}

/// The start of the body of a call. It is separate because the thread that reads a line decodes only this.
struct FarHead: Codable {
  /// The name of the call's type.
  let name: String
  /// The snapshot to read; nil for the store.
  let reader: UInt32?
  /// The transaction that the call belongs to; its first call begins it.
  let transaction: UInt32?
}

extension FarHead {
  /// The body of a call: the length of the head in 4 bytes, the head, and the call.
  ///
  /// - Throws: `EncodingError`.
  func body(with call: some FarCall) throws -> Data {
    let head = try FarBody.encode(self)
    var body = Data()
    withUnsafeBytes(of: UInt32(head.count)) { body.append(contentsOf: $0) }
    body.append(head)
    body.append(try FarBody.encode(call))
    return body
  }

  /// Reads the head of a body, and returns the rest: the encoded call.
  ///
  /// - Throws: `FarLineFault` if the head is malformed.
  static func read(_ body: Data) throws -> (head: FarHead, call: Data) {
    let rest = body.dropFirst(4)
    let count = body.count >= 4 ? Int([UInt8](body.prefix(4)).number(at: 0)) : 0
    guard count <= rest.count else { throw FarLineFault("a message is cut") }
    return (try FarBody.decode(FarHead.self, rest.prefix(count)), rest.dropFirst(count))
  }
}

/// The answer of a call, with the state that accompanies every answer.
struct FarAnswered<Answer: Codable & Sendable>: Codable, Sendable {
  let answer: Answer
  /// The placement of rows; see `ObjectStore.placement`.
  let placement: Int64?
}
