import Foundation

/// A word, sign or literal of a predicate's text.
struct PredicateToken {
  enum Kind: Equatable {
    /// A bare word: a keyword or a name.
    case word(String)
    /// A name in backticks or behind `#`, which is never a keyword.
    case name(String)
    /// Digits as they are written.
    case number(String)
    /// A date without quotes: `2024-01-31` or `2024-01-31T12:30:00Z`.
    case date(String)
    case text(String)
    case blob(Data)
    case symbol(String)
    /// The letters behind `%`.
    case argument(String)
    /// The word behind `@`, as in `tasks.@count`.
    case collection(String)
    /// What is not a token, with the sentence that says why.
    case invalid(String)
    case end
  }

  let kind: Kind
  /// In UTF-8 bytes from the start of the text.
  let range: Range<Int>

  /// The keyword a bare word is, if it is one.
  var keyword: PredicateKeyword? {
    guard case .word(let word) = kind else { return nil }
    return PredicateKeyword(rawValue: word.uppercased())
  }
}

/// The keywords; a property of that name is written in backticks.
enum PredicateKeyword: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case none = "NONE"
  case `in` = "IN"
  case between = "BETWEEN"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case like = "LIKE"
  case matches = "MATCHES"
  case search = "SEARCH"
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
}
