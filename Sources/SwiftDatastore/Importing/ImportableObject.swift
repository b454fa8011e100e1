/// A class whose objects are made from something that comes from outside: a dictionary, a decoded value, a
/// line.
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
/// Each source makes a new object. Where a source may be about an existing object, conform to
/// `ImportableUniqueObject`.
public protocol ImportableObject: DatastoreObject {
  /// What an object is made from.
  associatedtype ImportSource

  /// Whether a source makes a new object; true unless the class says otherwise. Sources that do not are
  /// passed over.
  ///
  /// - Parameters:
  ///   - source: the source.
  ///   - context: the context that imports.
  static func shouldInsert(from source: ImportSource, in context: any ObjectContext) -> Bool

  /// Gives a new object its values. Called once the object has its defaults, after `objectDidCreate()`.
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
