import DatastoreCore

/// Questions about many rows.
extension EngineConformance {
  private static let name = "Employee"

  /// A condition, an order and a part of the list, sometimes.
  private mutating func request() -> FetchRequest {
    let least = Predicate.comparison(.init(.keyPath(["age"]), .greaterThan, .value(0)))
    let paths = [["name"], ["age"], ["salary"]]
    return FetchRequest(
      entity: Self.name, predicate: random.below(2) == 0 ? nil : least,
      sortDescriptors: (0..<random.below(3)).map { _ in
        SortDescriptor(paths[random.below(3)], ascending: random.below(2) == 0)
      },
      offset: random.below(3) == 0 ? random.below(10) : 0,
      limit: random.below(3) == 0 ? 1 + random.below(20) : 0)
  }

  /// The values of paths of one property in the rows of a request, read row by row.
  private func values(
    _ paths: [String], _ request: FetchRequest, _ store: any ReadableStore
  ) throws -> [[Value]] {
    try store.fetchKeys(request).map { key in
      guard let row = try store.row(Self.name, key) else {
        throw Fault(.values, "the row of the key \(key) is missing")
      }
      return paths.map { row[$0] ?? .null }
    }
  }

  mutating func tryLists(of store: any ReadableStore) throws {
    for _ in 0..<count {
      let request = request()
      let keys = try store.fetchKeys(request)
      try expect(store.answer(CountQuestion(request)), keys.count, in: .lists, "a count")
      try expect(store.answer(KeysQuestion(request)), keys, in: .lists, "keys")
      let list = try store.answer(KeyListQuestion(request))
      try expect(Array(list.keys), keys, in: .lists, "a list")
      let grouped = try store.answer(KeyListQuestion(request, groupBy: ["age"]))
      var sorted = request
      sorted.sortDescriptors.insert(SortDescriptor(["age"]), at: 0)
      let ages = try values(["age"], sorted, store).map { $0[0] }
      var sections: [KeyList.Section] = []
      for age in ages {
        if sections.last?.value == age {
          sections[sections.count - 1].count += 1
        } else {
          sections.append(.init(value: age, count: 1))
        }
      }
      // The first of a request's order may lead the sections the other way round.
      if !(request.sortDescriptors.first.map { $0.leadsSections(by: ["age"]) } ?? false) {
        try expect(grouped.sections, sections, in: .lists, "sections of \(request)")
        try expect(Array(grouped.keys), store.fetchKeys(sorted), in: .lists, "a grouped list")
        if request.limit == 0, request.offset == 0 {
          try expect(
            store.answer(SectionsQuestion(request, groupBy: ["age"])), sections, in: .lists,
            "sections alone")
        }
      }
      try expect(
        store.answer(ValuesQuestion(of: [["age"], ["name"]], in: request)),
        values(["age", "name"], request, store), in: .lists, "values")
    }
    var windows = WindowAgreement(store, seed: random.next())
    let request = FetchRequest(entity: Self.name, sortDescriptors: [SortDescriptor(["name"])])
    for path in [nil, ["age"]] {
      if let fault = try windows.fault(of: request, groupBy: path, windows: 20) {
        throw Fault(.lists, fault)
      }
    }
    try tryRelatedCounts(of: store)
  }

  private func tryRelatedCounts(of store: any ReadableStore) throws {
    guard let entity = store.schema.entity(named: Self.name) else { return }
    let keys = try store.fetchKeys(FetchRequest(entity: Self.name))
    for link in entity.links.compactMap(\.self) where link.kind.isToMany {
      let counts = try store.answer(
        RelatedCountsQuestion(entity: entity.index, slot: link.slot, keys: keys))
      for key in keys {
        try expect(
          counts[key] ?? 0,
          store.relatedKeys(entity: entity.index, slot: link.slot, key: key).count, in: .lists,
          "the number of \(link.description.name) of \(key)")
      }
    }
  }

