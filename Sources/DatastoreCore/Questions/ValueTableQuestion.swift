/// All rows of a query's answer, in pages.
package struct ValueTableQuestion: StoreQuestion {
  package let query: ValueQuery

  package init(_ query: ValueQuery) {
    self.query = query
  }

  package func entity(in schema: Schema) -> EntityIndex? {
    schema.entity(named: query.entity)?.index
  }

  package func answer(in transaction: any ReadTransaction) throws -> [RowPage] {
    var pages: [RowPage] = []
    try transaction.answer(
      query, includingGenerated: true, begin: { _ in },
      row: { page, row in if row == 0 { pages.append(page) } })
    return pages
  }
}
