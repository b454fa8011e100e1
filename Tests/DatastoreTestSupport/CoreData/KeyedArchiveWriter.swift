import Foundation

/// Writes archives as `NSKeyedArchiver` does, for objects of any class: the form of a Core Data model.
///
/// Written from the descriptions of both formats, without any code of their readers.
package struct KeyedArchiveWriter {
  /// The value of an object under a name.
  package enum Member {
    case null
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    case bytes([UInt8])
    /// An object by its place.
    case object(Int)
    /// Objects by their places.
    case list([Int])
  }

  private var list = PropertyListWriter()
  /// By place, the number of the object in the property list.
  private var numbers: [Int] = []
  private var classes: [[String]: Int] = [:]
  private var texts: [String: Int] = [:]

  package init() { numbers = [list.text("$null")] }

  /// A place for an object that others refer to before it is known.
  package mutating func reserve() -> Int {
    numbers.append(0)
    return numbers.count - 1
  }

  package mutating func text(_ text: String) -> Int {
    if let place = texts[text] { return place }
    let place = put(list.text(text))
    texts[text] = place
    return place
  }

  /// A value as an object of its own.
  package mutating func value(_ member: Member) -> Int { put(number(of: member)) }

  /// An object with its class, its superclasses, and its members in their order.
  package mutating func object(
    _ names: [String], _ members: [(String, Member)], at reserved: Int? = nil
  ) -> Int {
    let described = described(names)
    let all = members + [("$class", .object(described))]
    let keys = all.map { list.text($0.0) }
    let values = all.map { number(of: $0.1) }
    return put(list.dictionary(keys, values), at: reserved)
  }

  package mutating func dictionary(_ entries: [(String, Int)]) -> Int {
    let keys = entries.map { text($0.0) }
    return object(
      ["NSDictionary"], [("NS.keys", .list(keys)), ("NS.objects", .list(entries.map(\.1)))])
  }

  /// The form with keys that several dictionaries share.
  package mutating func knownKeysDictionary(_ entries: [(String, Int)]) -> Int {
    let keys = entries.map { text($0.0) }
    let mapping = object(["NSKnownKeysMappingStrategy1"], [("keys", .list(keys))])
    return object(
      ["NSKnownKeysDictionary1"],
      [("searchMapping", .object(mapping)), ("values", .list(entries.map(\.1)))])
  }

  package mutating func array(_ places: [Int]) -> Int {
    object(["NSArray"], [("NS.objects", .list(places))])
  }

  /// The archive of one object.
  package mutating func archive(root: Int) -> [UInt8] {
    let top = list.dictionary([list.text("root")], [list.reference(root)])
    let keys = ["$version", "$archiver", "$top", "$objects"].map { list.text($0) }
    let values = [
      list.integer(100_000), list.text("NSKeyedArchiver"), top, list.array(numbers),
    ]
    let whole = list.dictionary(keys, values)
    return list.bytes(top: whole)
  }

  private mutating func put(_ number: Int, at reserved: Int? = nil) -> Int {
    guard let reserved else {
      numbers.append(number)
      return numbers.count - 1
    }
    numbers[reserved] = number
    return reserved
  }

  private mutating func described(_ names: [String]) -> Int {
    let names = names + ["NSObject"]
    if let place = classes[names] { return place }
    let keys = ["$classname", "$classes"].map { list.text($0) }
    let values = [list.text(names[0]), list.array(names.map { list.text($0) })]
    let place = put(list.dictionary(keys, values))
    classes[names] = place
    return place
  }

  private mutating func number(of member: Member) -> Int {
    switch member {
    case .null: list.reference(0)
    case .flag(let flag): list.flag(flag)
    case .integer(let integer): list.integer(integer)
    case .real(let real): list.real(real)
    case .bytes(let bytes): list.data(bytes)
    case .object(let place): list.reference(place)
    case .list(let places): list.array(places.map { list.reference($0) })
    }
  }
}

/// Writes binary property lists: objects one after the other, each of which refers to those before it.
private struct PropertyListWriter {
  private static let numberWidth = 4
  private var content = Array("bplist00".utf8)
  private var offsets: [Int] = []
  private var texts: [String: Int] = [:]

  mutating func flag(_ flag: Bool) -> Int { add([flag ? 0x09 : 0x08]) }

  mutating func integer(_ integer: Int64) -> Int { add([0x13] + Self.bytes(integer)) }

  mutating func real(_ real: Double) -> Int {
    add([0x23] + Self.bytes(Int64(bitPattern: real.bitPattern)))
  }

  mutating func reference(_ place: Int) -> Int { add([0x83] + Self.bytes(Int32(place))) }

  mutating func data(_ bytes: [UInt8]) -> Int { add(Self.head(0x40, bytes.count) + bytes) }

  mutating func text(_ text: String) -> Int {
    if let known = texts[text] { return known }
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let units = Array(text.utf16)
    let number = add(
      isASCII
        ? Self.head(0x50, text.utf8.count) + Array(text.utf8)
        : Self.head(0x60, units.count) + units.flatMap { Self.bytes(Int16(bitPattern: $0)) })
    texts[text] = number
    return number
  }

  mutating func array(_ numbers: [Int]) -> Int {
    add(Self.head(0xA0, numbers.count) + numbers.flatMap { Self.bytes(Int32($0)) })
  }

  mutating func dictionary(_ keys: [Int], _ values: [Int]) -> Int {
    add(Self.head(0xD0, keys.count) + (keys + values).flatMap { Self.bytes(Int32($0)) })
  }

  func bytes(top: Int) -> [UInt8] {
    let table = offsets.flatMap { Self.bytes(Int32($0)) }
    let trailer: [UInt8] =
      [0, 0, 0, 0, 0, 0, 4, UInt8(Self.numberWidth)] + Self.bytes(Int64(offsets.count))
      + Self.bytes(Int64(top)) + Self.bytes(Int64(content.count))
    return content + table + trailer
  }

  private mutating func add(_ bytes: [UInt8]) -> Int {
    offsets.append(content.count)
    content += bytes
    return offsets.count - 1
  }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0x0F, 0x12] + bytes(Int32(count))
  }

  private static func bytes(_ integer: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: integer.bigEndian) { Array($0) }
  }
}
