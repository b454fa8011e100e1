/// A binary property list (`bplist00`), read object by object in place.
///
/// Foundation's reader creates all nested objects at once, and does not reveal the references of a keyed
/// archive. This reader creates nothing before it is asked for, so neither depth nor cycles matter, and
/// checks each number before using it.
struct BinaryPropertyList {
  /// One object. Containers hold the numbers of their objects.
  enum Node {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case data(ArraySlice<UInt8>)
    case text(String)
    /// A reference of a keyed archive: the index of an object in its list.
    case reference(Int)
    case array(Numbers)
    case dictionary(keys: Numbers, values: Numbers)
  }

  /// Numbers of objects, as stored in the file.
  struct Numbers {
    fileprivate let start: Int
    let count: Int
  }

  /// The number of the root object.
  let top: Int
  private let bytes: [UInt8]
  private let count: Int
  private let offsets: Int
  private let offsetWidth: Int
  private let numberWidth: Int

  /// - Throws: `CoreDataModelFault` if the bytes are not a property list, or are inconsistent.
  init(_ bytes: [UInt8]) throws {
    let trailer = bytes.count - 32
    guard trailer >= 8, bytes.starts(with: "bplist0".utf8) else {
      throw CoreDataModelFault.notAPropertyList
    }
    self.bytes = bytes
    offsetWidth = Int(bytes[trailer + 6])
    numberWidth = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(numberWidth) else {
      throw CoreDataModelFault.damagedPropertyList
    }
    count = try Self.number(in: bytes, at: trailer + 8, width: 8)
    top = try Self.number(in: bytes, at: trailer + 16, width: 8)
    offsets = try Self.number(in: bytes, at: trailer + 24, width: 8)
    guard top < count, offsets <= trailer, count <= (trailer - offsets) / offsetWidth else {
      throw CoreDataModelFault.damagedPropertyList
    }
  }

  /// The object with a number. O(1); for text O(length).
  ///
  /// - Throws: `CoreDataModelFault` if there is none.
  func node(_ number: Int) throws -> Node {
    guard (0..<count).contains(number) else { throw CoreDataModelFault.damagedPropertyList }
    let offset = try self.number(at: offsets + number * offsetWidth, width: offsetWidth)
    guard offset < offsets else { throw CoreDataModelFault.damagedPropertyList }
    let low = Int(bytes[offset] & 0x0F)
    let start = offset + 1
    switch bytes[offset] >> 4 {
    case 0x0: return low == 8 || low == 9 ? .boolean(low == 9) : .null
    case 0x1: return .integer(try integer(at: start, exponent: low))
    case 0x2: return .real(try real(at: start, exponent: low))
    case 0x3: return .date(try real(at: start, exponent: 3))
    case 0x4: return .data(try content(low, at: start, width: 1))
    case 0x5: return .text(String(decoding: try content(low, at: start, width: 1), as: UTF8.self))
    case 0x6: return .text(Self.text(ofUTF16: try content(low, at: start, width: 2)))
    case 0x8: return .reference(try self.number(at: start, width: low + 1))
    case 0xA, 0xC:
      let (start, count) = try extent(low, at: start, width: numberWidth)
      return .array(Numbers(start: start, count: count))
    case 0xD:
      let (start, count) = try extent(low, at: start, width: numberWidth * 2)
      return .dictionary(
        keys: Numbers(start: start, count: count),
        values: Numbers(start: start + count * numberWidth, count: count))
    default: throw CoreDataModelFault.damagedPropertyList
    }
  }

  /// The integer of a name in the root dictionary; nil if it has none.
  func integer(_ name: String) throws -> Int64? {
    guard case .dictionary(let keys, let values) = try node(top) else { return nil }
    for place in 0..<keys.count {
      guard case .text(name) = try node(number(place, of: keys)) else { continue }
      if case .integer(let integer) = try node(number(place, of: values)) { return integer }
    }
    return nil
  }

  /// One of the numbers in a container. O(1).
  ///
  /// - Throws: `CoreDataModelFault` if there is none at that index.
  func number(_ place: Int, of numbers: Numbers) throws -> Int {
    guard (0..<numbers.count).contains(place) else { throw CoreDataModelFault.damagedPropertyList }
    return try number(at: numbers.start + place * numberWidth, width: numberWidth)
  }
}

extension BinaryPropertyList {
  /// An unsigned number, big-endian.
  private static func number(in bytes: [UInt8], at start: Int, width: Int) throws -> Int {
    guard start >= 0, width <= 8, start <= bytes.count - width else {
      throw CoreDataModelFault.damagedPropertyList
    }
    var number: UInt64 = 0
    for place in start..<start + width { number = number << 8 | UInt64(bytes[place]) }
    guard let number = Int(exactly: number) else { throw CoreDataModelFault.damagedPropertyList }
    return number
  }

  private func number(at start: Int, width: Int) throws -> Int {
    try Self.number(in: bytes, at: start, width: width)
  }

  private func bits(at start: Int, exponent: Int) throws -> UInt64 {
    let width = 1 << exponent
    guard width <= 8, start <= offsets - width else {
      throw CoreDataModelFault.damagedPropertyList
    }
    return bytes[start..<start + width].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func integer(at start: Int, exponent: Int) throws -> Int64 {
    // Of sixteen bytes, the last eight: no model has a greater number.
    exponent == 4
      ? Int64(bitPattern: try bits(at: start + 8, exponent: 3))
      : Int64(bitPattern: try bits(at: start, exponent: exponent))
  }

  private func real(at start: Int, exponent: Int) throws -> Double {
    switch exponent {
    case 2: return Double(Float(bitPattern: UInt32(try bits(at: start, exponent: 2))))
    case 3: return Double(bitPattern: try bits(at: start, exponent: 3))
    default: throw CoreDataModelFault.damagedPropertyList
    }
  }

  /// The start of an object's content, and the number of its parts of a width.
  private func extent(_ low: Int, at start: Int, width: Int) throws -> (start: Int, count: Int) {
    var (start, count) = (start, low)
    if low == 0x0F {
      // A greater count is an integer of its own.
      guard start < offsets, bytes[start] >> 4 == 0x1 else {
        throw CoreDataModelFault.damagedPropertyList
      }
      let exponent = Int(bytes[start] & 0x0F)
      guard exponent <= 3 else { throw CoreDataModelFault.damagedPropertyList }
      count = try number(at: start + 1, width: 1 << exponent)
      start += 1 + (1 << exponent)
    }
    guard start <= offsets, count <= (offsets - start) / width else {
      throw CoreDataModelFault.damagedPropertyList
    }
    return (start, count)
  }

  private func content(_ low: Int, at start: Int, width: Int) throws -> ArraySlice<UInt8> {
    let (start, count) = try extent(low, at: start, width: width)
    return bytes[start..<start + count * width]
  }

  private static func text(ofUTF16 bytes: ArraySlice<UInt8>) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }
}
