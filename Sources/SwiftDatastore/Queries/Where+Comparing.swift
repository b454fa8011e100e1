import Basics
public import DatastoreCore

/// Comparisons by name, for comparators without an operator and for text options.
extension Where {
  /// Compares a path with a value; `nil` is the missing value.
  init<P: QueryProperty>(
    comparing path: PropertyPath<T, P>, _ comparator: Predicate.Comparator,
    _ value: P.KeyPathType?, options: Predicate.StringOptions = []
  ) {
    let right = Predicate.Operand.value(value.map(path.stored) ?? .null)
    self.init(path, comparator, operand: right, options: options)
  }

  private init<P>(
    _ path: PropertyPath<T, P>, _ comparator: Predicate.Comparator,
    operand right: Predicate.Operand, options: Predicate.StringOptions = []
  ) {
    self.init(
      .comparison(
        Predicate.Comparison(
          path.operand, comparator, right, quantifier: path.quantifier, options: options)))
  }

  init<P: QueryProperty>(_ path: PropertyPath<T, P>, isAnyOf values: [P.KeyPathType]) {
    self.init(path, .in, operand: .list(values.map { .value(path.stored($0)) }))
  }

  init<P: QueryProperty>(
    _ path: PropertyPath<T, P>, isWithin range: ClosedRange<P.KeyPathType>
  ) {
    let bounds = [range.lowerBound, range.upperBound]
    self.init(path, .between, operand: .list(bounds.map { .value(path.stored($0)) }))
  }

  /// Compares text: `Where(\.$name, .beginsWith, "t", options: [.caseInsensitive])`. Traps
  /// with a comparator that takes more than one value.
  ///
  /// - Parameters:
  ///   - keyPath: the property, like `\.$name`.
  ///   - comparator: any but `in` and `between`, which take more than one value: use `~=`.
  ///   - text: the text to compare it with.
  ///   - options: the differences to ignore.
  public init<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, _ comparator: Predicate.Comparator, _ text: String,
    options: Predicate.StringOptions = []
  ) where P.KeyPathType == String {
    self.init(PropertyPath(keyPath), text: comparator, text, options)
  }

  /// Compares text behind a relationship: `Where(\.$company ~ \.$name, .like, "T*")`. Traps with a
  /// comparator that takes more than one value.
  ///
  /// - Parameters:
  ///   - path: the property, like `\.$company ~ \.$name`.
  ///   - comparator: any but `in` and `between`, which take more than one value: use `~=`.
  ///   - text: the text to compare it with.
  ///   - options: the differences to ignore.
  public init<P: QueryProperty>(
    _ path: PropertyPath<T, P>, _ comparator: Predicate.Comparator, _ text: String,
    options: Predicate.StringOptions = []
  ) where P.KeyPathType == String {
    self.init(path, text: comparator, text, options)
  }

  private init<P: QueryProperty>(
    _ path: PropertyPath<T, P>, text comparator: Predicate.Comparator, _ text: String,
    _ options: Predicate.StringOptions
  ) where P.KeyPathType == String {
    require(
      !comparator.takesList,
      "\(comparator.rawValue) takes more than one value; write `[\"a\", \"b\"] ~= \\.$name` or "
        + "`\"a\"...\"b\" ~= \\.$name`")
    self.init(comparing: path, comparator, text, options: options)
  }

  /// The value is in the list: `.in(\.$age, [20, 30])`, the same as `[20, 30] ~= \.$age`. Never true for an
  /// empty list.
  public static func `in`<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, _ values: [P.KeyPathType]
  ) -> Where {
    Where(PropertyPath(keyPath), isAnyOf: values)
  }

  /// The text matches a pattern in which `*` matches any text, `?` one character and `\` makes the next
  /// character literal: `.like(\.$name, "T?m*")`.
  public static func like<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, _ pattern: String
  ) -> Where where P.KeyPathType == String {
    Where(comparing: PropertyPath(keyPath), .like, pattern)
  }

  /// The whole text matches a regular expression: `.matches(\.$name, "T[aeiou]m.*")`.
  ///
  /// The expressions are ICU's. Reading with an invalid expression throws. So does an expression that tries
  /// too many ways to match a text, as nested repetitions do (`(a+)+`): the match is given up after some
  /// millions of steps.
  public static func matches<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, _ expression: String
  ) -> Where where P.KeyPathType == String {
    Where(comparing: PropertyPath(keyPath), .matches, expression)
  }

  /// The text has all the given words, anywhere and in any order: `.search(\.$title, "apple pie")`.
  ///
  /// `app*` is any word that begins with these letters, and `"apple pie"` in quotes is one word right after
  /// the other. Case and the accents of Latin letters are ignored. Words are those of SQLite's tokenizer
  /// `unicode61`: letters and digits; everything else ends a word. A search text without a word finds
  /// nothing.
  public static func search<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, _ words: String
  ) -> Where where P.KeyPathType == String {
    Where(comparing: PropertyPath(keyPath), .search, words)
  }

  /// The same condition, ignoring case in all its comparisons of text.
  public func ignoringCase() -> Where { adding(.caseInsensitive) }

  /// The same condition, ignoring accents in all its comparisons of text.
  public func ignoringDiacritics() -> Where { adding(.diacriticInsensitive) }

  private func adding(_ options: Predicate.StringOptions) -> Where {
    Where(predicate.adding(options))
  }
}

extension Predicate {
  /// The tree with the options added to every comparison with text.
  fileprivate func adding(_ options: StringOptions) -> Predicate {
    switch self {
    case .constant: return self
    case .and(let parts): return .and(parts.map { $0.adding(options) })
    case .or(let parts): return .or(parts.map { $0.adding(options) })
    case .not(let part): return .not(part.adding(options))
    case .comparison(var comparison):
      if comparison.right.isText { comparison.options.formUnion(options) }
      return .comparison(comparison)
    }
  }
}

extension Predicate.Operand {
  /// Whether the values may be text.
  fileprivate var isText: Bool {
    switch self {
    case .value(.text), .keyPath, .function: true
    case .list(let members): members.contains(where: \.isText)
    case .value, .count, .aggregate, .arithmetic: false
    }
  }
}
