/// An object, known by its entity's index and its key.
struct ObjectReference: Hashable, Sendable {
  var entity: Int
  var key: Int64
}
