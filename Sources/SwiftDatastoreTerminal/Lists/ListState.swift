public import SwiftDatastore

/// A list that a view shows. A change of the list redraws the view, once for all changes that belong
/// together.
///
/// ```swift
/// @ListState var contacts: ListSnapshot<Contact>
///
/// init(_ context: SwiftDatastoreViewContext) {
///   _contacts = ListState(context, From<Contact>().orderBy(.asc(\.$name)))
/// }
/// ```
///
/// The value is the current list, a `ListSnapshot`. `$contacts` is its ``ListAdapter``, which holds the
/// selection; widgets take the adapter. The first drawing reads the list off the main actor; until then the
/// list is empty.
@MainActor
@propertyWrapper
public struct ListState<T: DatastoreObject> {
  /// The adapter: the selection and the publisher of the list.
  public let projectedValue: ListAdapter<T>

  /// Creates a state that shows the list of a publisher.
  ///
  /// - Parameter publisher: the publisher of the list. The first drawing reads the list, unless it was read
  ///   before.
  public init(_ publisher: ListPublisher<T>) {
    projectedValue = ListAdapter(publisher)
  }

  /// Creates a state that shows the list of a query. Traps without an order, and for a class that is not part
  /// of the datastore's model.
  ///
  /// - Parameters:
  ///   - viewContext: the context that the objects belong to.
  ///   - query: the objects, their order and their sections.
  public init(_ viewContext: SwiftDatastoreViewContext, _ query: From<T>) {
    self.init(ListPublisher(viewContext: viewContext, query))
  }

  /// The current list.
  public var wrappedValue: ListSnapshot<T> {
    if let drawing = Drawing.current { projectedValue.follow(in: drawing) }
    return projectedValue.snapshot
  }
}
