/// Why an effect has no answer, in a sentence.
struct EffectFailure: Error, Hashable, Sendable {
  var message: String

  init(message: String) {
    self.message = message
  }

  /// The failure in the words of an error.
  init(_ error: any Error) {
    message = (error as? EffectFailure)?.message ?? String(describing: error)
  }
}
