/// A search for names by typed words. Each word must begin a word of the name: letters scattered through a
/// name do not match, since enter runs what was found.
struct WordQuery: Sendable {
  /// The quality of a match, the best first.
  enum Fit: Int, Comparable, Sendable {
    /// The text is the name, or an alias.
    case name
    /// The text is the whole title.
    case title
    /// The name or title begins with the text.
    case beginning
    /// The typed words begin words of the name or title.
    case words
    /// The typed words are whole words of the command, synonyms among them.
    case wholeWords
    /// The match needs synonyms; or the name contains the text inside a word.
    case synonyms
    /// A match that comes last, since another one is nearly always meant.
    case last

    static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
  }

  private let text: String
  private let words: [String]

  init(_ typed: String) {
    let typed = typed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    text = typed.lowercased()
    words = Self.words(of: typed)
  }

  /// The quality of a command's match; nil for no match. A command that needs its whole name comes last
  /// unless that was typed.
  func fit(_ command: Command) -> Fit? {
    if text == command.name || command.aliases.contains(text) { return .name }
    if text == command.title.lowercased() { return .title }
    let own = Self.words(of: command.name) + Self.words(of: command.title)
    let all = own + command.synonyms + Self.words(of: command.label)
    let found: Fit? =
      if begin(own) {
        [command.name, command.title.lowercased()].contains { $0.hasPrefix(text) }
          ? .beginning : .words
      } else if begin(all) {
        // “set” changes a value; “settings” begins with it.
        words.allSatisfy(all.contains) ? .wholeWords : .synonyms
      } else {
        nil
      }
    return command.needsWholeName ? found.map { _ in .last } : found
  }

  /// The number of typed words that match a command.
  func wordCount(_ command: Command) -> Int {
    guard !command.needsWholeName else { return 0 }
    let others =
      Self.words(of: command.name) + Self.words(of: command.title) + command.synonyms
    return words.count { word in others.contains { $0.hasPrefix(word) } }
  }

  /// Whether the name of a command is one of the words that were typed.
  func hasName(of command: Command) -> Bool { words.contains(command.name) }

  /// The quality of a match with a name from the data: of an entity, a column, a filter or a view. Such names
  /// may consist of words without separators.
  func fit(name: String) -> Fit? {
    guard !text.isEmpty else { return nil }
    let lowercased = name.lowercased()
    if text == lowercased { return .title }
    if lowercased.hasPrefix(text) { return .beginning }
    if begin(Self.words(of: name)) { return .words }
    return text.count > 1 && lowercased.contains(text) ? .synonyms : nil
  }

  /// Whether each typed word begins one of these words.
  private func begin(_ others: [String]) -> Bool {
    guard !words.isEmpty else { return text.isEmpty }
    return words.allSatisfy { word in others.contains { $0.hasPrefix(word) } }
  }

  /// The words of a name in lower case: `invoice_items`, `invoice-items` and `InvoiceItems` have two.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var previous: Character = " "
    for character in text {
      defer { previous = character }
      guard character.isLetter || character.isNumber else { continue }
      let isFirst = !(previous.isLetter || previous.isNumber)
      if isFirst || previous.isLowercase && character.isUppercase { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
    return words
  }
}
