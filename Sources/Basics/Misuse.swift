/// Ends the program because a rule of its interface was broken.
///
/// Swift's own `preconditionFailure` says its sentence in debug builds only: a release program would end with
/// "Illegal instruction" and nothing else. `fatalError` says it in every build, so misuse goes through this
/// one function; `make lint` refuses the others.
///
/// - Parameter rule: The sentence for the programmer: the action, the object, and the allowed alternatives.
@inlinable
package func trap(
  _ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError(rule(), file: file, line: line)
}

/// Ends the program with a sentence unless a rule of its interface holds; says it in every build, unlike
/// `precondition`.
///
/// - Parameters:
///   - condition: The condition that must hold.
///   - rule: The sentence for the programmer; built only when the rule is broken.
@inlinable
package func require(
  _ condition: @autoclosure () -> Bool, _ rule: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  if !condition() { trap(rule(), file: file, line: line) }
}
