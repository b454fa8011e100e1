public import OpenCombine
public import SwiftDatastore

extension EntityProperty {
  /// The value of the property after every change, as long as it is subscribed to.
  ///
  /// ```swift
  /// employee.$position.newValuePublisher
  ///   .sink { position in … }
  ///   .store(in: &cancellables)
  /// ```
  ///
  /// Delivers at once, on the queue or actor of the object's context, like `observe(_:)`; the current value
  /// is not sent first. Every subscriber has its own observation. Never completes.
  public var newValuePublisher: AnyPublisher<PropertyValue, Never> {
    ObservationPublisher { receive in
      let token: PropertyObservation = self.observe(receive)
      return { token.cancel() }
    }
    .eraseToAnyPublisher()
  }
}
