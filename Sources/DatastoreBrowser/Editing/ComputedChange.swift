import Basics
import DatastoreCore
import Foundation

/// A computation of many objects' values from their current ones: `= salary * 1.03`, or `s/old/new/` for
/// texts.
struct ComputedChange: Hashable, Sendable {
  private enum Rule: Hashable, Sendable {
    case expression(DatastoreCore.Predicate.Operand)
    /// Replaces every match, or the first one, of a regular expression; `$1` is its first group.
    case replacement(pattern: String, template: String, ignoresCase: Bool, isEverywhere: Bool)
  }

  /// The text as the user typed it.
  let text: String
  private let rule: Rule

  /// Whether a typed text is a computation for many objects. A text may also begin with `=` itself.
  static func isOne(_ text: String, for attribute: AttributeDescription) -> Bool {
    text.hasPrefix(attribute.type == .string ? "= " : "=") || text.wholeMatch(of: replacing) != nil
  }

  /// `s/old/new/`, with `\\/` for a slash, and `g` or `i` at the end.
  private static var replacing: Regex<(Substring, Substring, Substring, Substring)> {
    /s\/((?:[^\/\\]|\\.)+)\/((?:[^\/\\]|\\.)*)\/([gi]*)/
  }

  /// - Throws: `ValueFault` for an invalid computation.
  init(_ text: String, entity: Entity, in schema: Schema) throws(ValueFault) {
    self.text = text
    if let match = text.wholeMatch(of: Self.replacing) {
      let flags = match.output.3
      let pattern = Quoting.substituting("\\/", with: "/", in: String(match.output.1))
      guard (try? NSRegularExpression(pattern: pattern)) != nil else {
        throw ValueFault("“\(pattern)” is not a regular expression.")
      }
      rule = .replacement(
        pattern: pattern,
        template: Self.template(Quoting.substituting("\\/", with: "/", in: String(match.output.2))),
        ignoresCase: flags.contains("i"), isEverywhere: flags.contains("g"))
      return
    }
    do {
      rule = .expression(
        try DatastoreCore.Predicate.Operand.parse(
          String(text.dropFirst(text.hasPrefix("= ") ? 2 : 1)), entity: entity, in: schema))
    } catch {
      throw ValueFault(error.message)
    }
  }

  /// Translates `\\1` of sed to `$1` of ICU.
  private static func template(_ text: String) -> String {
    text.replacing(/\\([0-9])/) { "$\($0.output.1)" }
  }

  /// The relationships whose objects must be in memory.
  var relationships: Set<String> {
    guard case .expression(let operand) = rule else { return [] }
    return Set(operand.keyPaths.filter { $0.count > 1 }.compactMap(\.first))
  }

  /// The stored properties of an object that its new value is computed from.
  func sources(in entity: Entity) -> SlotSet {
    guard case .expression(let operand) = rule else { return SlotSet() }
    let slots = operand.keyPaths.compactMap { path in
      path.first.flatMap { entity.slot(named: $0) }
    }
    return SlotSet(slots.filter { entity.rowSlots.contains($0) })
  }

  /// The new value of an object; nil if it keeps the current one.
  ///
  /// - Throws: `ValueFault` if the attribute cannot hold the value.
  func value(
    of object: some PredicateSubject, replacing old: Value, _ attribute: AttributeDescription
  ) throws(ValueFault) -> Value? {
    switch rule {
    case .expression(let operand):
      let computed = operand.value(of: object)
      let value = try fitting(computed, replacing: old, attribute)
      return value == old ? nil : value
    case .replacement(let pattern, let template, let ignoresCase, let isEverywhere):
      guard case .text(let text) = old,
        let expression = try? NSRegularExpression(
          pattern: pattern, options: ignoresCase ? .caseInsensitive : [])
      else { return nil }
      let whole = NSRange(text.startIndex..., in: text)
      guard let first = expression.firstMatch(in: text, range: whole) else { return nil }
      let replaced = expression.stringByReplacingMatches(
        in: text, range: isEverywhere ? whole : first.range, withTemplate: template)
      guard replaced != text else { return nil }
      return try ValueForm(attribute).parse(replaced, replacing: old)
    }
  }

  private func fitting(
    _ value: Value, replacing old: Value, _ attribute: AttributeDescription
  ) throws(ValueFault) -> Value {
    let form = ValueForm(attribute)
    switch value {
    case .null:
      guard attribute.isOptional else { throw ValueFault("\(attribute.name) needs a value.") }
      return .null
    case .blob: return value
    case .text(let text): return try form.parse(text, replacing: old)
    case .integer, .real:
      // Dates that are stored as numbers are computed as dates.
      if attribute.dateConvention != nil || attribute.type == .date { return value }
      if case .real(let real) = value, real == real.rounded(), attribute.type.isInteger,
        let integer = Int64(exactly: real)
      {
        return try form.parse(String(integer), replacing: old)
      }
      return try form.parse(form.text(of: value), replacing: old)
    }
  }
}
