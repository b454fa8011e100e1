import Foundation

/// Regular expressions of conditions and rules, compiled once and cached.
package enum RegularExpression {
  private struct Key: Hashable {
    let pattern: String
    let ignoresCase: Bool
  }

  /// nil for patterns that do not compile.
  private static let compiled = Lock<[Key: NSRegularExpression?]>([:])
  /// Predicates use few patterns; columns used as patterns must not fill memory.
  private static let capacity = 128

  /// How often ICU may report progress on one text, about every 10,000 steps, before it is stopped. Counts
  /// steps, not time, so that the same text gives the same result on every machine.
  private static let reportsAllowed = 400

  /// The error of a match that was given up: the expression tries too many ways to match the text.
  package struct Exhaustion: Error, Hashable, CustomStringConvertible {
    package let pattern: String

    /// The beginning of every such sentence, by which errors that SQLite passes on are recognised.
    package static let opening = "The regular expression “"

    package var description: String {
      "\(Self.opening)\(pattern)” was given up after millions of steps on one text; write it without "
        + "repetitions of repetitions, such as (a+)+."
    }
  }

  /// Whether the expression matches the whole text; false when it does not compile. Any thread.
  ///
  /// Backtracking may take exponential time, so it is stopped after some millions of steps.
  package static func matches(
    _ text: String, _ pattern: String, ignoringCase: Bool = false
  ) throws(Exhaustion) -> Bool {
    let key = Key(pattern: pattern, ignoresCase: ignoringCase)
    guard let expression = expression(for: key) else { return false }
    let whole = NSRange(location: 0, length: text.utf16.count)
    var isMatch = false
    var reports = 0
    // ICU has its own limit for its stack, at which it finds no match.
    expression.enumerateMatches(in: text, options: .reportProgress, range: whole) {
      match, _, stop in
      if match != nil {
        isMatch = true
        stop.pointee = true
      } else {
        reports += 1
        if reports > reportsAllowed { stop.pointee = true }
      }
    }
    if !isMatch, reports > reportsAllowed { throw Exhaustion(pattern: pattern) }
    return isMatch
  }

  /// Whether the pattern compiles.
  package static func isValid(_ pattern: String) -> Bool {
    expression(for: Key(pattern: pattern, ignoresCase: false)) != nil
  }

  private static func expression(for key: Key) -> NSRegularExpression? {
    if let known = compiled.withLock({ $0[key] }) { return known }
    let expression = compile(key)
    compiled.withLock { compiled in
      if compiled.count >= capacity { compiled.removeAll(keepingCapacity: true) }
      compiled[key] = .some(expression)
    }
    return expression
  }

  private static func compile(_ key: Key) -> NSRegularExpression? {
    let options: NSRegularExpression.Options = key.ignoresCase ? .caseInsensitive : []
    // Compiled alone first, so that the group around it does not make "a)(b" valid. The empty pattern, which
    // matches the empty text, does not compile alone.
    guard
      key.pattern.isEmpty
        || (try? NSRegularExpression(pattern: key.pattern, options: options)) != nil
    else { return nil }
    // The line end closes a comment that `(?x)` allows.
    return
      (try? NSRegularExpression(pattern: "\\A(?:\(key.pattern))\\z", options: options))
      ?? (try? NSRegularExpression(pattern: "\\A(?:\(key.pattern)\n)\\z", options: options))
  }
}
