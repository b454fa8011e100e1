/// Why an effect has failed, as a sentence.
struct EffectFailure: Error, Hashable, Sendable {
  var message: String

  init(message: String) {
    self.message = message
  }

  /// Describes an error.
  init(_ error: any Error) {
    message = (error as? EffectFailure)?.message ?? String(describing: error)
  }
}
