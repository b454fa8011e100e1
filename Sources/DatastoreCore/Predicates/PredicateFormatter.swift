import Basics
import Foundation

/// Writes predicates and sort orders in a form that parses back to an equal tree.
struct PredicateFormatter {
  let context: (entity: Entity, schema: Schema)?

  /// The binding strength of the context of a condition.
  enum Binding: Int {
    case or, and, not
  }

  func text(_ predicate: Predicate, in binding: Binding? = nil) -> String {
    switch predicate {
    case .constant(let truth): return truth ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): return text(comparison)
    case .not(let part): return "NOT " + text(part, in: .not)
    case .and(let parts): return text(parts, .and, in: binding)
    case .or(let parts): return text(parts, .or, in: binding)
    }
  }

  private func text(_ parts: [Predicate], _ own: Binding, in binding: Binding?) -> String {
    guard let first = parts.first else { return own == .and ? "TRUEPREDICATE" : "FALSEPREDICATE" }
    if parts.count == 1 { return text(first, in: binding) }
    let joined = parts.map { text($0, in: own) }.joined(separator: own == .and ? " AND " : " OR ")
    guard let binding, own.rawValue <= binding.rawValue else { return joined }
    return "(\(joined))"
  }

  private func text(_ comparison: Predicate.Comparison) -> String {
    let left = type(comparison.left)
    let right = type(comparison.right)
    let isTextual = comparison.comparator.isTextual
    let leftText = text(comparison.left, as: isTextual ? .constant : right)
    let rightText = text(comparison.right, as: isTextual ? .constant : left)
    let quantifier = comparison.quantifier.word.map { $0 + " " } ?? ""
    return
      "\(quantifier)\(leftText) \(comparison.comparator.word)\(comparison.options.text) \(rightText)"
  }

  private func type(_ operand: Predicate.Operand) -> OperandType {
    guard let context else { return .constant }
    return OperandType(operand, from: context.entity, in: context.schema)
  }

  /// - Parameter type: the type that a constant is compared with.
  func text(_ operand: Predicate.Operand, as type: OperandType) -> String {
    switch operand {
    case .value(let value): return text(value, as: type)
    case .keyPath(let path): return Self.path(path)
    case .count(let path): return Self.path(path) + ".@count"
    case .aggregate(let aggregate, let path):
      let head = path.dropLast()
      return "\(Self.path(Array(head))).@\(aggregate.word).\(path.last.map(Self.name) ?? "")"
    case .list(let members):
      return "{" + members.map { text($0, as: type) }.joined(separator: ", ") + "}"
    case .arithmetic(let left, let operation, let right):
      let leftText = text(left, within: operation, isRight: false)
      let rightText = text(right, within: operation, isRight: true)
      return "\(leftText) \(operation.rawValue) \(rightText)"
    case .function(let function, let arguments):
      if let path = jsonPath(operand) { return path }
      let texts = arguments.map { text($0, as: .constant) }
      return "\(function.rawValue)(\(texts.joined(separator: ", ")))"
    }
  }

  /// A JSON value as a path, `payload.user.tags[0]`, if that parses back as the same operand; nil for others.
  private func jsonPath(_ operand: Predicate.Operand) -> String? {
    guard let context, case .function(.json, let arguments) = operand,
      case .keyPath(let path)? = arguments.first, !path.isEmpty
    else { return nil }
    var text = Self.path(path)
    for step in arguments.dropFirst() {
      switch step {
      case .value(.text(let name)) where !name.isEmpty: text += "." + Self.name(name)
      case .value(.integer(let number)) where number >= 0: text += "[\(number)]"
      default: return nil
      }
    }
    let parsed = try? Predicate.Operand.parse(text, entity: context.entity, in: context.schema)
    return parsed == operand ? text : nil
  }

  private func text(
    _ operand: Predicate.Operand, within outer: Predicate.Arithmetic, isRight: Bool
  ) -> String {
    let text = text(operand, as: .constant)
    guard case .arithmetic(_, let inner, _) = operand else { return text }
    let needsParentheses =
      inner.precedence < outer.precedence || isRight && inner.precedence == outer.precedence
    return needsParentheses ? "(\(text))" : text
  }

  func text(_ value: Value, as type: OperandType) -> String {
    switch (value, type) {
    case (.real(let seconds), .attribute(.date)):
      if let date = ISODate.format(seconds) { return "CAST(\"\(date)\", \"NSDate\")" }
    case (.integer, .storedDate(let convention)), (.real, .storedDate(let convention)):
      if let moment = convention.exactMoment(value) { return "\"\(moment.iso)\"" }
    case (_, .attribute(let type)):
      if let text = type.readableText(of: value) { return text }
    default: break
    }
    return Self.literal(value)
  }

  /// The shortest form of a constant that parses back as the same value next to an operand of a type.
  static func plainText(_ value: Value, as type: OperandType) -> String {
    if case .attribute(let type) = type, let text = type.readableText(of: value) { return text }
    return PredicateFormatter(context: nil).text(value, as: type)
  }

  static func path(_ path: [String]) -> String {
    if Calculation.isOne(path) { return "(\(path[0].dropFirst()))" }
    // A part of a date has no other name; it is found even if a property after an object has the same name.
    if path.count > 1, let last = path.last, DatePart(step: last) != nil {
      return path.dropLast().map(name).joined(separator: ".") + "." + last
    }
    if path.count > 1, path.last == PredicatePath.storedStep { return Self.path(path.dropLast()) }
    if path.last == PredicatePath.entityStep {
      return (path.dropLast().map(name) + [PredicatePath.entityStep]).joined(separator: ".")
    }
    if path == [PredicatePath.rankStep] { return PredicatePath.rankStep }
    return path.isEmpty ? "SELF" : path.map(name).joined(separator: ".")
  }

  /// A name, in backticks if it would not be read as one word.
  static func name(_ name: String) -> String {
    if PredicateLexer.isPlainName(name), PredicateKeyword(word: name) == nil {
      return name
    }
    return Quoting.predicateName(name)
  }

  static func literal(_ value: Value) -> String {
    switch value {
    case .null: return "NULL"
    case .integer(let integer): return String(integer)
    case .real(let real):
      if real.isNaN { return "NULL" }
      // Parses back as infinity; the form of SQLite's shell.
      return real.isInfinite ? (real < 0 ? "-9e999" : "9e999") : String(real)
    case .text(let text):
      return Quoting.json(text) { $0.properties.generalCategory == .control }
    case .blob(let data): return "x'\(Hexadecimal.text(data))'"
    }
  }
}

