internal import CYaml
package import Yams

/// Reads YAML that somebody else may have written.
package enum YAMLText {
  /// Values that the aliases of one document may stand for, together.
  private static let most = 100_000

  /// The document of a text; nil for an empty one.
  ///
  /// An alias (`*name`) stands for a whole value, and values of aliases for a tree that doubles with each
  /// line: Yams goes through all of it when it is a key. So what aliases stand for is counted first.
  ///
  /// - Throws: `YamlError`; `TooManyAliases`.
  package static func compose(_ text: String) throws -> Node? {
    // Most files have none.
    if text.utf8.contains(UInt8(ascii: "*")), !hasFewAliases(text) { throw TooManyAliases() }
    return try Yams.compose(yaml: text)
  }

  /// Also true for what is no YAML, which Yams tells.
  private static func hasFewAliases(_ text: String) -> Bool {
    // The parser refers to itself, so it must stay where it is.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else { return true }
    defer { yaml_parser_delete(parser) }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
      return count(parser) <= most
    }
  }

  /// Values that aliases stand for in all, counted until there are too many.
  private static func count(_ parser: UnsafeMutablePointer<yaml_parser_t>) -> Int {
    var sizes: [String: Int] = [:]
    // Collections that are open: their names and what is in them.
    var open: [(anchor: String?, size: Int)] = []
    var total = 0
    func add(_ size: Int, anchor: String?) {
      if let anchor { sizes[anchor] = size }
      if !open.isEmpty { open[open.count - 1].size += size }
    }
    while total <= most {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { return total }
      defer { yaml_event_delete(&event) }
      switch event.type {
      case YAML_SCALAR_EVENT: add(1, anchor: name(event.data.scalar.anchor))
      case YAML_SEQUENCE_START_EVENT: open.append((name(event.data.sequence_start.anchor), 1))
      case YAML_MAPPING_START_EVENT: open.append((name(event.data.mapping_start.anchor), 1))
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        if let last = open.popLast() { add(last.size, anchor: last.anchor) }
      case YAML_ALIAS_EVENT:
        let size = name(event.data.alias.anchor).flatMap { sizes[$0] } ?? 1
        total += size
        add(size, anchor: nil)
      case YAML_STREAM_END_EVENT: return total
      default: break
      }
    }
    return total
  }

  private static func name(_ pointer: UnsafePointer<UInt8>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

/// A document whose aliases stand for more than anybody writes.
package struct TooManyAliases: Error, CustomStringConvertible {
  package var description: String {
    "its aliases (*name) stand for more than a hundred thousand values"
  }
}
