/// Something failed, and what had been made for it could not be removed again.
package struct LeftoverError: Error, Sendable, CustomStringConvertible {
  /// What failed first.
  package let error: any Error
  /// What is left, and why, as a sentence.
  package let leftover: String

  package var description: String { "\(error) \(leftover)" }

  /// The error to report after `error`: itself where `remove` succeeds, and otherwise both.
  ///
  /// - Parameter name: where it was made, as people know it.
  package static func removing(
    _ name: String, after error: any Error, by remove: () throws -> Void
  ) -> any Error {
    do {
      try remove()
      return error
    } catch let reason {
      return LeftoverError(
        error: error,
        leftover: "What was made for it in \(name) could not be removed again: \(reason)")
    }
  }
}