extension Predicate.Arithmetic {
  var precedence: Int {
    switch self {
    case .add, .subtract: 1
    case .multiply, .divide: 2
    }
  }
}

extension Predicate.Quantifier {
  /// The keyword; nil for `direct`.
  package var word: String? {
    switch self {
    case .direct: nil
    case .any: "ANY"
    case .all: "ALL"
    case .none: "NONE"
    }
  }
}

extension Predicate.StringOptions {
  /// `[c]`, `[d]`, `[cd]` or nothing.
  package var text: String {
    let letters =
      (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}

extension Predicate: CustomStringConvertible {
  /// The text form, with constants in stored form. Parses back to an equal tree unless the schema converts a
  /// constant (lists of one or no condition become plain ones).
  public var description: String { PredicateFormatter(context: nil).text(self) }

  /// The text form, with constants in the form of their attributes: dates, UUIDs, `TRUE` and `FALSE`.
  ///
  /// `parse` returns an equal tree, provided that the predicate is valid for the entity, that its constants
  /// have the stored form of their attributes, and that each `and` and `or` has at least two parts. O(size).
  public func formatted(entity: Entity, in schema: Schema) -> String {
    PredicateFormatter(context: (entity, schema)).text(self)
  }
}

extension Predicate.Operand: CustomStringConvertible {
  /// The text form, with constants in stored form: `tasks.@count`.
  public var description: String { PredicateFormatter(context: nil).text(self, as: .constant) }

  /// The text form for an entity: places in JSON are paths, `payload.user.tags[0]`.
  package func formatted(entity: Entity, in schema: Schema) -> String {
    PredicateFormatter(context: (entity, schema)).text(self, as: .constant)
  }
}

extension SortDescriptor: CustomStringConvertible {
  /// The text form for `SortDescriptor.parse`.
  public var description: String {
    operand.description + options.text + (ascending ? "" : " desc")
  }
}
