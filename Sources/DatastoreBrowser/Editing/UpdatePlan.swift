import DatastoreCore

/// The effects of a change of many objects.
struct UpdatePlan: Hashable, Sendable {
  /// One of the first objects, as it is now.
  struct Sample: Hashable, Sendable {
    let name: String
    let old: CellContent
    let new: CellContent
  }

  let target: BulkTarget
  let slot: Slot
  let change: Change
  /// The property: `Employee.salary`.
  let property: String
  /// The new value of all objects, or its computation.
  let new: String
  let samples: [Sample]

  /// The new values.
  enum Change: Hashable, Sendable {
    /// The same value for all.
    case value(Value)
    /// A value for each object. If the objects are staged, those that keep their value are left out; if they
    /// are too many for that, only the first objects are here.
    case computed(ComputedChange, [RowKey: Value])
  }
}
