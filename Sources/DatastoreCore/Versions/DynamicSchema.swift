/// A version of a model, however it is described: by classes (`SwiftDatastoreModel`), or by what was written down of it
/// (`FrozenSchema`).
public protocol DynamicSchema: Sendable {
  /// The name of the version; nil for a model that has none.
  var modelVersion: String? { get }
  /// The entities.
  var schema: Schema { get }
}
