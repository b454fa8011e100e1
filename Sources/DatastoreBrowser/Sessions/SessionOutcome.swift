/// The outcome of replaying a session.
package struct SessionOutcome: Sendable {
  /// Why the last step could not be performed, as a sentence; nil if all steps were.
  package var failure: String?
  /// The unsaved changes, which are lost: `2 changed`.
  package var unsaved: String?
}
