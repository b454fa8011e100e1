public import SwiftDatastore

/// A list that a view shows: the view is drawn again when the list changes, once for all that belongs
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
/// The value is the list as it is: `ListSnapshot`. `$contacts` is its ``ListAdapter``, which knows what is
/// selected; widgets take that. The list is read off the main actor when it is drawn first; until then it is
/// empty.
@MainActor
@propertyWrapper
public struct ListState<T: DatastoreObject> {
  /// The selection, and where the list comes from.
  public let projectedValue: ListAdapter<T>

  /// The list that a publisher has.
  ///
  /// - Parameter publisher: where the list comes from; read when it is drawn first, unless it was read
  ///   before.
  public init(_ publisher: ListPublisher<T>) {
    projectedValue = ListAdapter(publisher)
  }

  /// The list of a query. Traps without an order, and for a class that is not part of the datastore's model.
  ///
  /// - Parameters:
  ///   - viewContext: the context its objects belong to.
  ///   - query: which objects, in which order and sections.
  public init(_ viewContext: SwiftDatastoreViewContext, _ query: From<T>) {
    self.init(ListPublisher(viewContext: viewContext, query))
  }

  /// The list as it is.
  public var wrappedValue: ListSnapshot<T> {
    if let drawing = Drawing.current { projectedValue.follow(in: drawing) }
    return projectedValue.snapshot
  }
}
