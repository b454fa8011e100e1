extension EffectRunner {
  /// Begins to report what is staged and saved, and to keep what is staged.
  func begin() {
    service(StagingFeed.self).begin()
    service(RecoveryKeeper.self).begin()
  }
}
