/// The columns to read from each row when merging the rows of several stores in one order: its key, the
/// wanted values, and the values of the order.
struct OrderedColumns {
  /// The row's key is in the first column, followed by the wanted values, then the order's.
  private let terms: [QueryColumn.Term]
  /// By wanted value, the entity whose keys it holds.
  private let destinations: [EntityIndex?]
  private let order: RowOrder
  private let descriptors: [SortDescriptor]
  private let entity: Entity

  init(
    _ wanted: [QueryColumn.Term], by descriptors: [SortDescriptor], of entity: Entity,
    in schema: Schema
  ) {
    self.entity = entity
    self.descriptors = descriptors
    destinations = wanted.map { $0.destination(from: entity, in: schema) }
    var terms: [QueryColumn.Term] = [.key([])] + wanted.map { $0.asKey(from: entity, in: schema) }
    var compared: [RowOrder.Term] = []
    for descriptor in descriptors {
      if descriptor.keyPath == [] {
        compared.append(.init(column: 0, kind: .row, isAscending: descriptor.ascending))
        break
      }
      let term = QueryColumn.Term.value(descriptor.operand)
      let isKey = term.destination(from: entity, in: schema) != nil
      let isDecimal =
        !isKey && QueryColumn(term, from: entity, in: schema).type == .decimal
      compared.append(
        .init(
          column: terms.count,
          kind: isKey ? .keys : .cells(options: descriptor.options, isDecimal: isDecimal),
          isAscending: descriptor.ascending))
      terms.append(term.asKey(from: entity, in: schema))
    }
    self.terms = terms
    order = RowOrder(terms: compared)
  }

  /// Reads the rows of a request and passes them on in its order.
  ///
  /// - Throws: `StoreError`; the errors of `receive`.
  func read(
    _ asked: [SharedTransaction.Asked], _ request: FetchRequest, in transaction: SharedTransaction,
    _ receive: (RowOrder.Place, KeyShift) throws -> Void
  ) throws {
    if asked.count > 1, descriptors.hasRank(of: entity) {
      throw StoreError.unsupportedPredicate(
        "How well objects fit a search is known within one store only; say which store is asked, or give "
          + "another order."
      )
    }
    let parts = try asked.map { part in
      var own = part.request
      own.sortDescriptors = descriptors
      let query = ValueQuery(terms, of: own, from: entity, in: transaction.schema)
      let pages = try part.answer { try ValueTableQuestion(query).answer(in: $0) }
      for page in pages {
        try part.shift.requireRoom(
          for: (0..<page.rowCount).lazy.map { RowKey(page.integer(row: $0, column: 0)) },
          of: entity.index)
      }
      return pages
    }
    // A single store has already applied the offset and the limit.
    let isCut = asked.count > 1
    try RowMerge.run(
      parts, by: order, offset: isCut ? max(request.offset, 0) : 0,
      limit: isCut && request.limit > 0 ? request.limit : nil
    ) { place in try receive(place, asked[place.part].shift) }
  }

  func key(_ place: RowOrder.Place, _ shift: KeyShift, of entity: Entity) -> RowKey {
    shift.shared(RowKey(place.page.integer(row: place.row, column: 0)), of: entity.index)
  }

  /// The entity whose keys are a wanted value.
  func destination(_ index: Int) -> EntityIndex? { destinations[index] }

  /// One of the wanted values.
  func value(_ index: Int, _ place: RowOrder.Place, _ shift: KeyShift) -> Value {
    let value = place.page.value(row: place.row, column: index + 1)
    return destinations[index].map { shift.shared(value, of: $0) } ?? value
  }
}

extension QueryColumn.Term {
  /// The entity whose keys are the values; nil for other values.
  func destination(from entity: Entity, in schema: Schema) -> EntityIndex? {
    switch self {
    case .key(let path), .value(.keyPath(let path)):
      guard let resolved = try? PredicatePath(path, from: entity, in: schema),
        case .object(let destination) = resolved.destination
      else { return nil }
      return destination.index
    default: return nil
    }
  }

  /// Reads a reference as the key of its object, not as the stored columns.
  func asKey(from entity: Entity, in schema: Schema) -> QueryColumn.Term {
    if case .value(.keyPath(let path)) = self, destination(from: entity, in: schema) != nil {
      return .key(path)
    }
    return self
  }
}
