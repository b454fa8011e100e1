public import SwiftDatastore

/// An object that a view shows: the view is drawn again when its content changes, or when it becomes another
/// object.
///
/// ```swift
/// @ObjectState var owner: ObjectSnapshot<Contact>?
///
/// init(_ contact: Contact, in context: SwiftDatastoreViewContext) {
///   _owner = ObjectState(context.publisher(of: contact))
/// }
/// ```
///
/// The value is what the object has now, and nil when it is deleted. `$owner` is its publisher; another one
/// can be assigned to it.
@MainActor
@propertyWrapper
public struct ObjectState<T: DatastoreObject> {
  private final class Storage {
    var publisher: ObjectPublisher<T>?
    /// Asks for another picture.
    var needsDrawing: (@MainActor () -> Void)?

    init(_ publisher: ObjectPublisher<T>?) { self.publisher = publisher }
  }

  private let storage: Storage

  /// The object of a publisher.
  ///
  /// - Parameter publisher: where its values come from; nil while there is no object.
  public init(_ publisher: ObjectPublisher<T>? = nil) {
    storage = Storage(publisher)
  }

  /// The values of the object now, with what is staged; nil when there is none. Reads the row when its values
  /// are not in memory.
  public var wrappedValue: ObjectSnapshot<T>? {
    if let drawing = Drawing.current {
      storage.needsDrawing = drawing.needsAnother
      if let publisher = storage.publisher { drawing.followed.follow(publisher) }
    }
    return storage.publisher?.snapshot
  }

  /// Where its values come from.
  public var projectedValue: ObjectPublisher<T>? {
    get { storage.publisher }
    nonmutating set {
      storage.publisher = newValue
      storage.needsDrawing?()
    }
  }
}
