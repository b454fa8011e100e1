public import SwiftDatastore

/// Widgets made from the values of an object, and made again when they change.
///
/// ```swift
/// ObjectReader($contacts.selection) { contact in
///   Fields(["Name": contact.$name, "Phone": contact.$phone])
/// } placeholder: {
///   Line("No contact.", role: .dim)
/// }
/// ```
public struct ObjectReader<T: DatastoreObject>: Widget {
  private let publisher: ObjectPublisher<T>?
  private let content: @MainActor (ObjectSnapshot<T>) -> [any Widget]
  private let placeholder: @MainActor () -> [any Widget]

  /// Creates widgets from an object.
  ///
  /// - Parameters:
  ///   - publisher: the publisher of the object: the `selection` of a ``ListAdapter``, or `$owner` of an
  ///     ``ObjectState``.
  ///   - content: the widgets, from top to bottom.
  ///   - placeholder: the text if there is no object, or if it is deleted.
  public init(
    _ publisher: ObjectPublisher<T>?,
    @WidgetBuilder content: @escaping @MainActor (ObjectSnapshot<T>) -> [any Widget],
    @WidgetBuilder placeholder: @escaping @MainActor () -> [any Widget] = { [] }
  ) {
    self.publisher = publisher
    self.content = content
    self.placeholder = placeholder
  }

  public func height(columns: Int) -> Int? { widgets.height(columns: columns) }

  public func draw(in canvas: Canvas) {
    if let publisher { canvas.drawing.followed.follow(publisher) }
    widgets.draw(in: canvas)
  }

  private var widgets: Stack {
    Stack(publisher?.snapshot.map(content) ?? placeholder())
  }
}
