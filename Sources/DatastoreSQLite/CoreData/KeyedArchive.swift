/// Reads the output of `NSKeyedArchiver` without creating an object of any class.
///
/// An archive is a list of objects that refer to each other by their indices; all may refer to all others,
/// also in cycles. A reader asks for one member after the other, and each answer costs a step: the number of
/// steps is limited to what the greatest models need.
final class KeyedArchive {
  private let list: BinaryPropertyList
  private let objects: BinaryPropertyList.Numbers
  private var steps: Int
  /// The names of members by the numbers of their objects: the same ones occur in each object.
  private var names: [Int: String] = [:]

  /// The greatest number of members and elements to read. The greatest known models need 200,000.
  static let mostSteps = 5_000_000

  /// - Throws: `CoreDataModelFault` if the bytes are not an archive.
  init(_ bytes: [UInt8], mostSteps: Int = KeyedArchive.mostSteps) throws {
    list = try BinaryPropertyList(bytes)
    steps = mostSteps
    objects = try Self.objects(of: list)
  }

  /// The objects of the archive in a property list.
  ///
  /// - Throws: `CoreDataModelFault` if it is not an archive.
  static func objects(of list: BinaryPropertyList) throws -> BinaryPropertyList.Numbers {
    guard case .dictionary(let keys, let values) = try list.node(list.top) else {
      throw CoreDataModelFault.notAnArchive
    }
    for place in 0..<min(keys.count, 16) {
      guard case .text("$objects") = try list.node(list.number(place, of: keys)),
        case .array(let objects) = try list.node(list.number(place, of: values))
      else { continue }
      return objects
    }
    throw CoreDataModelFault.notAnArchive
  }

  /// The archived object.
  ///
  /// - Throws: `CoreDataModelFault` if there is none.
  func root() throws -> ArchivedObject {
    let top = try ArchivedObject(archive: self, number: list.top).member("$top")
    guard let root = try top?.member("root") else { throw CoreDataModelFault.notAnArchive }
    return root
  }

  private func spend(_ count: Int = 1) throws {
    steps -= count
    if steps < 0 { throw CoreDataModelFault.tooGreat }
  }
}

extension KeyedArchive {
  fileprivate func node(_ number: Int) throws -> BinaryPropertyList.Node {
    try spend()
    let node = try list.node(number)
    // Long texts and bytes cost more than short ones.
    switch node {
    case .text(let text): try spend(text.utf8.count / 64)
    case .data(let data): try spend(data.count / 64)
    default: break
    }
    return node
  }

  /// The object of a value or a reference; nil for none.
  fileprivate func object(_ number: Int) throws -> ArchivedObject? {
    guard case .reference(let place) = try node(number) else {
      return ArchivedObject(archive: self, number: number)
    }
    // The first object stands for nil.
    if place == 0 { return nil }
    return ArchivedObject(archive: self, number: try list.number(place, of: objects))
  }

  fileprivate func member(_ name: String, of number: Int) throws -> ArchivedObject? {
    guard case .dictionary(let keys, let values) = try node(number) else { return nil }
    for place in 0..<keys.count {
      try spend()
      if try self.name(list.number(place, of: keys)) == name {
        return try object(list.number(place, of: values))
      }
    }
    return nil
  }

  private func name(_ number: Int) throws -> String? {
    if let name = names[number] { return name }
    guard case .text(let name) = try node(number) else { return nil }
    names[number] = name
    return name
  }

  fileprivate func list(_ numbers: BinaryPropertyList.Numbers) throws -> [ArchivedObject?] {
    try spend(numbers.count)
    return try (0..<numbers.count).map { try object(list.number($0, of: numbers)) }
  }
}

/// One object of an archive: a value, or a set of members.
struct ArchivedObject {
  fileprivate let archive: KeyedArchive
  fileprivate let number: Int

  /// A member by its name; nil if it is missing or nil.
  func member(_ name: String) throws -> ArchivedObject? {
    try archive.member(name, of: number)
  }

  /// Its class and superclasses, from its class up; empty for values.
  func classNames() throws -> [String] {
    guard let described = try member("$class") else { return [] }
    let names = try described.member("$classes")?.elements().compactMap { try $0.text() } ?? []
    if !names.isEmpty { return names }
    return try described.member("$classname")?.text().map { [$0] } ?? []
  }

  /// A text, or an object that represents one.
  func text() throws -> String? {
    if case .text(let text) = try archive.node(number) { return text }
    guard let content = try member("NS.string"),
      case .text(let text) = try archive.node(content.number)
    else { return nil }
    return text
  }

  func integer() throws -> Int64? {
    switch try archive.node(number) {
    case .integer(let integer): integer
    case .boolean(let flag): flag ? 1 : 0
    case .real(let real): Int64(exactly: real)
    default: nil
    }
  }

  func flag() throws -> Bool { try integer() ?? 0 != 0 }

  /// A number, or an object that represents one.
  func real() throws -> Double? {
    switch try archive.node(number) {
    case .integer(let integer): Double(integer)
    case .real(let real) where real.isFinite: real
    case .date(let seconds) where seconds.isFinite: seconds
    default: nil
    }
  }

  /// Seconds since 2001.
  func date() throws -> Double? { try real() ?? member("NS.time")?.real() }

  /// The elements of an array or a set, without nil.
  func elements() throws -> [ArchivedObject] { try places().compactMap(\.self) }

  /// The entries of a dictionary by their keys, without those that have no text key.
  func entries() throws -> [(key: String, value: ArchivedObject)] {
    var (keys, values) = (try member("NS.keys"), try member("NS.objects"))
    if keys == nil {
      // `NSKnownKeysDictionary1`: several of them share a list of keys, and some have no value.
      (keys, values) = (try member("searchMapping")?.member("keys"), try member("values"))
    }
    guard let keys, let values else { return [] }
    return try zip(keys.places(), values.places()).compactMap { key, value in
      guard let key = try key?.text(), let value else { return nil }
      return (key, value)
    }
  }

  /// The elements of an array or a set by their indices.
  private func places() throws -> [ArchivedObject?] {
    if case .array(let numbers) = try archive.node(number) { return try archive.list(numbers) }
    guard let content = try member("NS.objects"),
      case .array(let numbers) = try archive.node(content.number)
    else { return [] }
    return try archive.list(numbers)
  }
}
