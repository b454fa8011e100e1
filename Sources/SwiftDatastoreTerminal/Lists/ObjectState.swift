public import SwiftDatastore

/// An object that a view shows. The view is redrawn when the object changes, and when another object takes
/// its place.
///
/// ```swift
/// @ObjectState var owner: ObjectSnapshot<Contact>?
///
/// init(_ contact: Contact, in context: SwiftDatastoreViewContext) {
///   _owner = ObjectState(context.publisher(of: contact))
/// }
/// ```
///
/// The value is a snapshot of the object, nil once it is deleted. `$owner` is its publisher; assign another
/// publisher to show another object.
@MainActor
@propertyWrapper
public struct ObjectState<T: DatastoreObject> {
  private final class Storage {
    var publisher: ObjectPublisher<T>?
    /// Requests another picture.
    var needsDrawing: (@MainActor () -> Void)?

    init(_ publisher: ObjectPublisher<T>?) { self.publisher = publisher }
  }

  private let storage: Storage

  /// Creates a state that shows the object of a publisher.
  ///
  /// - Parameter publisher: the publisher of the object; nil while there is no object.
  public init(_ publisher: ObjectPublisher<T>? = nil) {
    storage = Storage(publisher)
  }

  /// The current values of the object with its staged changes; nil if there is no object. Reads the row if
  /// its values are not in memory.
  public var wrappedValue: ObjectSnapshot<T>? {
    if let drawing = Drawing.current {
      storage.needsDrawing = drawing.needsAnother
      if let publisher = storage.publisher { drawing.followed.follow(publisher) }
    }
    return storage.publisher?.snapshot
  }

  /// The publisher of the object.
  public var projectedValue: ObjectPublisher<T>? {
    get { storage.publisher }
    nonmutating set {
      storage.publisher = newValue
      storage.needsDrawing?()
    }
  }
}
