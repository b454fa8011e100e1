import Yams

/// Turns the nodes of a manifest into values and collects every fault of form on its way.
struct ManifestParser {
  /// A file with the positions of names, for faults of meaning.
  struct Entry {
    let file: ImportManifest.File
    /// The path of keys to the entry: `files[2]`.
    let path: String
    /// The positions of names in the manifest, by path below the entry.
    let places: [String: SourcePosition]
  }

  /// The entities that some entry names, invalid entries included, with whether one has a key.
  private(set) var entities: [String: Bool] = [:]
  private(set) var faults: [ManifestFault] = []
  /// The compiled model that the manifest names.
  private(set) var model: String?
  private var places: [String: SourcePosition] = [:]
  let file: String

  init(file: String) {
    self.file = file
  }

  /// The entries without fault.
  mutating func files(of root: Node?) -> [Entry] {
    guard let root else {
      fail(nil, "", "the manifest is empty; expected the key 'files'")
      return []
    }
    guard let members = mapping(root, "", keys: ["files", "model"], required: ["files"]) else {
      return []
    }
    model = text(members, "model", "")
    guard let list = members["files"] else { return [] }
    guard case .sequence(let nodes) = list else {
      fail(list, "files", "expected a list of files")
      return []
    }
    if nodes.isEmpty { fail(list, "files", "the list of files is empty") }
    var entries: [Entry] = []
    for (index, node) in nodes.enumerated() {
      let path = "files[\(index)]"
      places = [:]
      let countBefore = faults.count
      let file = entry(node, path)
      if let file, faults.count == countBefore {
        entries.append(Entry(file: file, path: path, places: places))
      }
    }
    return entries
  }

  /// Records a fault at a node; without one, at the beginning.
  mutating func fail(_ node: Node?, _ path: String, _ reason: String) {
    faults.append(ManifestFault(position: position(of: node), path: path, reason: reason))
  }

  /// Records that an entity is filled by a file.
  mutating func addEntity(_ name: String, hasKey: Bool) {
    entities[name] = entities[name] == true || hasKey
  }

  /// Records the position of a path of keys, for faults that are found later.
  mutating func record(_ node: Node, at path: String) {
    places[path] = position(of: node)
  }

  func position(of node: Node?) -> SourcePosition {
    SourcePosition(file: file, line: node?.mark?.line ?? 1, column: node?.mark?.column ?? 1)
  }

  /// The members of a mapping; unknown and missing keys are faults.
  mutating func mapping(
    _ node: Node, _ path: String, keys: [String], required: [String] = []
  ) -> [String: Node]? {
    guard case .mapping(let mapping) = node else {
      fail(node, path, "expected a mapping with the keys \(keys.joined(separator: ", "))")
      return nil
    }
    var members: [String: Node] = [:]
    for (key, value) in mapping {
      guard let name = key.scalar?.string, keys.contains(name) else {
        let name = key.scalar.map { "'\($0.string)'" } ?? "that is not a text"
        fail(key, path, "unknown key \(name); the known keys are \(keys.joined(separator: ", "))")
        continue
      }
      members[name] = value
    }
    for key in required where members[key] == nil {
      fail(node, path, "the key '\(key)' is missing")
    }
    return members
  }

  /// The text of a scalar member that must not be empty; nil if there is no such member.
  mutating func text(_ members: [String: Node], _ key: String, _ path: String) -> String? {
    guard let node = members[key] else { return nil }
    let place = path.isEmpty ? key : "\(path).\(key)"
    guard let text = node.scalar?.string, !text.isEmpty else {
      fail(node, place, "expected a text that is not empty")
      return nil
    }
    record(node, at: place)
    return text
  }

  /// The value of a member that is one of some words; nil if there is no such member.
  mutating func word<Value>(
    _ members: [String: Node], _ key: String, _ path: String, _ words: [(String, Value)]
  ) -> Value? {
    guard let node = members[key] else { return nil }
    record(node, at: "\(path).\(key)")
    if let text = node.scalar?.string, let match = words.first(where: { $0.0 == text }) {
      return match.1
    }
    let found = node.scalar.map { ", but found '\($0.string)'" } ?? ""
    let known = words.map { $0.0 == "\t" ? "a tab (\"\\t\")" : $0.0 }.joined(separator: ", ")
    fail(node, "\(path).\(key)", "expected one of \(known)\(found)")
    return nil
  }

  mutating func encoding(_ members: [String: Node], _ path: String) -> TextEncoding? {
    guard let node = members["encoding"] else { return nil }
    record(node, at: "\(path).encoding")
    let name = node.scalar?.string ?? ""
    if let encoding = TextEncoding(name: name) { return encoding }
    fail(
      node, "\(path).encoding",
      "expected \(TextEncoding.examples) or another name that iconv knows, but found '\(name)'")
    return nil
  }
}