  mutating func tryValues(of store: any WritableStore) throws {
    for _ in 0..<max(1, count / 4) {
      var request = request()
      (request.limit, request.offset, request.sortDescriptors) = (0, 0, [])
      let ages = try values(["age"], request, store).map { $0[0] }
      let numbers = ages.compactMap { if case .integer(let age) = $0 { Int(age) } else { nil } }
      let frequencies = try store.answer(FrequencyQuestion(of: ["age"], in: request, limit: 100))
      try expect(
        Dictionary(uniqueKeysWithValues: frequencies.entries.map { ($0.value, $0.count) }),
        Dictionary(grouping: ages, by: \.self).mapValues(\.count), in: .values, "frequencies")
      let statistics = try store.answer(StatisticsQuestion(of: ["age"], in: request))
      try expect(
        [statistics.rowCount, statistics.nullCount, statistics.distinctCount],
        [ages.count, ages.count - numbers.count, Set(numbers).count], in: .values, "counts")
      try expect(
        statistics.maximum, numbers.max().map { .integer(Int64($0)) } ?? .null, in: .values,
        "the greatest age")
      let histogram = try store.answer(HistogramQuestion(of: ["age"], in: request, bins: 4))
      try expect(
        histogram?.counts.reduce(0, +) ?? 0, numbers.count, in: .values, "what a histogram counts")
      let sums = try store.answer(
        AggregatesQuestion(
          [.countRows, .aggregate(.sum, ["age"])], of: request, groupBy: [["company"]]))
      try expect(
        sums.reduce(0) { if case .integer(let rows) = $1[1] { $0 + Int(rows) } else { $0 } },
        ages.count, in: .values, "the rows of all groups")
    }
    guard let entity = store.schema.entity(named: Self.name) else { return }
    let names = try values(["name"], FetchRequest(entity: Self.name), store).map { $0[0] }
    try expect(
      store.answer(
        DistinctValuesQuestion(
          of: "name", entity: entity.index, beginningWith: "", limit: 1000)),
      Set(names).sorted { Value.compare($0, $1) == .ascending }, in: .values, "distinct names")
    let shown = try store.answer(
      MatchingKeysQuestion(containing: "ANN", at: [["name"]], entity: entity.index))
    let expected = try store.fetchKeys(FetchRequest(entity: Self.name)).filter {
      if case .text(let name)? = try store.row(Self.name, $0)?["name"] {
        return name.lowercased().contains("ann")
      }
      return false
    }
    try expect(shown, Set(expected), in: .values, "what shows “ANN”")
  }

  /// A change of many rows has the same result as changing each of them.
  mutating func tryBatches() throws {
    for _ in 0..<max(1, count / 40) {
      guard
        let store = try makeStore(
          CompanySchema.with([:], rules: ["Employee.tasks": .cascade])) as? any WritableStore,
        let employee = store.schema.entity(named: Self.name), let age = employee.slot(named: "age")
      else { return }
      try fill(store)
      let limit = Value.integer(Int64(random.below(6)) - 2)
      let predicate = Predicate.comparison(.init(.keyPath(["age"]), .lessThan, .value(limit)))
      let request = FetchRequest(entity: Self.name, predicate: predicate)
      let met = try Set(store.fetchKeys(request))
      let (changed, count) = try store.update(
        entity: employee.index, where: predicate, assigning: [(age, .integer(77))], unless: nil)
      try expect(count, met.count, in: .batches, "the number of changed rows")
      try expect(
        Set((changed.updated[employee.index] ?? [:]).keys), met, in: .batches, "the changed rows")
      let older = Predicate.comparison(.init(.keyPath(["age"]), .equal, .value(77)))
      try expect(
        Set(store.fetchKeys(FetchRequest(entity: Self.name, predicate: older))), met,
        in: .batches, "who has been changed")

      let tasks = try Set(store.fetchKeys(FetchRequest(entity: "Task")))
      let going = try Set(met.flatMap { try store.related(Self.name, "tasks", $0) })
      let deleted = try store.delete(entity: employee.index, where: older, unless: nil)
      try expect(
        Set(deleted.deleted[employee.index] ?? []), met, in: .batches, "the deleted rows")
      try expect(
        Set(store.fetchKeys(FetchRequest(entity: "Task"))), tasks.subtracting(going),
        in: .batches, "the tasks of those who stay")
      try expect(
        store.fetchKeys(FetchRequest(entity: Self.name, predicate: older)), [], in: .batches,
        "who was to be deleted")
    }
  }
}
