/// How many stored rows a request would return.
package struct CountQuestion: RequestQuestion, Hashable {
  package let request: FetchRequest

  package init(_ request: FetchRequest) {
    self.request = request
  }

  package func answer(in transaction: any ReadTransaction) throws -> Int {
    try transaction.answer(self)
  }
}

/// About how many rows the entities have, as far as the store knows without counting: of servers, which keep statistics.
package struct EstimatedCountsQuestion: StoreQuestion {
  package init() {}

  package func answer(in transaction: any ReadTransaction) throws -> [EntityIndex: Int] {
    try transaction.answer(self)
  }
}

/// The keys of a request, in its order.
package struct KeysQuestion: RequestQuestion, Hashable {
  package let request: FetchRequest

  package init(_ request: FetchRequest) {
    self.request = request
  }

  package func answer(in transaction: any ReadTransaction) throws -> [RowKey] {
    try transaction.answer(self)
  }
}

/// The keys of a request, and its sections where `path` is one, found in one pass.
///
/// The values of the path come before the request's order. Values that compare as equal are one section.
/// O(rows), besides the sorting.
package struct KeyListQuestion: RequestQuestion, Hashable {
  package let request: FetchRequest
  /// What the rows of a section share; nil for one section of all.
  package let path: [String]?

  package init(_ request: FetchRequest, groupBy path: [String]? = nil) {
    self.request = request
    self.path = path
  }

  package func answer(in transaction: any ReadTransaction) throws -> KeyList {
    try transaction.answer(self)
  }
}

/// The sections of a request in order, without its keys.
package struct SectionsQuestion: RequestQuestion, Hashable {
  package let request: FetchRequest
  /// What the rows of a section share.
  package let path: [String]

  package init(_ request: FetchRequest, groupBy path: [String]) {
    self.request = request
    self.path = path
  }

  package func answer(in transaction: any ReadTransaction) throws -> [KeyList.Section] {
    try transaction.answer(self)
  }
}
