package import DatastoreCore
import Foundation

/// Something that is asked of the store at the far end: a value with what is needed for that, which is sent
/// there and does it there.
package protocol FarCall: Codable, Sendable {
  associatedtype Answer: Codable & Sendable

  /// Runs at the far end, on a thread of its own.
  ///
  /// - Throws: what is sent back in place of an answer.
  func answer(in work: FarWork) throws -> Answer
}

/// A call that reads in a transaction: one of its own, or one that was begun before.
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

/// A call that writes rows in a transaction that was begun before.
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

/// What is answered where there is nothing to say.
package struct FarNothing: Codable, Sendable {
  package init() {}
}

/// What the body of a call says before the call itself, apart from it: the thread that reads a line reads
/// this alone.
struct FarHead: Codable {
  /// Which call it is.
  let name: String
  /// The snapshot that is read; nil for the store.
  let reader: UInt32?
  /// The transaction that it is a part of; it begins with its first call.
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

  /// Reads the head of a body, and returns what is behind it: the call.
  ///
  /// - Throws: `FarLineFault` for what is no head.
  static func read(_ body: Data) throws -> (head: FarHead, call: Data) {
    let rest = body.dropFirst(4)
    let count = body.count >= 4 ? Int([UInt8](body.prefix(4)).number(at: 0)) : 0
    guard count <= rest.count else { throw FarLineFault("a message is cut") }
    return (try FarBody.decode(FarHead.self, rest.prefix(count)), rest.dropFirst(count))
  }
}

/// What a call answers, with what is sent beside every answer.
struct FarAnswered<Answer: Codable & Sendable>: Codable, Sendable {
  let answer: Answer
  /// Where rows lie; see `ObjectStore.placement`.
  let placement: Int64?
}
