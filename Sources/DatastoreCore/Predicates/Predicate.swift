/// A condition on the objects of one entity, as a tree.
///
/// One tree, two faces: `DatastoreSQLite` renders it as SQL for saved rows, `evaluate(with:)` decides
/// it in memory for unsaved ones; both always agree. Logic is two-valued: a comparison with a
/// missing value is false, except that `!=` is true when exactly one side is missing and `==` when
/// both are. Its text form is the NSPredicate format language.
public indirect enum Predicate: Sendable, Hashable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(Comparison)
  /// True when all are; an empty list is true.
  case and([Predicate])
  /// True when any is; an empty list is false.
  case or([Predicate])
  case not(Predicate)
}

extension Predicate {
  /// A comparison of two operands.
  public struct Comparison: Sendable, Hashable {
    public var quantifier: Quantifier
    public var left: Operand
    public var comparator: Comparator
    public var right: Operand
    public var options: StringOptions

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
    /// True when it holds for every related object; true for none.
    case all
    /// True when it holds for no related object.
    case none
  }

  public enum Comparator: String, Sendable, Hashable, Codable, CaseIterable {
    case equal, notEqual, lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual
    /// The right side is a list.
    case `in`
    /// The right side is a list of two; both bounds count as inside.
    case between
    /// These and the next two are false unless both sides are text.
    case contains, beginsWith, endsWith
    /// `*` stands for any text, `?` for one Unicode scalar, `\` makes the next character literal.
    case like
    /// The whole text matches the regular expression.
    case matches
  }

  /// `[c]`, `[d]` and `[cd]` behind a text comparison.
  public struct StringOptions: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let caseInsensitive = StringOptions(rawValue: 1)
    public static let diacriticInsensitive = StringOptions(rawValue: 2)
  }

  /// One side of a comparison.
  public indirect enum Operand: Sendable, Hashable {
    case value(Value)
    /// Property names from the entity on; every step but the last is a relationship. The value of a
    /// to-one path is the key of its object; the empty path is the object's own key (`SELF`).
    case keyPath([String])
    /// The number of objects a to-many path leads to (`tasks.@count`).
    case count([String])
    /// An aggregate over an attribute behind a to-many path (`tasks.@sum.estimate`).
    case aggregate(Aggregate, [String])
    /// To the right of `in` and `between` only.
    case list([Operand])
    /// Calculates as SQLite does; anything but numbers gives NULL.
    case arithmetic(Operand, Arithmetic, Operand)
  }

  public enum Aggregate: String, Sendable, Hashable, Codable {
    case sum, average, minimum, maximum
  }

  public enum Arithmetic: String, Sendable, Hashable, Codable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
  }
}
