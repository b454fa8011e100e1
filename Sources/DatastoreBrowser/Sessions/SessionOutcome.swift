/// How the replay of a session has ended.
package struct SessionOutcome: Sendable {
  /// Why a step could not be done, which was the last one, as a sentence; nil when all were done.
  package var failure: String?
  /// What was changed and not saved, and is lost now: `2 changed`.
  package var unsaved: String?
}
