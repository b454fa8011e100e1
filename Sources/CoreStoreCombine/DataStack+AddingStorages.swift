public import CoreStoreCompatibility
public import OpenCombine
public import SwiftDatastoreCombine

extension Reactive where Base == DataStack {
  /// Adds a storage in the background, and migrates a file of another version of the model:
  /// `addStorage(_:completion:)`.
  ///
  /// Each subscription adds the storage, and must be made on the main actor; if the stack has the storage
  /// already, the publisher finishes at once. Delivers on the main actor. Cancelling a subscription does not
  /// stop an addition that has begun.
  ///
  /// - Parameter storage: the storage to add.
  /// - Returns: a publisher of the progress, whose last value is `finished`. Fails if the storage cannot be
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
  /// The type of `reactive.addStorage(_:)`.
  public typealias AddStoragePublisher<Storage: StorageInterface> =
    AnyPublisher<MigrationProgress<Storage>, CoreStoreError>
}
