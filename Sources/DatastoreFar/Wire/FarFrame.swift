import CZlib
package import Foundation

/// A message on a line; `Documentation/FarFiles.md` describes its bytes.
package struct FarFrame: Sendable {
  package enum Kind: UInt8, Sendable {
    /// To the far end: a call.
    case call = 1
    /// To the near end: the answer of a call, which ends it.
    case answer
    /// To the near end: the error of a call, which ends it.
    case failure
    /// To the near end: a part of an answer that arrives in parts.
    case part
    /// To the far end: the call may send another part.
    case more
    /// To the far end: the answer of the call is no longer needed.
    case cancel
    /// To the far end: ends a transaction, a snapshot or a baseline.
    case end
    /// To the near end: the progress of a call.
    case progress
    /// To the near end, not about a call: someone else may have written.
    case changed
    /// Not about a call: a request for a sign of life. The far end sends it back.
    case alive
  }

  package let kind: Kind
  /// The number of the call.
  package let id: UInt32
  package let body: Data

  package init(_ kind: Kind, _ id: UInt32, _ body: Data = Data()) {
    self.kind = kind
    self.id = id
    self.body = body
  }

  /// The greatest length of a body that is sent or accepted.
  package static let mostBytes = 512 << 20
  /// The least length of a body for which compression pays.
  private static let leastCompressed = 1024

  /// The size of the length, the kind, the compression flag and the number of the call.
  static let headSize = 10

  ///
  /// - Parameter isCompressing: whether to compress a body that becomes much smaller.
  package func bytes(isCompressing: Bool) -> Data {
    var body = body
    var inflated: UInt32 = 0
    if isCompressing, body.count >= Self.leastCompressed, let less = Self.compressed(body) {
      inflated = UInt32(body.count)
      body = less
    }
    var data = Data(capacity: Self.headSize + body.count + 4)
    let length = UInt32(body.count + (inflated > 0 ? 4 : 0))
    withUnsafeBytes(of: length) { data.append(contentsOf: $0) }
    data.append(kind.rawValue)
    data.append(inflated > 0 ? 1 : 0)
    withUnsafeBytes(of: id) { data.append(contentsOf: $0) }
    if inflated > 0 { withUnsafeBytes(of: inflated) { data.append(contentsOf: $0) } }
    data.append(body)
    return data
  }

  ///
  /// - Parameter read: fills a whole buffer; returns false at the end of the line.
  /// - Returns: nil if the line ends between two messages.
  /// - Throws: `FarLineFault` if the message is malformed.
  package static func read(
    _ read: (UnsafeMutableRawBufferPointer) throws -> Bool
  ) throws -> FarFrame? {
    var head = [UInt8](repeating: 0, count: headSize)
    guard try head.withUnsafeMutableBytes(read) else { return nil }
    let length = Int(head.number(at: 0))
    guard let kind = Kind(rawValue: head[4]), head[5] <= 1, length <= mostBytes else {
      throw FarLineFault("what came is no message of datastore")
    }
    var body = Data(count: length)
    if length > 0, try !body.withUnsafeMutableBytes(read) {
      throw FarLineFault("it ended in the middle of a message")
    }
    if head[5] == 1 { body = try inflated(body) }
    return FarFrame(kind, head.number(at: 6), body)
  }

  /// - Returns: nil if compression saves less than an eighth.
  private static func compressed(_ body: Data) -> Data? {
    var count = uLong(body.count - body.count / 8)
    var less = Data(count: Int(count))
    let code = less.withUnsafeMutableBytes { to in
      body.withUnsafeBytes { from in
        compress2(
          to.bindMemory(to: UInt8.self).baseAddress, &count,
          from.bindMemory(to: UInt8.self).baseAddress, uLong(from.count), 1)
      }
    }
    return code == Z_OK ? less.prefix(Int(count)) : nil
  }

  private static func inflated(_ body: Data) throws -> Data {
    let count = body.count >= 4 ? Int([UInt8](body.prefix(4)).number(at: 0)) : 0
    guard count > 0, count <= mostBytes else {
      throw FarLineFault("what came is no message of datastore")
    }
    var whole = Data(count: count)
    var length = uLong(count)
    let code = whole.withUnsafeMutableBytes { to in
      body.dropFirst(4).withUnsafeBytes { from in
        uncompress(
          to.bindMemory(to: UInt8.self).baseAddress, &length,
          from.bindMemory(to: UInt8.self).baseAddress, uLong(from.count))
      }
    }
    guard code == Z_OK, Int(length) == count else {
      throw FarLineFault("a message cannot be uncompressed")
    }
    return whole
  }
}

extension [UInt8] {
  /// The little-endian number in four bytes.
  func number(at place: Int) -> UInt32 {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
  }
}

/// The fault of a line, as the end of a sentence.
package struct FarLineFault: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
