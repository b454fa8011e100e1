package import DatastoreCore

/// Whether the windows of lists have the keys that whole lists have in the same places: the whole lists are
/// the model.
package struct WindowAgreement {
  package let store: any ReadableStore
  package var random: SeededRandom

  package init(_ store: any ReadableStore, seed: UInt64) {
    self.store = store
    random = SeededRandom(seed: seed)
  }

  /// Reads windows before, after and between random rows of a list; nil if each has the expected rows,
  /// otherwise a sentence.
  package mutating func fault(
    of request: FetchRequest, groupBy path: [String]?, windows count: Int
  ) throws -> String? {
    guard let entity = store.schema.entity(named: request.entity) else { return "no entity" }
    let descriptors =
      (path.map { [SortDescriptor($0, ascending: leads(request, $0))] } ?? [])
      + request.sortDescriptors
    guard let order = KeysetOrder(descriptors, of: entity) else { return "no order of values" }
    let whole = try store.answer(KeyListQuestion(request, groupBy: path))
    for isBackward in [false, true] {
      let keys = isBackward ? Array(whole.keys.reversed()) : Array(whole.keys)
      for _ in 0..<count {
        let row = Bool.random(using: &random) ? keys.indices.randomElement(using: &random) : nil
        let start = row.map { $0 + 1 } ?? 0
        let skip = Bool.random(using: &random) ? 0 : random.below(keys.count + 2)
        let length = 1 + random.below(50)
        let question = KeyWindowQuestion(
          request, in: isBackward ? order.reversed : order, after: row.map { keys[$0] },
          skipping: skip, count: length)
        let window = try store.answer(question) ?? []
        let expected = Array(keys.dropFirst(start + skip).prefix(length))
        if window != expected {
          return """
            seed \(random.seed): \(length) rows \(skip) after place \(start), backward \(isBackward), sorted by \
            \(descriptors): \(window.prefix(5))… of \(window.count) instead of \(expected.prefix(5))… of \
            \(expected.count)
            """
        }
      }
    }
    return nil
  }

  private func leads(_ request: FetchRequest, _ path: [String]) -> Bool {
    request.sortDescriptors.first.map { !$0.leadsSections(by: path) || $0.ascending } ?? true
  }
}
