public import SwiftDatastore

/// A column of a ``Table``.
public struct TableColumn<T: DatastoreObject> {
  let title: String
  let width: Int?
  let role: TextRole
  let isTrailing: Bool
  let text: @MainActor (ObjectSnapshot<T>) -> String

  /// Makes a column.
  ///
  /// - Parameters:
  ///   - title: shown above it. A table whose columns have no titles has no row of titles.
  ///   - width: in cells; columns without one share what the others leave.
  ///   - role: what its texts mean.
  ///   - isTrailing: whether they are at the right end, as numbers do.
  ///   - text: the text of an object; asked for the objects on the screen only. It is drawn again when
  ///     the object changes, but not for changes of other objects that it leads to.
  public init(
    _ title: String = "", width: Int? = nil, role: TextRole = .text, isTrailing: Bool = false,
    text: @escaping @MainActor (ObjectSnapshot<T>) -> String
  ) {
    self.title = title
    self.width = width
    self.role = role
    self.isTrailing = isTrailing
    self.text = text
  }
}
