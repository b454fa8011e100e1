/// Words that are typed to find something by its name. Each must begin a word of what is found: letters
/// scattered through a name find nothing, for enter does what was found.
struct WordQuery: Sendable {
  /// How well something fits, the best first.
  enum Fit: Int, Comparable, Sendable {
    /// What was typed is its name, or a short form of it.
    case name
    /// What was typed is its whole title.
    case title
    /// It begins with what was typed.
    case beginning
    /// The words that were typed begin words of it.
    case words
    /// Besides, words that mean the same are needed; or it has what was typed inside a word.
    case synonyms
    /// It fits, but something else is hardly ever not meant.
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

  /// How well a command fits; nil when it does not. One that needs its whole name comes after all others
  /// without it.
  func fit(_ command: Command) -> Fit? {
    if text == command.name || command.aliases.contains(text) { return .name }
    if text == command.title.lowercased() { return .title }
    let own = Self.words(of: command.name) + Self.words(of: command.title)
    let found: Fit? =
      if begin(own) {
        [command.name, command.title.lowercased()].contains { $0.hasPrefix(text) }
          ? .beginning : .words
      } else if begin(own + command.synonyms + Self.words(of: command.label)) {
        .synonyms
      } else {
        nil
      }
    return command.needsWholeName ? found.map { _ in .last } : found
  }

  /// How many of the words that were typed a command has, where it has not all of them.
  func wordCount(_ command: Command) -> Int {
    guard !command.needsWholeName else { return 0 }
    let others =
      Self.words(of: command.name) + Self.words(of: command.title) + command.synonyms
    return words.count { word in others.contains { $0.hasPrefix(word) } }
  }

  /// Whether the name of a command is one of the words that were typed.
  func hasName(of command: Command) -> Bool { words.contains(command.name) }

  /// How well a name of the data fits: of an entity, a column, a filter or a view. These may be made of words
  /// that nothing separates.
  func fit(name: String) -> Fit? {
    guard !text.isEmpty else { return nil }
    let lowercased = name.lowercased()
    if text == lowercased { return .title }
    if lowercased.hasPrefix(text) { return .beginning }
    if begin(Self.words(of: name)) { return .words }
    return text.count > 1 && lowercased.contains(text) ? .synonyms : nil
  }

  /// Whether each word that was typed begins one of these.
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
