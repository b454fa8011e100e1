import DatastoreCore

/// What a change of many objects would do.
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
  /// `Employee.salary`.
  let property: String
  /// The value that all get, or how it is computed.
  let new: String
  let samples: [Sample]

  /// What the objects get.
  enum Change: Hashable, Sendable {
    /// The same value for all.
    case value(Value)
    /// Each its own: of the objects that are staged, those that keep theirs left out; of the first ones where
    /// there are too many to be staged.
    case computed(ComputedChange, [RowKey: Value])
  }
}
