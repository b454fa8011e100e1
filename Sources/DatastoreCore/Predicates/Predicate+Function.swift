import Basics
import Foundation

extension Predicate {
  /// A function of one object's values in expressions: `uppercase(name)`.
  ///
  /// Texts are measured and cut in Unicode scalars. Unusable arguments give NULL, unless documented
  /// otherwise.
  @nonexhaustive
  public enum Function: String, Sendable, Hashable, Codable, CaseIterable {
    /// A text in lower or upper case.
    case lowercase, uppercase
    /// A text without white space at its ends.
    case trim
    /// The number of a text's scalars.
    case length
    /// The first or the last scalars of a text, by count.
    case left, right
    /// A text with every occurrence of another text replaced by a third.
    case replace
    /// Values joined into one text; NULL is skipped, and numbers are written as they are.
    case concat
    /// A number without its sign.
    case abs
    /// The nearest whole number, or the nearest number with the given number of decimals.
    case round
    /// The nearest whole number that is not greater, or not less.
    case floor, ceiling
    /// The number of days from one date to another, by the calendar in UTC.
    case days
    /// The first value that is not NULL.
    case coalesce
    /// The value at a place in a JSON text: `json(payload, "user", "tags", 0)`, also written
    /// `payload.user.tags[0]`. Truth values are 1 and 0, and objects and arrays are their text.
    case json
  }
}

extension Predicate.Function {
  /// Its number in SQL statements.
  package var code: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The possible numbers of arguments.
  package var argumentCounts: ClosedRange<Int> {
    switch self {
    case .lowercase, .uppercase, .trim, .length, .abs, .floor, .ceiling: 1...1
    case .left, .right, .days: 2...2
    case .round: 1...2
    case .replace: 3...3
    case .concat, .coalesce: 1...20
    case .json: 2...20
    }
  }

  /// The required kind of an argument.
  enum Need { case text, number, date, json, step, anything }

  func need(ofArgument index: Int) -> Need {
    switch self {
    case .lowercase, .uppercase, .trim, .length, .replace: .text
    case .left, .right: index == 0 ? .text : .number
    case .abs, .round, .floor, .ceiling: .number
    case .days: .date
    case .concat, .coalesce: .anything
    case .json: index == 0 ? .json : .step
    }
  }

  /// The form of a call, for help: `left(text, count)`.
  package var usage: String {
    switch self {
    case .lowercase, .uppercase, .trim, .length: "\(rawValue)(text)"
    case .left, .right: "\(rawValue)(text, count)"
    case .replace: "replace(text, old, new)"
    case .concat: "concat(value, …)"
    case .abs, .floor, .ceiling: "\(rawValue)(number)"
    case .round: "round(number, decimals)"
    case .days: "days(from, to)"
    case .coalesce: "coalesce(value, …)"
    case .json: "json(text, member, …)"
    }
  }

  /// Whether its arguments may be numbers and texts that are dates.
  package var takesDates: Bool { self == .days }

  /// Computes the function.
  ///
  /// - Parameter dates: for each argument, how it stores dates; used only by date functions.
  package func value(of arguments: [Value], dates: [DateConvention?] = []) -> Value {
    switch self {
    case .coalesce: return arguments.first { !$0.isNull } ?? .null
    case .concat: return .text(arguments.map(Self.written).joined())
    case .days: return Self.days(arguments, dates)
    case .json: return arguments.first?.json(at: arguments.dropFirst()) ?? .null
    case .abs, .round, .floor, .ceiling: return number(of: arguments)
    case .lowercase, .uppercase, .trim, .length, .left, .right, .replace:
      guard case .text(let text)? = arguments.first else { return .null }
      return self.value(of: text, arguments.dropFirst())
    }
  }

  private func value(of text: String, _ rest: ArraySlice<Value>) -> Value {
    switch self {
    case .lowercase: return .text(text.lowercased())
    case .uppercase: return .text(text.uppercased())
    case .length: return .integer(Int64(text.unicodeScalars.count))
    case .trim:
      let scalars = text.unicodeScalars
      let head = scalars.drop(while: \.properties.isWhitespace)
      guard let last = head.lastIndex(where: { !$0.properties.isWhitespace }) else {
        return .text("")
      }
      return .text(String(head[...last]))
    case .left, .right:
      guard let number = rest.first?.number else { return .null }
      let count = Int(exactly: min(max(0, number), 1e15).rounded(.down)) ?? 0
      let scalars = text.unicodeScalars
      return .text(String(self == .left ? scalars.prefix(count) : scalars.suffix(count)))
    case .replace:
      guard case .text(let old)? = rest.first, case .text(let new)? = rest.dropFirst().first else {
        return .null
      }
      return .text(Quoting.substituting(old, with: new, in: text))
    default: return .null
    }
  }

  private func number(of arguments: [Value]) -> Value {
    guard let first = arguments.first, let number = first.number else { return .null }
    if case .integer(let integer) = first {
      guard self == .abs else { return first }
      return integer == .min ? .real(Swift.abs(number)) : .integer(Swift.abs(integer))
    }
    switch self {
    case .abs: return .real(Swift.abs(number))
    case .floor: return Self.whole(number.rounded(.down))
    case .ceiling: return Self.whole(number.rounded(.up))
    default:
      guard arguments.count > 1 else { return Self.whole(number.rounded()) }
      guard let decimals = arguments[1].number else { return .null }
      // More decimals than a double has change nothing.
      guard decimals < 16 else { return first }
      let power = pow(10, max(0, decimals.rounded(.down)))
      return .real((number * power).rounded() / power).withoutNaN
    }
  }

  private static func whole(_ number: Double) -> Value {
    Int64(exactly: number).map { .integer($0) } ?? Value.real(number).withoutNaN
  }

  private static func written(_ value: Value) -> String {
    switch value {
    case .null, .blob: ""
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    }
  }

  private static func days(_ arguments: [Value], _ dates: [DateConvention?]) -> Value {
    let days = arguments.indices.compactMap { index -> Int? in
      let isText = if case .text = arguments[index] { true } else { false }
      let known = dates.indices.contains(index) ? dates[index] : nil
      let convention = known ?? (isText ? .text(.day) : .own)
      return convention.seconds(of: arguments[index]).map { Moment.split($0).days }
    }
    return days.count == 2 ? .integer(Int64(days[1] - days[0])) : .null
  }
}
