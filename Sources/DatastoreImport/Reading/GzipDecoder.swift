/// Text that gzip has compressed (RFC 1952, whose compression is that of RFC 1951), as it comes out of it piece
/// by piece. Files may be several, one behind the other, as gzip itself reads them; what follows and is none is
/// left out.
///
/// Memory is that of one piece and the 32 kB that compressed data may refer back to.
struct GzipDecoder {
  /// Why the data cannot be read: a part of a sentence.
  struct Fault: Error, Equatable {
    let reason: String

    static let truncated = Fault(reason: "its compressed data ends too early")
    static let damaged = Fault(reason: "its compressed data is damaged")
  }

  private enum State {
    case header
    case block
    case stored(Int)
    case codes
    case trailer
    case end
  }

  /// Reads more compressed bytes; none at the end.
  private let receive: () throws -> [UInt8]
  private var input: [UInt8]
  private var position = 0
  /// How many compressed bytes were received.
  private(set) var receivedCount: Int

  private var bits: UInt64 = 0
  private var bitCount = 0
  private var state = State.header
  private var isLastBlock = false
  private var isFirstFile = true
  private var literals = HuffmanCode.fixedLiterals
  private var distances = HuffmanCode.fixedDistances
  /// What is still to be copied from before.
  private var matchLength = 0
  private var matchDistance = 0

  private static let historySize = 1 << 15
  private var history = [UInt8](repeating: 0, count: historySize)
  /// Bytes of this file so far.
  private var outputCount = 0
  private var checksum: UInt32 = ~0

  /// Whether data begins like that of gzip.
  static func isMeant(by bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: [0x1F, 0x8B, 0x08])
  }

  /// - Parameters:
  ///   - input: the first compressed bytes.
  ///   - receive: reads more of them; none at the end.
  init(_ input: [UInt8], receive: @escaping () throws -> [UInt8]) {
    self.input = input
    self.receive = receive
    receivedCount = input.count
  }

  /// Decodes the next bytes.
  ///
  /// - Returns: how many; 0 at the end.
  /// - Throws: `Fault`, and what receiving throws.
  mutating func decode(into output: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    var count = 0
    var checked = 0
    loop: while count < output.count {
      switch state {
      case .end: break loop
      case .header: try readHeader()
      case .block: try readBlockHeader()
      case .stored(let left):
        guard left > 0 else {
          state = isLastBlock ? .trailer : .block
          continue
        }
        append(UInt8(try take(8)), output, &count)
        state = .stored(left - 1)
      case .codes: try readCodes(output, &count)
      case .trailer:
        checksum = Checksum.updated(checksum, output, checked..<count)
        checked = count
        try readTrailer()
      }
    }
    checksum = Checksum.updated(checksum, output, checked..<count)
    return count
  }

  @inline(__always)
  private mutating func append(
    _ byte: UInt8, _ output: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
  ) {
    output[count] = byte
    history[outputCount & (Self.historySize - 1)] = byte
    count += 1
    outputCount += 1
  }

  private mutating func readCodes(
    _ output: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
  ) throws {
    while count < output.count {
      if matchLength > 0 {
        append(history[(outputCount - matchDistance) & (Self.historySize - 1)], output, &count)
        matchLength -= 1
        continue
      }
      let symbol = try symbol(literals)
      if symbol < 256 {
        append(UInt8(symbol), output, &count)
      } else if symbol == 256 {
        state = isLastBlock ? .trailer : .block
        return
      } else {
        try readMatch(symbol - 257)
      }
    }
  }

  private mutating func readMatch(_ length: Int) throws {
    guard length < Self.lengths.count else { throw Fault.damaged }
    matchLength = Self.lengths[length].base + (try take(Self.lengths[length].extra))
    let distance = try symbol(distances)
    guard distance < Self.offsets.count else { throw Fault.damaged }
    matchDistance = Self.offsets[distance].base + (try take(Self.offsets[distance].extra))
    guard matchDistance <= outputCount else { throw Fault.damaged }
  }

  private mutating func readBlockHeader() throws {
    isLastBlock = try take(1) == 1
    switch try take(2) {
    case 0:
      // Stored bytes begin with a byte.
      drop(bitCount & 7)
      let length = try take(16)
      guard try take(16) == ~length & 0xFFFF else { throw Fault.damaged }
      state = .stored(length)
    case 1:
      (literals, distances) = (.fixedLiterals, .fixedDistances)
      state = .codes
    case 2:
      try readCodeLengths()
      state = .codes
    default: throw Fault.damaged
    }
  }

  private mutating func readCodeLengths() throws {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let orderCount = try take(4) + 4
    var order = [UInt8](repeating: 0, count: 19)
    for index in 0..<orderCount { order[Self.codeOrder[index]] = UInt8(try take(3)) }
    guard let code = HuffmanCode(order) else { throw Fault.damaged }
    var lengths: [UInt8] = []
    while lengths.count < literalCount + distanceCount {
      switch try symbol(code) {
      case let length where length < 16: lengths.append(UInt8(length))
      case 16:
        guard let last = lengths.last else { throw Fault.damaged }
        lengths += Array(repeating: last, count: try take(2) + 3)
      case 17: lengths += Array(repeating: 0, count: try take(3) + 3)
      default: lengths += Array(repeating: 0, count: try take(7) + 11)
      }
    }
    guard lengths.count == literalCount + distanceCount,
      let literals = HuffmanCode(Array(lengths[..<literalCount])),
      let distances = HuffmanCode(Array(lengths[literalCount...]))
    else { throw Fault.damaged }
    (self.literals, self.distances) = (literals, distances)
  }

  private mutating func readHeader() throws {
    drop(bitCount & 7)
    let magic = [try takeByte(), try takeByte(), try takeByte()].compactMap(\.self)
    guard Self.isMeant(by: magic) else {
      if isFirstFile { throw Fault.damaged }
      // Files are filled up with zeros, on tapes, say.
      state = .end
      return
    }
    let flags = try take(8)
    for _ in 0..<6 { _ = try take(8) }
    if flags & 4 != 0 {
      for _ in 0..<(try take(16)) { _ = try take(8) }
    }
    // The name and a remark, each with a zero at its end.
    for flag in [8, 16] where flags & flag != 0 {
      while try take(8) != 0 {}
    }
    if flags & 2 != 0 { _ = try take(16) }
    (outputCount, checksum, isFirstFile) = (0, ~0, false)
    state = .block
  }

  private mutating func readTrailer() throws {
    drop(bitCount & 7)
    let expected = try take(16) | take(16) << 16
    let length = try take(16) | take(16) << 16
    guard UInt32(expected) == ~checksum, UInt32(length) == UInt32(truncatingIfNeeded: outputCount)
    else { throw Fault.damaged }
    state = .header
  }
}

