import Basics
import DatastoreCore
package import Foundation

/// The body of a message: JSON, followed by binary pieces for values that JSON represents badly.
///
/// Each piece follows its length in 4 bytes; the JSON is the first one. In the JSON, the number of a piece
/// stands for it (`FarBytes`).
package enum FarBody {
  /// - Throws: `EncodingError`.
  package static func encode(_ value: some Encodable) throws -> Data {
    let pieces = FarPieces([])
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    encoder.userInfo[FarPieces.key] = pieces
    // In an array, so that nil can be encoded, too.
    let json = try encoder.encode([value])
    var body = Data()
    for piece in [json] + pieces.taken {
      withUnsafeBytes(of: UInt32(piece.count)) { body.append(contentsOf: $0) }
      body.append(piece)
    }
    return body
  }

  /// - Throws: `FarLineFault` if the body is malformed.
  package static func decode<Value: Decodable>(_ type: Value.Type, _ body: Data) throws -> Value {
    var pieces: [Data] = []
    var rest = body[...]
    while rest.count >= 4 {
      let count = Int([UInt8](rest.prefix(4)).number(at: 0))
      guard count <= rest.count - 4 else { break }
      pieces.append(rest.dropFirst(4).prefix(count))
      rest = rest.dropFirst(4 + count)
    }
    guard rest.isEmpty, let json = pieces.first else {
      throw FarLineFault("a message is cut")
    }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    decoder.userInfo[FarPieces.key] = FarPieces(Array(pieces.dropFirst()))
    do {
      guard let value = try decoder.decode([Value].self, from: json).first else {
        throw FarLineFault("a message is empty")
      }
      return value
    } catch let fault as DecodingError {
      throw FarLineFault("a message is not understood: \(fault)")
    }
  }
}

/// The binary pieces of a message that is being encoded or decoded.
final class FarPieces: Sendable {
  // The initializer is failable only because of `RawRepresentable`; it accepts every text.
  static var key: CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: "pieces") else { trap("every text is a key") }
    return key
  }

  private let pieces: Lock<[Data]>

  init(_ pieces: [Data]) {
    self.pieces = Lock(pieces)
  }

  var taken: [Data] { pieces.withLock { $0 } }

  func add(_ piece: Data) -> Int {
    pieces.withLock {
      $0.append(piece)
      return $0.count - 1
    }
  }

  func piece(_ number: Int) -> Data? {
    pieces.withLock { $0.indices.contains(number) ? $0[number] : nil }
  }
}

/// Bytes in a message: a binary piece, whose number is in the JSON.
struct FarBytes: Codable {
  let data: Data

  init(_ data: Data) {
    self.data = data
  }

  init(from decoder: any Decoder) throws {
    let number = try decoder.singleValueContainer().decode(Int.self)
    guard let piece = (decoder.userInfo[FarPieces.key] as? FarPieces)?.piece(number) else {
      throw FarLineFault("a message lacks a part")
    }
    data = piece
  }

  func encode(to encoder: any Encoder) throws {
    guard let pieces = encoder.userInfo[FarPieces.key] as? FarPieces else {
      throw FarLineFault("bytes are written in messages only")
    }
    var container = encoder.singleValueContainer()
    try container.encode(pieces.add(data))
  }
}
