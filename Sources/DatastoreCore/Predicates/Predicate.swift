/// A condition on the objects of one entity, as a tree.
///
/// One tree with two uses: `DatastoreSQLite` renders it as SQL for saved rows, and `evaluate(with:)`
/// evaluates it in memory for unsaved ones; both always agree. Logic is two-valued: a comparison with a
/// missing value is false, except that `!=` is true when exactly one side is missing and `==` when both are.
/// Its text form is the NSPredicate format language.
public indirect enum Predicate: Sendable, Hashable, Codable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  /// True when a comparison is.
  case comparison(Comparison)
  /// True when all are; an empty list is true.
  case and([Predicate])
  /// True when any is; an empty list is false.
  case or([Predicate])
  /// True when the other is false.
  case not(Predicate)
}

extension Predicate {
  /// A comparison of two operands.
  public struct Comparison: Sendable, Hashable, Codable {
    /// For a to-many path: the number of its objects for which the comparison must hold.
    public var quantifier: Quantifier
    /// The side before the comparator; the only one that may be a to-many path.
    public var left: Operand
    /// How the sides are compared.
    public var comparator: Comparator
    /// The side after the comparator; the only one that may be a list.
    public var right: Operand
    /// The differences between texts to ignore.
    public var options: StringOptions

    /// Creates a comparison; `Predicate.validate(for:in:)` checks whether it fits an entity.
    public init(
      _ left: Operand, _ comparator: Comparator, _ right: Operand,
      quantifier: Quantifier = .direct, options: StringOptions = []
    ) {
      self.left = left
      self.comparator = comparator
      self.right = right
      self.quantifier = quantifier
      self.options = options
    }
  }

  /// How a comparison treats a left path that runs through a to-many relationship.
  public enum Quantifier: String, Sendable, Hashable, Codable {
    /// No to-many on the path. A path through one, written without a quantifier, means `any`.
    case direct
    /// True when the comparison holds for at least one related object.
    case any
    /// True when it holds for every related object; true if there are none.
    case all
    /// True when it holds for no related object.
    case none
  }

  /// How two operands are compared.
  @nonexhaustive
  public enum Comparator: String, Sendable, Hashable, Codable, CaseIterable {
    /// `==`; two missing values are equal.
    case equal
    /// `!=`; true when exactly one side is missing.
    case notEqual
    /// `<`, `<=`, `>` and `>=`; false when a side is missing.
    case lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual
    /// The right side is a list.
    case `in`
    /// The right side is a list of two; both bounds are inclusive.
    case between
    /// The left text contains the right one, begins or ends with it; false unless both sides are text.
    case contains, beginsWith, endsWith
    /// The text matches a pattern: `*` matches any text, `?` one Unicode scalar, `\` makes the next character
    /// literal.
    case like
    /// The whole text matches the regular expression.
    case matches
    /// The text has all the words of the right side: `apple pie` both words, `app*` a word with this
    /// beginning, `"apple pie"` one right after the other. Case and the accents of Latin letters are ignored.
    case search
  }

  /// `[c]`, `[d]` and `[cd]` after a text comparison.
  public struct StringOptions: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Ignores case: `[c]`.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// Ignores accents: `[d]`.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)
  }

  /// One side of a comparison.
  public indirect enum Operand: Sendable, Hashable, Codable {
    /// A constant.
    case value(Value)
    /// Property names, starting from the entity; every step but the last is a relationship. The value of a
    /// to-one path is the key of its object; the empty path is the object's own key (`SELF`).
    case keyPath([String])
    /// The number of objects a to-many path leads to (`tasks.@count`).
    case count([String])
    /// An aggregate over an attribute behind a to-many path (`tasks.@sum.estimate`).
    case aggregate(Aggregate, [String])
    /// To the right of `in` and `between` only.
    case list([Operand])
    /// Arithmetic as in SQLite; operands other than numbers give NULL.
    case arithmetic(Operand, Arithmetic, Operand)
    /// A function of values of the object (`uppercase(name)`).
    case function(Function, [Operand])
  }

  /// A value computed from all objects of a to-many path; missing if there are none.
  public enum Aggregate: String, Sendable, Hashable, Codable {
    /// The sum of the numbers.
    case sum
    /// The mean of the numbers.
    case average
    /// The least value.
    case minimum
    /// The greatest value.
    case maximum
  }

  /// Arithmetic on two numbers, by SQLite's rules.
  public enum Arithmetic: String, Sendable, Hashable, Codable {
    /// The sum; real when it does not fit 64 bits.
    case add = "+"
    /// The difference; real when it does not fit 64 bits.
    case subtract = "-"
    /// The product; real when it does not fit 64 bits.
    case multiply = "*"
    /// The quotient, truncated for whole numbers; missing when divided by zero.
    case divide = "/"
  }
}
