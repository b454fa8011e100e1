public import CoreStoreCompatibility
public import Foundation
public import OpenCombine
public import SwiftDatastoreCombine

/// How far a storage is that is added to a stack.
public enum StorageProgress<Storage: StorageInterface> {
  /// The storage is migrated; comes only where that is needed.
  case migrating(storage: Storage, progressObject: Progress)
  /// The stack has the storage.
  case finished(storage: Storage, migrationRequired: Bool)

  /// How much is done, from 0 to 1.
  public var fractionCompleted: Double {
    switch self {
    case .migrating(_, let progress): max(progress.fractionCompleted, 0)
    case .finished: 1
    }
  }
}

extension Reactive where Base == DataStack {
  /// Adds a storage in the background, and migrates a file that was made with another version of the model:
  /// `addStorage(_:completion:)`.
  ///
  /// Each subscription, which is made on the main actor, adds it; where the stack has it already, that ends at once.
  /// Delivers on the main actor. What has begun is ended also where the subscription is cancelled.
  ///
  /// - Parameter storage: the storage.
  /// - Returns: a publisher of how far it is, of which the last is `finished`, or of why it could not be added.
  public func addStorage<Storage: StorageInterface>(
    _ storage: Storage
  ) -> AnyPublisher<StorageProgress<Storage>, CoreStoreError> {
    let base = base
    return Deferred {
      let subject = PassthroughSubject<StorageProgress<Storage>, CoreStoreError>()
      let send = Relay { subject.send($0) }
      let end = Relay { subject.send(completion: $0) }
      MainActor.assumeIsolated { Addition(send, end).begin(storage, in: base) }
      return subject
    }
    .eraseToAnyPublisher()
  }
}

/// What is told while one storage is added.
@MainActor
private final class Addition<Storage: StorageInterface> {
  private let send: Relay<StorageProgress<Storage>>
  private let end: Relay<Subscribers.Completion<CoreStoreError>>
  private var isMigrated = false

  init(
    _ send: Relay<StorageProgress<Storage>>,
    _ end: Relay<Subscribers.Completion<CoreStoreError>>
  ) {
    self.send = send
    self.end = end
  }

  func begin(_ storage: Storage, in dataStack: DataStack) {
    // `completion` is called in a later turn of the main actor.
    let progress = dataStack.addStorage(storage) { [self] result in
      switch result {
      case .success(let storage):
        send.receive(.finished(storage: storage, migrationRequired: isMigrated))
        end.receive(.finished)
      case .failure(let error): end.receive(.failure(error))
      }
    }
    guard let progress else { return }
    isMigrated = true
    progress.setProgressHandler { [send] in
      send.receive(.migrating(storage: storage, progressObject: $0))
    }
  }
}
