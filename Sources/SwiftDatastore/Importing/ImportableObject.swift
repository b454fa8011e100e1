/// A class whose objects are made from outside data: a dictionary, a decoded value, a line.
///
/// ```swift
/// extension Visit: ImportableObject {
///   typealias ImportSource = (page: String, seconds: Int)
///
///   func didInsert(from source: ImportSource, in context: any ObjectContext) throws {
///     page = source.page
///     seconds = source.seconds
///   }
/// }
///
/// try context.importObjects(Visit.self, from: lines)
/// ```
///
/// Each source makes a new object. If a source may update an existing object, conform to
/// `ImportableUniqueObject`.
public protocol ImportableObject: DatastoreObject {
  /// The type of a source.
  associatedtype ImportSource

  /// Whether a source makes a new object; true by default. Other sources are skipped.
  ///
  /// - Parameters:
  ///   - source: the source.
  ///   - context: the context that imports.
  static func shouldInsert(from source: ImportSource, in context: any ObjectContext) -> Bool

  /// Sets the values of a new object. Called once the object has its defaults, after `objectDidCreate()`.
  ///
  /// It may fetch, create, change and import other objects in the context, and must not save it.
  ///
  /// - Parameters:
  ///   - source: the source.
  ///   - context: the context that imports.
  /// - Throws: an error if the source cannot be imported; the whole call is undone then.
  func didInsert(from source: ImportSource, in context: any ObjectContext) throws
}

extension ImportableObject {
  public static func shouldInsert(
    from source: ImportSource, in context: any ObjectContext
  ) -> Bool { true }
}
