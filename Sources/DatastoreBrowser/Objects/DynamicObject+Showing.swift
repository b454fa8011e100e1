import DatastoreCore
import SwiftDatastore

extension DynamicObject {
  /// The value that the screens show: that of the store for objects whose deletion is staged, which
  /// have left their relationships already.
  func shownValue(at slot: Slot) -> Value {
    willBeDeleted ? committedValue(at: slot) : self[slot]
  }
}
