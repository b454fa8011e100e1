import DatastoreCore
public import Foundation
import SwiftDatastore

/// The progress of adding a storage to a stack. It shadows the `MigrationProgress` of SwiftDatastore.
public enum MigrationProgress<Storage: StorageInterface>: Sendable {
  /// The storage is being migrated; reported only if that is needed.
  case migrating(storage: Storage, progressObject: Progress)
  /// The stack has the storage.
  case finished(storage: Storage, migrationRequired: Bool)

  /// The completed fraction, from 0 to 1.
  public var fractionCompleted: Double {
    switch self {
    case .migrating(_, let progress): max(progress.fractionCompleted, 0)
    case .finished: 1
    }
  }

  /// Whether the stack has the storage.
  public var isCompleted: Bool { if case .finished = self { true } else { false } }
}

extension DataStack {
  /// Adds a storage like `addStorage(_:completion:)`, and reports its progress; the last report is
  /// `finished` or the error.
  @MainActor package func addStorage<Storage: StorageInterface>(
    _ storage: Storage,
    telling tell:
      @escaping @MainActor @Sendable (Result<MigrationProgress<Storage>, CoreStoreError>) -> Void
  ) {
    let isMigrated = Lock(false)
    // `completion` is called in a later turn of the main actor.
    let progress = addStorage(storage) { result in
      let required = isMigrated.withLock { $0 }
      tell(result.map { .finished(storage: $0, migrationRequired: required) })
    }
    guard let progress else { return }
    isMigrated.withLock { $0 = true }
    progress.setProgressHandler { tell(.success(.migrating(storage: storage, progressObject: $0))) }
  }
}

extension Progress {
  private static let handlerKey = ProgressUserInfoKey(rawValue: "CoreStoreCompatibility.handler")

  /// Calls the closure now, and whenever the migration for which `addStorage` has returned this progress
  /// advances, until another closure or nil is set.
  @MainActor public func setProgressHandler(_ closure: (@MainActor (Progress) -> Void)?) {
    setUserInfoObject(closure, forKey: Self.handlerKey)
    closure?(self)
  }

  /// Counts in thousandths, as steps have different numbers of rows. Does nothing if nothing has changed.
  @MainActor func report(_ fraction: Double) {
    let completed = Int64(fraction * 1000)
    if totalUnitCount == 1000, completedUnitCount == completed { return }
    totalUnitCount = 1000
    completedUnitCount = completed
    (userInfo[Self.handlerKey] as? @MainActor (Progress) -> Void)?(self)
  }
}
