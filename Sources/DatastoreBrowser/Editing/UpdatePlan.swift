import DatastoreCore

/// What a change of many objects would do.
struct UpdatePlan: Hashable, Sendable {
  /// One of the first objects, as it is now.
  struct Sample: Hashable, Sendable {
    let name: String
    let old: CellContent
  }

  let target: BulkTarget
  let slot: Slot
  let value: Value
  /// `Employee.salary`.
  let property: String
  let new: CellContent
  let samples: [Sample]
}
