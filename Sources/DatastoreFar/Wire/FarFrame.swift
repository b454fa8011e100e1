import CZlib
package import Foundation

/// One message on a line: `Documentation/FarFiles.md` has its bytes.
package struct FarFrame: Sendable {
  package enum Kind: UInt8, Sendable {
    /// What is asked for, from here to there.
    case call = 1
    /// What came of a call; its last message.
    case answer
    /// Why nothing came of it; its last message.
    case failure
    /// A part of an answer that comes piece by piece.
    case part
    /// From here: another part is wanted.
    case more
    /// From here: nothing is wanted any more of that call.
    case cancel
    /// From here: a transaction or what else a call has begun is over.
    case end
    /// How far a call has come.
    case progress
    /// From there, of no call: someone else may have written.
    case changed
    /// Of no call: is the other end there? It sends the same back.
    case alive
  }

  package let kind: Kind
  /// The call that it is about.
  package let id: UInt32
  package let body: Data

  package init(_ kind: Kind, _ id: UInt32, _ body: Data = Data()) {
    self.kind = kind
    self.id = id
    self.body = body
  }

  /// Nothing longer is sent or taken.
  package static let mostBytes = 512 << 20
  /// Shorter bodies are not worth their compression.
  private static let leastCompressed = 1024

  /// Length, kind, whether it is compressed, and the call.
  static let headSize = 10

  /// The bytes of the message.
  ///
  /// - Parameter isCompressing: whether a body that becomes much smaller by that is compressed.
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

  /// Reads one message.
  ///
  /// - Parameter read: fills all of a buffer; false at the end.
  /// - Returns: nil where the line ends between two messages.
  /// - Throws: `FarLineFault` for what is no message.
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

  /// - Returns: nil where that saves less than an eighth.
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
  /// The number in four bytes, the least one first.
  func number(at place: Int) -> UInt32 {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
  }
}

/// What is wrong with a line: the end of a sentence.
package struct FarLineFault: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
