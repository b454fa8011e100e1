/// Tables of values.
extension SharedTransaction {
  func answer(
    _ query: ValueQuery, includingGenerated: Bool, begin: ([AnswerColumn]) throws -> Void,
    row: (RowPage, Int) throws -> Void
  ) throws {
    let entity = try schema.requiredEntity(named: query.entity)
    let wanted = query.grouping?.columns ?? query.columns
    guard !wanted.isEmpty, !wanted.contains(where: { $0.term == .everything }) else {
      throw StoreError.notOneStore("Reading all columns")
    }
    try begin(query.columns.map { AnswerColumn(name: $0.name, type: $0.type, dates: $0.dates) })
    var packer = RowPacker(columnCount: query.columns.count)
    if let grouping = query.grouping {
      for values in try groups(of: query, grouping, entity) { packer.append(values) }
    } else {
      var request = FetchRequest(
        entity: query.entity, predicate: query.predicate, sortDescriptors: query.order,
        offset: query.offset, limit: query.limit ?? 0)
      // A limit of 0 means no rows here, but all rows in a request.
      if query.limit == 0 { request.predicate = .constant(false) }
      let columns = OrderedColumns(
        query.columns.map(\.term), by: query.order, of: entity, in: schema)
      try columns.read(asked(request), request, in: self) { place, shift in
        let page = packer.open()
        let row = page.appendRow(key: 0)
        for column in query.columns.indices {
          columns.copy(column, of: place, shift, to: page, row: row)
        }
      }
    }
    for page in packer.finish() {
      for index in 0..<page.rowCount { try row(page, index) }
    }
  }

  /// The groups of a query: each store makes its own, and those with the same keys are combined.
  private func groups(
    of query: ValueQuery, _ grouping: ValueQuery.Grouping, _ entity: Entity
  ) throws -> [[Value]] {
    var request = FetchRequest(entity: query.entity, predicate: query.predicate)
    if let window = grouping.window {
      // The rows in the window are known only when all stores have been asked.
      let keys = try answer(
        KeysQuestion(window.request(of: query.entity, where: query.predicate)))
      request.predicate = .comparison(
        .init(.keyPath([]), .in, .list(keys.map { .value(.key($0)) })))
    }
    var groups = JoinedGroups(grouping, of: entity, in: schema)
    for part in try asked(request) {
      let own = groups.query(part.request)
      let pages = try part.answer { try ValueTableQuestion(own).answer(in: $0) }
      for page in pages {
        for row in 0..<page.rowCount { groups.add(page, row, part.shift) }
      }
    }
    return try query.rows(ofGroups: groups.values, grouping)
  }
}

extension OrderedColumns {
  /// Copies one of the wanted values.
  func copy(
    _ index: Int, of place: RowOrder.Place, _ shift: KeyShift, to page: RowPage, row: Int
  ) {
    page.copyCell(
      from: place.page, row: place.row, to: row, column: index, source: index + 1)
    if destination(index) != nil {
      page.setValue(value(index, place, shift), row: row, column: index)
    }
  }
}
