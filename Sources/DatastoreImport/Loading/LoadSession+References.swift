import Basics
import DatastoreCore

/// A reference of an object that is set later: to an object that no record read so far has created, or into
/// an ordered relationship, of which all members must be known.
struct PendingReference {
  let entity: EntityIndex
  let key: RowKey
  let reference: PreparedRow.Reference
  let file: Int
}

extension LoadSession {
  /// Whether references by a key wait for the end: any record may have the number of a row, which then is
  /// meant, and not a row of the store.
  func waits(for place: LoadKey) -> Bool { place.kind == .rowKey && options.saving == .once }

  /// Sets the references of one object, or keeps them for later.
  func setReferences(_ row: PreparedRow, _ object: ManagedObject) throws {
    for reference in row.references {
      var later: PendingReference {
        PendingReference(
          entity: object.entity.index, key: object.key, reference: reference, file: file)
      }
      if let key = reference.partial {
        let (slot, destination) = (reference.target.slot, reference.target.link.destination)
        object.setRelated(graph.object(entity: destination, key: key), at: slot)
      } else if reference.target.orderedInverse != nil, !reference.keys.isEmpty {
        ordered.append(later)
      } else if let found = destinations(of: reference) {
        set(found, reference, of: object, file)
      } else {
        pending.append(later)
      }
    }
  }

  /// The destinations of a reference; nil as long as one of them is not known.
  private func destinations(of reference: PreparedRow.Reference) -> [ManagedObject]? {
    var found: [ManagedObject] = []
    for value in reference.keys {
      guard let entry = indexes[reference.target.place]?[value] else { return nil }
      found.append(graph.object(entity: reference.target.link.destination, key: entry.key))
    }
    return found
  }

  private func set(
    _ destinations: [ManagedObject], _ reference: PreparedRow.Reference, of object: ManagedObject,
    _ file: Int
  ) {
    if reference.isList {
      let keys = Set(destinations.map(\.key))
      let count = object.relatedKeys(at: reference.target.slot).count { !keys.contains($0) }
      if count > 0 {
        let list = GivenList(file: file, property: reference.target.link.description.name)
        report.left[list, default: 0] += count
      }
      object.setRelated(destinations, at: reference.target.slot)
    } else {
      object.setRelated(destinations.first, at: reference.target.slot)
    }
  }

  /// Sets the references that pointed forwards.
  func resolvePending() throws {
    for start in stride(from: 0, to: pending.count, by: options.batchSize) {
      try checkCancellation()
      let batch = pending[start..<min(start + options.batchSize, pending.count)]
      var wanted: [LoadKey: [KeyValues]] = [:]
      for reference in batch.map(\.reference) {
        // A live load has forgotten which keys it has encountered.
        if isLive || waits(for: reference.target.place) {
          wanted[reference.target.place, default: []] += reference.keys
        }
      }
      for (place, keys) in wanted { try lookUp(keys, at: place) }
      let objects = batch.map { graph.object(entity: $0.entity, key: $0.key) }
      try graph.fulfil(objects)
      for (pending, object) in zip(batch, objects) {
        let reference = pending.reference
        let isKnown = reference.keys.map { indexes[reference.target.place]?[$0] != nil }
        for (value, isKnown) in zip(reference.keys, isKnown) where !isKnown {
          try skipReference(
            LoadFault(
              position(reference, pending.file), danglingReason(value, at: reference.target.place)))
        }
        let found = zip(reference.keys, isKnown).filter(\.1).compactMap { value, _ in
          indexes[reference.target.place]?[value].map {
            graph.object(entity: reference.target.link.destination, key: $0.key)
          }
        }
        if !found.isEmpty { set(found, reference, of: object, pending.file) }
      }
      if options.saving == .eachBatch { try saveBatch() }
    }
    pending = []
  }

  /// Orders the members of ordered relationships: those with a position by it, then the former members in
  /// their order, then the new ones.
  func resolveOrdered() throws {
    var groups: [Owner: [(place: Double?, number: Int)]] = [:]
    for (number, ordered) in ordered.enumerated() {
      let reference = ordered.reference
      guard let value = reference.keys.first, let slot = reference.target.orderedInverse else {
        continue
      }
      if isLive || waits(for: reference.target.place) {
        try lookUp([value], at: reference.target.place)
      }
      guard let entry = indexes[reference.target.place]?[value] else {
        try skipReference(
          LoadFault(
            position(reference, ordered.file), danglingReason(value, at: reference.target.place)))
        continue
      }
      let owner = Owner(entity: reference.target.link.destination, slot: slot, key: entry.key)
      groups[owner, default: []].append((reference.place, number))
    }
    var staged = 0
    for owner in groups.keys.sorted() {
      try checkCancellation()
      let group = groups[owner] ?? []
      func objects(_ numbers: [Int]) -> [ManagedObject] {
        numbers.map { graph.object(entity: ordered[$0].entity, key: ordered[$0].key) }
      }
      let placed = objects(
        group.filter { $0.place != nil }
          .sorted { ($0.place ?? 0, $0.number) < ($1.place ?? 0, $1.number) }.map(\.number))
      let others = objects(group.filter { $0.place == nil }.map(\.number))
      let object = graph.object(entity: owner.entity, key: owner.key)
      try graph.fulfil(placed + others + [object])
      let keys = Set(placed.map(\.key))
      let former = object.relatedObjects(at: owner.slot).filter { !keys.contains($0.key) }
      // Objects that occur twice count once, at their first place.
      object.setRelated(placed + former + others, at: owner.slot)
      staged += group.count
      if options.saving == .eachBatch, staged >= options.batchSize {
        try saveBatch()
        staged = 0
      }
    }
    ordered = []
  }

  /// Records the lists that records have made shorter.
  func reportLists() {
    for (list, count) in report.left.sorted(by: {
      ($0.key.file, $0.key.property) < ($1.key.file, $1.key.property)
    }) {
      let others = count == 1 ? "another object has" : "\(CountText.grouped(count)) others have"
      report.notes.append(
        "\(plan.sources[list.file].name): “\(list.property.shownInMessage)” has the objects that "
          + "the records list, and \(others) left it.")
    }
  }

  private func position(_ reference: PreparedRow.Reference, _ file: Int) -> SourcePosition {
    SourcePosition(
      file: plan.sources[file].name, line: reference.line, column: reference.column)
  }
}

/// An ordered relationship of one object.
private struct Owner: Hashable, Comparable {
  let entity: EntityIndex
  let slot: Slot
  let key: RowKey

  static func < (left: Owner, right: Owner) -> Bool {
    (left.entity, left.slot, left.key) < (right.entity, right.slot, right.key)
  }
}
