import Basics
package import DatastoreCore

/// A piece of SQL as a value: text, identifiers to be quoted, and values to be bound.
///
/// Written as an interpolated literal: `"SELECT \(name: column) FROM \(name: table) WHERE x = \(value)"`.
/// Identifiers and values enter the text in no other way; only `rendered(in:)` makes text.
package struct SQLFragment: Sendable, Hashable {
  enum Segment: Sendable, Hashable {
    case text(String)
    case name(String)
    case literal(String)
    case binding(Value)
    case parameter(Int)
    case refusal(String)
    /// The beginning or end of a table that is joined to another one.
    case fence(isOpen: Bool)
  }

  var segments: [Segment] = []
  /// The type of its value, if an engine needs it and it is known.
  package var type: SQLType?

  package init() {}

  /// Creates SQL that an engine cannot express. Every statement that contains it is refused.
  ///
  /// - Parameter sentence: the reason.
  package init(refusal sentence: String) {
    segments = [.refusal(sentence)]
  }

  package var isEmpty: Bool { segments.isEmpty }

  /// The reason why an engine cannot run it; nil if it can. O(length).
  package var refusal: String? {
    for case .refusal(let sentence) in segments { return sentence }
    return nil
  }

  /// Whether it joins tables to the first one. O(length).
  package var readsSeveralTables: Bool {
    segments.contains { if case .fence = $0 { true } else { false } }
  }

  /// The value, if it consists only of a bound one.
  package var constant: Value? {
    if segments.count == 1, case .binding(let value) = segments[0] { return value }
    return nil
  }

  /// The number of the parameter, if it consists only of one.
  package var parameter: Int? {
    if segments.count == 1, case .parameter(let number) = segments[0] { return number }
    return nil
  }

  /// The fragment without a prefix of its text.
  package func droppingPrefix(_ prefix: String) -> SQLFragment {
    guard case .text(let text)? = segments.first, text.hasPrefix(prefix) else { return self }
    var result = self
    result.segments[0] = .text(String(text.dropFirst(prefix.count)))
    return result
  }

  package func typed(_ type: SQLType?) -> SQLFragment {
    var result = self
    result.type = type
    return result
  }

  /// Text with a placeholder for each value, and the values in order. O(length).
  ///
  /// If placeholders have numbers, those of bound values follow those of parameters, and equal values share
  /// one: for engines that number them, `a + $1` is another expression than `a + $2`.
  ///
  /// - Parameter isFenced: whether joined tables are read as separate subqueries, regardless of the
  ///   conditions on them. Engines that distribute tables over several machines can then join them.
  package func rendered(
    in dialect: any SQLDialect, isFenced: Bool = false
  ) -> (text: String, bindings: [Value]) {
    let quote = isDeclaration ? dialect.declaredNameQuote : dialect.nameQuote
    var text = ""
    var bindings: [Value] = []
    let isNumbered = dialect.numbersBindings
    let parameters = isNumbered ? parameterCount : 0
    var numbers: [Value: Int] = [:]
    for segment in segments {
      switch segment {
      case .text(let piece): text += piece
      case .name(let name): Quoting.append(name, between: quote, to: &text)
      case .literal(let piece): Quoting.append(piece, between: "'", to: &text)
      case .binding(let value):
        var number = numbers[value]
        if number == nil, !(isNumbered && value.isNull) {
          bindings.append(value)
          number = bindings.count
          if isNumbered { numbers[value] = number }
        }
        text += dialect.placeholder(ofBinding: parameters + (number ?? 0), value)
      case .refusal: trap("what cannot be said is refused before it is rendered")
      case .fence(let isOpen):
        if isFenced { text += isOpen ? "(SELECT * FROM " : " OFFSET 0)" }
      case .parameter(let number):
        text += dialect.placeholder(ofParameter: number)
      }
    }
    return (text, bindings)
  }

  private var parameterCount: Int {
    segments.reduce(0) { most, segment in
      if case .parameter(let number) = segment { max(most, number) } else { most }
    }
  }

  private var isDeclaration: Bool {
    if case .text(let text)? = segments.first {
      return text.hasPrefix("CREATE ") || text.hasPrefix("ALTER ")
    }
    return false
  }

  package static func += (left: inout SQLFragment, right: SQLFragment) {
    left.segments += right.segments
    left.type = nil
  }

  package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
    var result = left
    result += right
    return result
  }
}

extension SQLFragment: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) {
    segments = value.isEmpty ? [] : [.text(value)]
  }

  package init(stringInterpolation: StringInterpolation) {
    segments = stringInterpolation.segments
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    var segments: [Segment] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      segments.reserveCapacity(2 * interpolationCount + 1)
    }

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { segments.append(.text(literal)) }
    }

    /// An identifier; quoted.
    package mutating func appendInterpolation(name: String) {
      segments.append(.name(name))
    }

    /// A text of this library, quoted: for places that take no parameter, such as constraints.
    package mutating func appendInterpolation(literal: String) {
      segments.append(.literal(literal))
    }

    /// A value; bound.
    package mutating func appendInterpolation(_ value: Value) {
      segments.append(.binding(value))
    }

    /// A whole number that this library computes, written as a literal, so that it needs no binding.
    package mutating func appendInterpolation(number: Int) {
      segments.append(.text(String(number)))
    }

    /// A value that is bound each time the statement runs, by its number, from 1.
    package mutating func appendInterpolation(parameter number: Int) {
      segments.append(.parameter(number))
    }

    /// A table that is joined to another one.
    package mutating func appendInterpolation(beside table: SQLFragment) {
      segments.append(.fence(isOpen: true))
      segments += table.segments
      segments.append(.fence(isOpen: false))
    }

    package mutating func appendInterpolation(_ fragment: SQLFragment) {
      segments += fragment.segments
    }
  }
}

extension Sequence<SQLFragment> {
  /// Joins fragments with text between them.
  package func joined(by separator: String) -> SQLFragment {
    var result = SQLFragment()
    for fragment in self {
      if !result.isEmpty { result.segments.append(.text(separator)) }
      result += fragment
    }
    return result
  }
}
