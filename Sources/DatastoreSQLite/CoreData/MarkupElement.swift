/// An element of an XML document: its name, its attributes and its child elements. Text between elements is
/// left out.
///
/// Foundation's parser for Linux would make every program that uses the library load libxml2, for a format
/// that a single program writes and that uses little of XML. A document's own entities are refused, not
/// expanded.
struct MarkupElement: Equatable {
  var name: String
  var attributes: [String: String] = [:]
  var children: [MarkupElement] = []

  subscript(name: String) -> String? { attributes[name] }

  func children(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

  /// The greatest size and depth of a document.
  static let most = (bytes: 64 << 20, depth: 64)

  /// The root element of a document in UTF-8. O(bytes).
  ///
  /// - Throws: `CoreDataModelFault` if it is not one.
  init(document bytes: [UInt8]) throws {
    guard bytes.count <= Self.most.bytes else { throw CoreDataModelFault.tooGreat }
    var reader = MarkupReader(bytes)
    guard let root = try reader.document() else { throw CoreDataModelFault.notXML }
    self = root
  }

  init(_ name: String) { self.name = name }
}

/// Reads the bytes of a document once.
private struct MarkupReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws -> MarkupElement? {
    // The last one is open.
    var open: [MarkupElement] = []
    while skip(to: "<") {
      if skip(over: "<!--") {
        try require(skip(past: "-->"))
      } else if skip(over: "<![CDATA[") {
        try require(skip(past: "]]>"))
      } else if skip(over: "<?") {
        try require(skip(past: "?>"))
      } else if skip(over: "<!") {
        // A document type may be named; a document with its own declarations is not read.
        let start = place
        try require(skip(past: ">") && !bytes[start..<place].contains(UInt8(ascii: "[")))
      } else if skip(over: "</") {
        let name = name()
        skipBlanks()
        guard skip(over: ">"), let element = open.popLast(), element.name == name else {
          throw CoreDataModelFault.notXML
        }
        if open.isEmpty { return element }
        open[open.count - 1].children.append(element)
      } else {
        place += 1
        let (element, isClosed) = try start()
        if !isClosed {
          open.append(element)
          if open.count > MarkupElement.most.depth { throw CoreDataModelFault.tooGreat }
        } else if open.isEmpty {
          return element
        } else {
          open[open.count - 1].children.append(element)
        }
      }
    }
    return nil
  }

  /// The rest of a start tag, and whether the element is empty.
  private mutating func start() throws -> (MarkupElement, isClosed: Bool) {
    var element = MarkupElement(name())
    try require(!element.name.isEmpty)
    while true {
      skipBlanks()
      if skip(over: "/>") { return (element, true) }
      if skip(over: ">") { return (element, false) }
      let name = name()
      skipBlanks()
      try require(!name.isEmpty && skip(over: "="))
      skipBlanks()
      guard place < bytes.count, bytes[place] == 0x22 || bytes[place] == 0x27 else {
        throw CoreDataModelFault.notXML
      }
      let quote = bytes[place]
      let first = place + 1
      guard let end = bytes[first...].firstIndex(of: quote) else { throw CoreDataModelFault.notXML }
      element.attributes[name] = try Self.text(bytes[first..<end])
      place = end + 1
    }
  }

  private func require(_ isSo: Bool) throws {
    if !isSo { throw CoreDataModelFault.notXML }
  }

  private mutating func name() -> String {
    let start = place
    while place < bytes.count, !" \t\r\n=/><\"'".utf8.contains(bytes[place]) { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func skipBlanks() {
    while place < bytes.count, " \t\r\n".utf8.contains(bytes[place]) { place += 1 }
  }

  private mutating func skip(over text: StaticString) -> Bool {
    let isThere = text.withUTF8Buffer { bytes[place...].starts(with: $0) }
    if isThere { place += text.utf8CodeUnitCount }
    return isThere
  }

  /// Skips to a byte; returns false if there is none.
  private mutating func skip(to byte: Unicode.Scalar) -> Bool {
    while place < bytes.count, bytes[place] != UInt8(ascii: byte) { place += 1 }
    return place < bytes.count
  }

  private mutating func skip(past text: StaticString) -> Bool {
    while place < bytes.count {
      if skip(over: text) { return true }
      place += 1
    }
    return false
  }

  /// A value with its entities decoded.
  private static func text(_ bytes: ArraySlice<UInt8>) throws -> String {
    let parts = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    var text = String(decoding: parts[0], as: UTF8.self)
    for part in parts.dropFirst() {
      guard let end = part.firstIndex(of: UInt8(ascii: ";")) else {
        throw CoreDataModelFault.notXML
      }
      let name = String(decoding: part[..<end], as: UTF8.self)
      switch name {
      case "amp": text += "&"
      case "lt": text += "<"
      case "gt": text += ">"
      case "quot": text += "\""
      case "apos": text += "'"
      default:
        let isHex = name.hasPrefix("#x")
        guard name.hasPrefix("#"),
          let number = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10),
          let scalar = Unicode.Scalar(number)
        else { throw CoreDataModelFault.notXML }
        text.unicodeScalars.append(scalar)
      }
      text += String(decoding: part[part.index(after: end)...], as: UTF8.self)
    }
    return text
  }
}
