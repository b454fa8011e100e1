import DatastoreCore

/// What a pivot is asked of: two groupings of the rows that the table shows, and what is computed for each
/// pair of groups.
struct PivotRequest: Hashable, Sendable {
  /// One of the groupings.
  struct Axis: Hashable, Sendable {
    let path: [String]
    let format: GroupFormat?

    var title: String { GroupTitle(path).description }
  }

  /// Tells the answers of one request from those of another.
  let number: Int
  let query: TableQuery
  let rows: Axis
  let columns: Axis
  let measure: Measure
}
