package import Yams

/// Reads YAML from untrusted sources.
package enum YAMLText {
  /// The largest number of values to which all aliases of a document may expand together.
  private static let most = 100_000

  /// The document of a text; nil if the text is empty.
  ///
  /// An alias (`*name`) expands to a whole value, and aliases in aliases to a tree that doubles with each
  /// line: Yams visits all of it when it is a key. So the values are counted first.
  ///
  /// - Throws: `YamlError`; `TooManyAliases`.
  package static func compose(_ text: String) throws -> Node? {
    // Most files have no aliases.
    if text.utf8.contains(UInt8(ascii: "*")) {
      var count = AliasCount(most: most)
      // The parser owns the names of the anchors; nodes have weak references to them.
      let parser = try Parser(yaml: AliasCount.spelledOut(text))
      try withExtendedLifetime(parser) {
        if let root = try parser.singleRoot() { _ = count.size(of: root) }
      }
      if count.isExceeded { throw TooManyAliases() }
    }
    return try Yams.compose(yaml: text)
  }
}

/// Counts the values to which the aliases of a document expand. It works on the text with a mark in place of
/// each `*`, where aliases are plain texts.
private struct AliasCount {
  /// A character that does not occur in documents and that YAML allows in plain text.
  private static let mark: Unicode.Scalar = "\u{E0DB}"

  private let most: Int
  private var sizes: [String: Int] = [:]
  private var total = 0

  init(most: Int) {
    self.most = most
  }

  /// The text with a mark for each `*` that may begin an alias. Replacing one in quotes or comments does no
  /// harm.
  static func spelledOut(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var mayBegin = true
    for scalar in text.unicodeScalars {
      scalars.append(scalar == "*" && mayBegin ? mark : scalar)
      // A tag (`!a*b`) may contain an asterisk, too.
      mayBegin = scalar.properties.isWhitespace || "[{,:?-\u{FEFF}".unicodeScalars.contains(scalar)
    }
    return String(scalars)
  }

  /// The number of values to which the aliases in a plain text expand; 0 without a mark.
  private func size(ofAliasesIn text: String) -> Int {
    guard text.unicodeScalars.contains(Self.mark) else { return 0 }
    return text.unicodeScalars.split(separator: Self.mark, omittingEmptySubsequences: false)
      .dropFirst().reduce(0) { size, part in
        let name = part.prefix { scalar in
          scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            || scalar == "-" || scalar == "_"
        }
        return size + (sizes[String(String.UnicodeScalarView(name))] ?? 1)
      }
  }

  /// Whether the limit was exceeded, so that the rest was not counted.
  var isExceeded: Bool { total > most }

  /// Counts the values in a node and in its aliases.
  mutating func size(of node: Node) -> Int {
    if isExceeded { return 0 }
    var size = 1
    switch node {
    case .scalar(let scalar):
      let aliases = self.size(ofAliasesIn: scalar.string)
      total += aliases
      size += aliases
    case .sequence(let sequence):
      for element in sequence { size += self.size(of: element) }
    case .mapping(let mapping):
      for (key, value) in mapping { size += self.size(of: key) + self.size(of: value) }
    case .alias: break
    }
    if let name = node.anchor?.rawValue { sizes[name] = size }
    return size
  }
}

/// A document whose aliases expand to too many values.
package struct TooManyAliases: Error, CustomStringConvertible {
  package var description: String {
    "its aliases (*name) expand to more than a hundred thousand values"
  }
}
