public import OpenCombine
public import SwiftDatastore

extension FetchedObjectsController {
  /// Every change of an object in the list, as `observeChanges(_:)` reports it.
  ///
  /// Delivers on the main actor. Every subscriber has its own observation. Never completes.
  public var changesPublisher: AnyPublisher<FetchedObjectsChangeType<T>, Never> {
    ObservationPublisher { receive in
      let relay = Relay(receive: receive)
      let token: ObserverToken = MainActor.assumeIsolated {
        self.observeChanges { relay.receive($0) }
      }
      return { token.cancel() }
    }
    .eraseToAnyPublisher()
  }
}
