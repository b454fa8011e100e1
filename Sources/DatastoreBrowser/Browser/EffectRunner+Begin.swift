extension EffectRunner {
  /// Starts to report staged and saved changes, and to record staged changes for recovery.
  func begin() {
    service(StagingFeed.self).begin()
    service(RecoveryKeeper.self).begin()
  }
}
