import Foundation
import Synchronization

/// The regular expressions of `MATCHES`, compiled once and kept.
package enum RegularExpression {
  private struct Key: Hashable {
    let pattern: String
    let ignoresCase: Bool
  }

  /// nil for patterns that do not compile.
  private static let compiled = Mutex<[Key: NSRegularExpression?]>([:])
  /// Predicates use few patterns; columns used as patterns must not fill memory.
  private static let capacity = 128

  /// Whether the expression matches the whole text; false when it does not compile. Any thread.
  package static func matches(
    _ text: String, _ pattern: String, options: Predicate.StringOptions
  ) -> Bool {
    let marks = options.intersection(.diacriticInsensitive)
    let key = Key(
      pattern: TextFolding.fold(pattern, marks),
      ignoresCase: options.contains(.caseInsensitive))
    guard let expression = expression(for: key) else { return false }
    let text = TextFolding.fold(text, marks)
    let whole = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, range: whole) != nil
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
    // Alone first, so that "a)(b" is not made valid by the group around it.
    guard (try? NSRegularExpression(pattern: key.pattern, options: options)) != nil else {
      return nil
    }
    // The line end closes a comment that `(?x)` allows.
    return
      (try? NSRegularExpression(pattern: "\\A(?:\(key.pattern))\\z", options: options))
      ?? (try? NSRegularExpression(pattern: "\\A(?:\(key.pattern)\n)\\z", options: options))
  }
}
