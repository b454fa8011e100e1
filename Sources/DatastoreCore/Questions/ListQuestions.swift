/// The number of stored rows that a request would return.
package struct CountQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = Int

  package let request: FetchRequest

  package init(_ request: FetchRequest) {
    self.request = request
  }
}

/// The approximate numbers of rows of the entities, if the store knows them without counting: servers keep
/// statistics.
package struct EstimatedCountsQuestion: DispensableQuestion, Codable {
  package typealias Answer = [EntityIndex: Int]

  package init() {}

  /// Files keep no row counts.
  package var answerOfNone: [EntityIndex: Int] { [:] }
}

/// The keys of a request, in its order.
package struct KeysQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = [RowKey]

  package let request: FetchRequest

  package init(_ request: FetchRequest) {
    self.request = request
  }
}

/// The keys of a request, and its sections if `path` is set, found in one pass.
///
/// The values of the path come before the request's order. Values that compare as equal are one section.
/// O(rows), besides the sorting.
package struct KeyListQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = KeyList

  package let request: FetchRequest
  /// The path whose value the rows of a section share; nil for a single section.
  package let path: [String]?

  package init(_ request: FetchRequest, groupBy path: [String]? = nil) {
    self.request = request
    self.path = path
  }
}

/// The sections of a request in order, without its keys.
package struct SectionsQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = [KeyList.Section]

  package let request: FetchRequest
  /// The path whose value the rows of a section share.
  package let path: [String]

  package init(_ request: FetchRequest, groupBy path: [String]) {
    self.request = request
    self.path = path
  }
}
