public import Foundation

extension Progress {
  private static let handlerKey = ProgressUserInfoKey(rawValue: "CoreStoreCompatibility.handler")

  /// Calls the closure now, and whenever the migration that `addStorage` has returned this progress for has gone on, until
  /// another one or nil is set.
  @MainActor
  public func setProgressHandler(_ closure: (@MainActor (Progress) -> Void)?) {
    setUserInfoObject(closure, forKey: Self.handlerKey)
    closure?(self)
  }

  /// Counts in thousandths, as steps have different numbers of rows. Does nothing where nothing has changed.
  @MainActor
  func report(_ fraction: Double) {
    let completed = Int64(fraction * 1000)
    if totalUnitCount == 1000, completedUnitCount == completed { return }
    totalUnitCount = 1000
    completedUnitCount = completed
    (userInfo[Self.handlerKey] as? @MainActor (Progress) -> Void)?(self)
  }
}
