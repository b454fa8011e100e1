public import SwiftDatastore

/// A column of a ``Table``.
public struct TableColumn<T: DatastoreObject> {
  let title: String
  let width: Int?
  let role: TextRole
  let isTrailing: Bool
  let text: @MainActor (ObjectSnapshot<T>) -> String

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - title: the text above the column. A table whose columns have no titles has no title row.
  ///   - width: the width in cells; columns without a width share the remaining cells.
  ///   - role: the meaning of the texts.
  ///   - isTrailing: whether the texts are right-aligned, as numbers are.
  ///   - text: the text for an object, called for objects on the screen only. It is called again when the
  ///     object changes, but not when an object changes that it refers to.
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