/// Bits in the order of RFC 1951: the first is the least of its byte.
extension GzipDecoder {
  @inline(__always)
  private mutating func symbol(_ code: HuffmanCode) throws -> Int {
    if bitCount < HuffmanCode.longest { try fill() }
    let entry = code.entries[Int(bits) & code.mask]
    let length = Int(entry & 15)
    guard length > 0 else { throw Fault.damaged }
    guard length <= bitCount else { throw Fault.truncated }
    drop(length)
    return Int(entry >> 4)
  }

  @inline(__always)
  private mutating func take(_ count: Int) throws -> Int {
    if bitCount < count {
      try fill()
      guard bitCount >= count else { throw Fault.truncated }
    }
    let value = Int(bits & (1 << UInt64(count) - 1))
    drop(count)
    return value
  }

  /// The next byte; nil at the end.
  private mutating func takeByte() throws -> UInt8? {
    if bitCount < 8 { try fill() }
    return bitCount < 8 ? nil : UInt8(try take(8))
  }

  @inline(__always)
  private mutating func drop(_ count: Int) {
    bits >>= UInt64(count)
    bitCount -= count
  }

  /// Takes in as many bits as there is room for; at the end, those that are left.
  private mutating func fill() throws {
    while bitCount <= 48 {
      if position == input.count {
        input = try receive()
        position = 0
        receivedCount += input.count
        if input.isEmpty { return }
      }
      bits |= UInt64(input[position]) << UInt64(bitCount)
      position += 1
      bitCount += 8
    }
  }

  /// What a symbol stands for: a number, and how many bits follow that are added to it.
  private typealias Step = (base: Int, extra: Int)

  private static let lengths: [Step] =
    steps(from: 3, extras: [0, 0, 0, 0] + (0..<6).flatMap { [$0, $0, $0, $0] }) + [(258, 0)]

  private static let offsets: [Step] =
    steps(from: 1, extras: [0, 0] + (0..<14).flatMap { [$0, $0] })

  private static func steps(from first: Int, extras: [Int]) -> [Step] {
    var base = first
    return extras.map { extra in
      defer { base += 1 << extra }
      return (base, extra)
    }
  }

  private static let codeOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
}

/// A code of RFC 1951, section 3.2.2: the next bits of the input say which symbol comes, and of how many bits it
/// is.
struct HuffmanCode {
  /// Bits of the longest code.
  static let longest = 15

  /// By the next bits: symbol, and in the last four bits how many of them it is; 0 for those that are none.
  let entries: [UInt16]
  let mask: Int

  /// - Parameter lengths: bits by symbol; 0 for those that do not occur.
  /// - Returns: nil where there are more codes than bits can distinguish.
  init?(_ lengths: [UInt8]) {
    let width = max(1, Int(lengths.max() ?? 0))
    var counts = [Int](repeating: 0, count: Self.longest + 1)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [Int](repeating: 0, count: Self.longest + 1)
    var code = 0
    for length in 1...Self.longest {
      code = (code + counts[length - 1]) << 1
      next[length] = code
      guard code + counts[length] <= 1 << length else { return nil }
    }
    var entries = [UInt16](repeating: 0, count: 1 << width)
    for (symbol, bits) in lengths.enumerated() where bits > 0 {
      let length = Int(bits)
      // Codes come with their first bit first, which is the least of the input's.
      var reversed = 0
      for bit in 0..<length where next[length] & (1 << bit) != 0 {
        reversed |= 1 << (length - 1 - bit)
      }
      next[length] += 1
      for index in stride(from: reversed, to: 1 << width, by: 1 << length) {
        entries[index] = UInt16(symbol << 4 | length)
      }
    }
    self.entries = entries
    mask = entries.count - 1
  }

  /// For lengths that are known to make a code.
  private init(known lengths: [UInt8]) {
    guard let code = HuffmanCode(lengths) else { preconditionFailure("a fixed code is one") }
    self = code
  }

  static let fixedLiterals = HuffmanCode(
    known: [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
      + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8))
  static let fixedDistances = HuffmanCode(known: [UInt8](repeating: 5, count: 30))
}

/// The checksum of gzip, CRC-32.
private enum Checksum {
  static func updated(
    _ checksum: UInt32, _ bytes: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>
  ) -> UInt32 {
    var checksum = checksum
    for index in range {
      checksum = table[Int((checksum ^ UInt32(bytes[index])) & 0xFF)] ^ checksum >> 8
    }
    return checksum
  }

  private static let table = (0..<256 as Range<UInt32>).map { byte in
    (0..<8).reduce(byte) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }
}
