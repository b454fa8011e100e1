import SwiftDatastore

/// A class in a file of its own, so that its private property is not seen by a child.
class HiddenParent: DatastoreObject {
  @Attribute.Optional private var code: String?
}
