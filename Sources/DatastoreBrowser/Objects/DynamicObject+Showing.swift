import DatastoreCore
import SwiftDatastore

extension DynamicObject {
  /// The value to show. For an object whose deletion is staged this is the stored value, since the object has
  /// already left its relationships.
  func shownValue(at slot: Slot) -> Value {
    willBeDeleted ? committedValue(at: slot) : self[slot]
  }
}
