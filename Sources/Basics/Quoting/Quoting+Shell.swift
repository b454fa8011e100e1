extension Quoting {
  /// One word of a command line, for shells like POSIX's.
  package static func shellWord(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy(isPlainInShell)
    return isPlain ? text : "'" + replacing(in: text) { $0 == "'" ? #"'\''"# : nil } + "'"
  }

  /// A command line made of words.
  package static func shellCommand(_ words: [String]) -> String {
    words.map(shellWord).joined(separator: " ")
  }

  private static func isPlainInShell(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="),
      UInt8(ascii: "@"), UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: ","):
      true
    default: false
    }
  }
}
