package import Foundation

/// The content of an archive as the lines of a tree; usually the result of a value transformer.
///
/// Creates none of its objects and looks up no class that it names. Depth and number of lines are limited,
/// and an object that leads back to itself is shown once.
package struct ArchiveOutline {
  package private(set) var lines: [String] = []
  private let list: BinaryPropertyList
  private let objects: BinaryPropertyList.Numbers?
  /// The objects that contain the present one.
  private var path: [Int] = []

  /// The remaining numbers of steps and of bytes to write.
  private var (steps, room) = (2_000_000, 4_000_000)

  private static let most = (depth: 40, bytes: 32)
  /// The size of the largest archive that is read.
  package static let mostBytes = 16 << 20

  /// nil for anything but a binary property list. O(lines).
  package init?(_ data: Data) {
    guard data.count <= Self.mostBytes, data.starts(with: Array("bplist0".utf8)),
      let list = try? BinaryPropertyList(Array(data))
    else { return nil }
    self.list = list
    objects = try? KeyedArchive.objects(of: list)
    do {
      if objects != nil {
        for (name, number) in try members(of: list.top) where name == "$top" {
          let roots = try members(of: number)
          for (name, number) in roots {
            try add(roots.count > 1 || name != "root" ? "\(name): " : "", number, depth: 0)
          }
        }
      } else {
        try add("", list.top, depth: 0)
      }
    } catch let fault as CoreDataModelFault where fault == .tooGreat {
      lines.append("(and more)")
    } catch {
      lines.append("(the rest is damaged)")
    }
    if lines.isEmpty { return nil }
  }

  private mutating func spend(_ count: Int) throws {
    steps -= count
    if steps < 0 || room < 0 { throw CoreDataModelFault.tooGreat }
  }

  private mutating func write(_ line: String) throws {
    lines.append(line)
    room -= line.utf8.count + 1
    try spend(1)
  }

  /// The entries of a dictionary that have text keys.
  private mutating func members(of number: Int) throws -> [(name: String, number: Int)] {
    guard case .dictionary(let keys, let values) = try list.node(number) else { return [] }
    try spend(keys.count)
    return try (0..<keys.count).compactMap { place in
      guard case .text(let name) = try list.node(list.number(place, of: keys)) else { return nil }
      return (name, try list.number(place, of: values))
    }
  }

  private mutating func add(_ label: String, _ number: Int, depth: Int) throws {
    let stem = String(repeating: "  ", count: depth) + label
    var number = number
    if case .reference(let place) = try list.node(number), let objects {
      if place == 0 { return try write(stem + "nil") }
      number = try list.number(place, of: objects)
    }
    if path.contains(number) { return try write(stem + "(an object that this is in)") }
    if path.count >= Self.most.depth { return try write(stem + "(and deeper)") }
    path.append(number)
    defer { path.removeLast() }
    switch try list.node(number) {
    case .null: try write(stem + "nil")
    case .boolean(let flag): try write(stem + (flag ? "true" : "false"))
    case .integer(let integer): try write("\(stem)\(integer)")
    case .real(let real): try write("\(stem)\(real)")
    case .date(let seconds): try write(stem + Self.date(seconds))
    case .data(let bytes): try write(stem + Self.bytes(bytes))
    case .text(let text): try write("\(stem)\"\(text)\"")
    case .reference(let place): try write("\(stem)object \(place)")
    case .array(let numbers):
      try write("\(stem)\(numbers.count) elements")
      try add(numbers, depth: depth + 1)
    case .dictionary: try addObject(label, stem, number, depth: depth)
    }
  }

  private mutating func add(_ numbers: BinaryPropertyList.Numbers, depth: Int) throws {
    for place in 0..<numbers.count {
      try add("\(place): ", list.number(place, of: numbers), depth: depth)
    }
  }

  /// A dictionary, or an object with its class; without the names that Foundation uses inside its own
  /// classes.
  private mutating func addObject(
    _ label: String, _ stem: String, _ number: Int, depth: Int
  ) throws {
    let members = try members(of: number)
    func list(_ name: String) throws -> BinaryPropertyList.Numbers? {
      guard let member = members.first(where: { $0.name == name }),
        case .array(let numbers) = try self.list.node(member.number)
      else { return nil }
      return numbers
    }
    let name = try members.first { $0.name == "$class" }.map { try className($0.number) } ?? ""
    if let time = members.first(where: { $0.name == "NS.time" }),
      case .real(let seconds) = try self.list.node(time.number)
    {
      return try write(stem + Self.date(seconds))
    }
    if members.count <= 2,
      let content = members.first(where: { ["NS.string", "NS.data"].contains($0.name) })
    {
      return try add(label, content.number, depth: depth)
    }
    if let values = try list("NS.objects") {
      let keys = try list("NS.keys")
      try write("\(stem)\(name), \(values.count) \(keys == nil ? "elements" : "entries")")
      guard let keys else { return try add(values, depth: depth + 1) }
      for place in 0..<min(keys.count, values.count) {
        try add(
          try key(self.list.number(place, of: keys)), self.list.number(place, of: values),
          depth: depth + 1)
      }
      return
    }
    let shown = members.filter { $0.name != "$class" }
    try write(stem + (name.isEmpty ? "\(shown.count) entries" : name))
    for (name, member) in shown { try add("\(name): ", member, depth: depth + 1) }
  }

  /// The key of an entry, if it is a text or a number, followed by a separator.
  private func key(_ number: Int) throws -> String {
    var number = number
    if case .reference(let place) = try list.node(number), let objects {
      number = try list.number(place, of: objects)
    }
    return switch try list.node(number) {
    case .text(let text): "\(text): "
    case .integer(let integer): "\(integer): "
    default: "(an object): "
    }
  }

  private mutating func className(_ number: Int) throws -> String {
    guard case .reference(let place) = try list.node(number), let objects else { return "" }
    for (name, member) in try members(of: list.number(place, of: objects))
    where name == "$classname" {
      if case .text(let text) = try list.node(member) { return text }
    }
    return ""
  }

  private static func date(_ seconds: Double) -> String {
    // A number outside of every calendar is shown as a number.
    abs(seconds) < 60_000_000_000
      ? Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
      : "\(seconds) seconds since 2001"
  }

  private static func bytes(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = bytes.prefix(most.bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let rest = bytes.count > most.bytes ? "…, \(bytes.count) bytes" : ""
    return "x'\(digits.joined())\(rest)'"
  }
}
