public import CoreStoreCompatibility
public import OpenCombine
public import SwiftDatastoreCombine

extension Reactive where Base == DataStack {
  /// Adds a storage in the background, and migrates a file that was made with another version of the model:
  /// `addStorage(_:completion:)`.
  ///
  /// Each subscription, which is made on the main actor, adds it; where the stack has it already, that ends
  /// at once. Delivers on the main actor. What has begun is ended also where the subscription is cancelled.
  ///
  /// - Parameter storage: the storage.
  /// - Returns: a publisher of how far it is, of which the last is `finished`, or of why it could not be
  ///   added.
  public func addStorage<Storage: StorageInterface>(
    _ storage: Storage
  ) -> DataStack.AddStoragePublisher<Storage> {
    let base = base
    return Deferred {
      let subject = PassthroughSubject<MigrationProgress<Storage>, CoreStoreError>()
      let send = Relay { subject.send($0) }
      let end = Relay { subject.send(completion: $0) }
      MainActor.assumeIsolated {
        base.addStorage(storage) { told in
          switch told {
          case .success(let progress):
            send.receive(progress)
            if progress.isCompleted { end.receive(.finished) }
          case .failure(let error): end.receive(.failure(error))
          }
        }
      }
      return subject
    }
    .eraseToAnyPublisher()
  }
}

extension DataStack {
  /// What `reactive.addStorage(_:)` gives.
  public typealias AddStoragePublisher<Storage: StorageInterface> =
    AnyPublisher<MigrationProgress<Storage>, CoreStoreError>
}
