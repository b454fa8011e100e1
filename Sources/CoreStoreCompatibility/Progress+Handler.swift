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

  @MainActor
  func report(completed: Int64, of total: Int64) {
    totalUnitCount = total
    completedUnitCount = completed
    (userInfo[Self.handlerKey] as? @MainActor (Progress) -> Void)?(self)
  }
}
