/// A question that several stores answer together. All others, such as the summaries and the SQL of browsers,
/// go to one store.
protocol SharedQuestion<Answer>: StoreQuestion {
  func answer(in shared: SharedTransaction) throws -> Answer
}

// MARK: Lists

extension CountQuestion: SharedQuestion {
  func answer(in shared: SharedTransaction) throws -> Int {
    let counts = try shared.asked(request).map { part in
      try part.answer { try $0.answer(CountQuestion(part.request)) }
    }
    return SharedReader.total(counts, request)
  }
}

extension EstimatedCountsQuestion: SharedQuestion {
  func answer(in shared: SharedTransaction) throws -> [EntityIndex: Int] {
    try shared.transactions.reduce(into: [:]) { counts, transaction in
      counts.merge(try transaction.answer(self), uniquingKeysWith: +)
    }
  }
}

extension KeysQuestion: SharedQuestion {
  func answer(in shared: SharedTransaction) throws -> [RowKey] {
    try KeyListQuestion(request).answer(in: shared).keys.map(\.self)
  }
}

extension KeyListQuestion: SharedQuestion {
  func answer(in shared: SharedTransaction) throws -> KeyList {
    let entity = try shared.schema.requiredEntity(named: request.entity)
    let asked = try shared.asked(request)
    if path == nil, asked.count < 2 || request.sortDescriptors.isEmpty {
      return try keysOneByOne(asked, of: entity)
    }
    let group = path.map { Predicate.Operand(at: $0, of: entity, in: shared.schema) }
    let order = request.listOrder(groupBy: path, group)
    let columns = OrderedColumns(
      (group.map { [$0] } ?? []).map { .value($0) }, by: order, of: entity, in: shared.schema)
    var keys = KeyChunks.Builder()
    var sections: [KeyList.Section] = []
    try columns.read(asked, request, in: shared) { place, shift in
      keys.append(columns.key(place, shift, of: entity))
      if path == nil { return }
      sections.add(of: columns.value(0, place, shift))
    }
    let count = keys.count
    if path == nil, count > 0 { sections = [.init(value: .null, count: count)] }
    return KeyList(keys: keys.finish(), sections: sections)
  }

  /// The keys of one store, or of all if those of one follow those of the other.
  private func keysOneByOne(
    _ asked: [SharedTransaction.Asked], of entity: Entity
  ) throws -> KeyList {
    var keys = KeyChunks.Builder()
    var toSkip = asked.count > 1 ? max(request.offset, 0) : 0
    for part in asked {
      let own = try part.answer { try $0.answer(KeyListQuestion(part.request)) }.keys
      try part.shift.requireRoom(for: own, of: entity.index)
      for key in own {
        if toSkip > 0 {
          toSkip -= 1
          continue
        }
        if request.limit > 0, keys.count == request.limit { break }
        keys.append(part.shift.shared(key, of: entity.index))
      }
    }
    return KeyList(ofOneSection: keys.finish())
  }
}

extension SectionsQuestion: SharedQuestion {
  func answer(in shared: SharedTransaction) throws -> [KeyList.Section] {
    let entity = try shared.schema.requiredEntity(named: request.entity)
    let group = Predicate.Operand(at: path, of: entity, in: shared.schema)
    let isDecimal =
      QueryColumn(.value(group), from: entity, in: shared.schema).type == .decimal
    func order(_ value: Value) -> Value { isDecimal ? value.decimalNumber : value }
    var sections: [KeyList.Section] = []
    if request.limit > 0 || request.offset > 0 {
      // The rows to count are known only when all are in order.
      sections = try KeyListQuestion(request, groupBy: path).answer(in: shared).sections
    } else {
      for part in try shared.asked(request) {
        let destination = part.shift.destination(of: path, from: entity)
        let own = try part.answer { try $0.answer(SectionsQuestion(part.request, groupBy: path)) }
        sections += own.map { section in
          KeyList.Section(
            value: destination.map { part.shift.shared(section.value, of: $0) } ?? section.value,
            count: section.count)
        }
      }
    }
    sections.sort { left, right in
      let ordering = Value.compare(order(left.value), order(right.value))
      if ordering != .same { return ordering == .ascending }
      return Value.compare(left.value, right.value) == .ascending
    }
    return sections.reduce(into: []) { $0.add($1.count, of: $1.value) }
  }
}

extension KeysetQuestion: SharedQuestion {
  func answer(in shared: SharedTransaction) throws -> Bool {
    try shared.asked(request).allSatisfy { part in
      try part.answer { try $0.answer(KeysetQuestion(part.request)) }
    }
  }
}

// MARK: Values

extension ValuesQuestion: SharedQuestion {
  func answer(in shared: SharedTransaction) throws -> [[Value]] {
    let entity = try shared.schema.requiredEntity(named: request.entity)
    let columns = OrderedColumns(
      paths.map { .value(.keyPath($0)) }, by: request.sortDescriptors, of: entity,
      in: shared.schema)
    var values: [[Value]] = []
    try columns.read(shared.asked(request), request, in: shared) { place, shift in
      values.append(paths.indices.map { columns.value($0, place, shift) })
    }
    return values
  }
}

extension MovedRowsQuestion: SharedQuestion {
  func answer(in shared: SharedTransaction) throws -> [Int: RowKey] {
    try shared.reader.foundRows(of: entity, equalTo: rows) { part, rows in
      try shared.transaction(of: part)
        .answer(MovedRowsQuestion(entity: entity, equalTo: rows))
    }
  }
}

extension RelatedCountsQuestion: SharedQuestion {
  func answer(in shared: SharedTransaction) throws -> [RowKey: Int] {
    var counts: [RowKey: Int] = [:]
    for (part, keys) in shared.reader.divided(keys, of: entity) {
      let own = try shared.transaction(of: part)
        .answer(RelatedCountsQuestion(entity: entity, slot: slot, keys: keys))
      for (key, count) in own { counts[part.shift.shared(key, of: entity)] = count }
    }
    return counts
  }
}
