extension EffectRunner {
  /// Begins to tell of what is staged and saved, and to keep what is staged.
  func begin() {
    service(StagingFeed.self).begin()
    service(RecoveryKeeper.self).begin()
  }
}
