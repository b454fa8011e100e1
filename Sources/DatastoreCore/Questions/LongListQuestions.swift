/// The keys of a request and its sections, like `KeyListQuestion`; for a list that is too long for memory
/// only their number, and the first keys.
///
/// Up to a number of keys, a list is read as a whole without being counted first. A longer list and its
/// sections are counted, and the keys read so far are its beginning. `KeyWindowQuestion` reads the rest where
/// it is accessed. Lists in an order that requires sorting are read as a whole, whatever their length: each
/// window would sort them all.
package struct LongListQuestion: RequestQuestion, ComposedQuestion, Codable {
  package typealias Answer = KeyList

  package let list: KeyListQuestion
  /// The order of the whole list, its group key first; nil if rows cannot be found by their values.
  package let order: KeysetOrder?
  /// The greatest number of keys to read as a whole.
  package let mostKeys: Int
  /// Whether the list was longer the last time: it is then counted at once, and not read.
  package let wasLonger: Bool

  package var request: FetchRequest { list.request }

  package init(
    _ list: KeyListQuestion, in order: KeysetOrder?, mostKeys: Int, wasLonger: Bool = false
  ) {
    self.list = list
    self.order = order
    self.mostKeys = mostKeys
    self.wasLonger = wasLonger
  }

  package func answer(in transaction: any ReadTransaction) throws -> KeyList {
    guard let order, request.limit == 0, request.offset == 0, mostKeys < .max else {
      return try transaction.answer(list)
    }
    // Otherwise finding only the beginning may cost as much as the whole list, or more.
    let isWholeTable = order.isOfKeys && request.predicate == nil
    guard try isWholeTable || isFound(order, in: transaction) else {
      return try transaction.answer(list)
    }
    var beginning = KeyList()
    if !wasLonger {
      var first = request
      first.limit = mostKeys + 1
      beginning = try transaction.answer(KeyListQuestion(first, groupBy: list.path))
      if beginning.keys.count <= mostKeys { return beginning }
    }
    guard try !isWholeTable || isFound(order, in: transaction) else {
      return try transaction.answer(list)
    }
    let sections =
      try list.path.map { try transaction.answer(SectionsQuestion(request, groupBy: $0)) }
      ?? [.init(value: .null, count: transaction.answer(CountQuestion(request)))]
    let count = sections.reduce(0) { $0 + $1.count }
    if wasLonger, count <= mostKeys { return try transaction.answer(list) }
    if let keys = try unbroken(count, order, in: transaction) {
      return KeyList(keys: keys, sections: sections)
    }
    var keys = KeyChunks(unread: count)
    if beginning.keys.count <= count {
      keys.replaceSubrange(0..<beginning.keys.count, with: beginning.keys)
    }
    return KeyList(keys: keys, sections: sections)
  }

  private func isFound(_ order: KeysetOrder, in transaction: any ReadTransaction) throws -> Bool {
    var first = order.indexedPart.of(request)
    // So few that no engine would prefer to sort everything.
    first.limit = 128
    return try transaction.answer(KeysetQuestion(first))
  }

  /// The keys as a run, if there are as many as numbers from the first to the last, which is usual.
  private func unbroken(
    _ count: Int, _ order: KeysetOrder, in transaction: any ReadTransaction
  ) throws -> KeyChunks? {
    guard order.isOfKeys, count > 0 else { return nil }
    let ends = try [order, order.reversed].map {
      try KeyWindowQuestion(request, in: $0, count: 1).answer(in: transaction)?.first
    }
    guard let first = ends[0], let last = ends[1] else { return nil }
    let (distance, isHuge) = last.rawValue.subtractingReportingOverflow(first.rawValue)
    return !isHuge && distance == Int64(count - 1) ? KeyChunks(first...last) : nil
  }
}

/// Consecutive keys of a request: those after a row, or the first ones.
///
/// nil if the row no longer exists. Keys from the end come in reverse order (`KeysetOrder.reversed`). O(keys
/// + skipped keys), if an index has the order.
package struct KeyWindowQuestion: RequestQuestion, ComposedQuestion, Hashable, Codable {
  package typealias Answer = [RowKey]?

  package let request: FetchRequest
  package let order: KeysetOrder
  /// The row before the skipped keys and the answer; nil for the beginning.
  package let row: RowKey?
  /// The number of keys to skip after the row.
  package let skip: Int
  package let count: Int

  /// The number of keys read at a time.
  package static let length = 16_384

  package init(
    _ request: FetchRequest, in order: KeysetOrder, after row: RowKey? = nil,
    skipping skip: Int = 0,
    count: Int
  ) {
    self.request = request
    self.order = order
    self.row = row
    self.skip = skip
    self.count = count
  }

  package func answer(in transaction: any ReadTransaction) throws -> [RowKey]? {
    guard let parts = try parts(in: transaction) else { return nil }
    var keys: [RowKey] = []
    var skip = skip
    for part in parts where keys.count < count {
      var rows = part.of(request)
      rows.offset = skip
      rows.limit = count - keys.count
      let found = try transaction.answer(KeysQuestion(rows))
      keys += found
      if found.isEmpty, skip > 0 {
        rows.offset = 0
        rows.limit = skip
        skip -= try transaction.answer(CountQuestion(rows))
      } else {
        skip = 0
      }
    }
    return keys
  }

  private func parts(in transaction: any ReadTransaction) throws -> [KeysetOrder.Part]? {
    guard let row else { return order.parts }
    if order.paths.isEmpty { return order.parts(after: [], key: row) }
    let own = FetchRequest(
      entity: request.entity,
      predicate: .comparison(.init(.keyPath([]), .equal, .value(.key(row)))))
    let found = try transaction.answer(ValuesQuestion(of: order.paths, in: own))
    return found.first.map { order.parts(after: $0, key: row) }
  }
}

/// Whether the store finds the keys of a request with a limit without reading and sorting all rows, and
/// whether these keys are the default order of the rows.
package struct KeysetQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = Bool

  package let request: FetchRequest

  package init(_ request: FetchRequest) {
    self.request = request
  }
}

/// The number of rows of a request before one of them; nil if that row no longer exists.
///
/// O(rows before it), if an index has the order.
package struct RowPlaceQuestion: RequestQuestion, ComposedQuestion, Hashable, Codable {
  package typealias Answer = Int?

  package let request: FetchRequest
  package let order: KeysetOrder
  package let row: RowKey

  package init(_ row: RowKey, of request: FetchRequest, in order: KeysetOrder) {
    self.row = row
    self.request = request
    self.order = order
  }

  package func answer(in transaction: any ReadTransaction) throws -> Int? {
    var own = request
    let isRow = Predicate.comparison(.init(.keyPath([]), .equal, .value(.key(row))))
    own.predicate = request.predicate.map { .and([isRow, $0]) } ?? isRow
    guard
      let values = try transaction.answer(ValuesQuestion(of: order.paths + [[]], in: own)).first
    else { return nil }
    return try order.reversed.parts(after: values.dropLast(), key: row).reduce(0) {
      try $0 + transaction.answer(CountQuestion($1.of(request)))
    }
  }
}
