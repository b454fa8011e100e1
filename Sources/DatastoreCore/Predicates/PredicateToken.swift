import Foundation

/// A word, symbol or literal of a predicate's text.
struct PredicateToken {
  enum Kind: Equatable {
    /// A bare word: a keyword or a name.
    case word(String)
    /// A name in backticks or after `#`, which is never a keyword.
    case name(String)
    /// Digits as written.
    case number(String)
    /// A date without quotes: `2024-01-31` or `2024-01-31T12:30:00Z`.
    case date(String)
    case text(String)
    case blob(Data)
    case symbol(String)
    /// The letters after `%`.
    case argument(String)
    /// The word after `@`, as in `tasks.@count`.
    case collection(String)
    /// Anything else, with a sentence that explains the fault.
    case invalid(String)
    case end
  }

  let kind: Kind
  /// In UTF-8 bytes from the start of the text.
  let range: Range<Int>

  var isWord: Bool {
    switch kind {
    case .word, .name: true
    default: false
    }
  }

  /// The keyword, if a bare word is one.
  var keyword: PredicateKeyword? {
    guard case .word(let word) = kind else { return nil }
    return PredicateKeyword(word: word)
  }

  /// The comparator, if a bare word or a symbol is one.
  var comparator: Predicate.Comparator? {
    switch kind {
    case .word(let text), .symbol(let text): Predicate.Comparator(word: text)
    default: nil
    }
  }
}

/// The keywords; a property with such a name is written in backticks.
enum PredicateKeyword: String {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case none = "NONE"
  /// The word of a comparator, which `Predicate.Comparator` knows.
  case comparator = "a comparator"
  case `true` = "TRUE"
  case `false` = "FALSE"
  case yes = "YES"
  case no = "NO"
  case null = "NULL"
  case `nil` = "NIL"
  case `self` = "SELF"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case cast = "CAST"

  /// The keyword that a word is, in any case; nil if it is a name.
  init?(word: String) {
    guard
      let keyword = PredicateKeyword(rawValue: word.uppercased())
        ?? Predicate.Comparator(word: word).map({ _ in .comparator })
    else { return nil }
    self = keyword
  }
}
