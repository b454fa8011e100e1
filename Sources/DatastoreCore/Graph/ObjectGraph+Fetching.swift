/// Fetching: stored rows with the staged changes of this graph applied.
extension ObjectGraph {
  /// The objects of a request, in its order, unsaved changes included.
  ///
  /// O(rows) without unsaved changes in the entities of the request; otherwise each changed object is
  /// evaluated in memory and placed by binary search. Of many changed objects, only those are evaluated that
  /// an `==` or `IN` of the condition can match.
  package func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    let entity = try validated(request)
    let dependencies = QueryDependencies(of: request, from: entity, in: schema)
    if isChanged(anyOf: dependencies.related) {
      return try fetchDecidingAll(request, entity)
    }
    let changedCount = changedCount(of: entity)
    if changedCount == 0 {
      var objects: [ManagedObject] = []
      try store.fetch(request) { append($0, of: entity.index, to: &objects) }
      return objects
    }
    // Changed rows may leave the result, so as many more rows may be needed to fill it.
    var stored = request
    stored.offset = 0
    if request.limit > 0 { stored.limit = request.offset + request.limit + changedCount }
    let read = objects(entity: entity.index, pages: try store.fetch(stored))
    let changed = try matching(changedObjects(of: entity, meeting: request.predicate), request)
    if request.sortDescriptors.hasRank(of: entity) {
      return window(lay(changed, over: read, in: request.sortDescriptors, of: entity), request)
    }
    return window(insert(changed, into: read.filter { !$0.hasChanges }, request), request)
  }

  /// The number of objects of a request, unsaved changes included.
  package func count(_ request: FetchRequest) throws -> Int {
    let entity = try validated(request)
    let dependencies = QueryDependencies(of: request, from: entity, in: schema)
    if changedCount(of: entity) == 0, !isChanged(anyOf: dependencies.related) {
      return try store.count(request)
    }
    return try fetch(request).count
  }

  /// The objects of a request as in the store: unsaved changes affect neither the result nor its order.
  package func fetchSaved(_ request: FetchRequest) throws -> [ManagedObject] {
    let entity = try validated(request)
    var objects: [ManagedObject] = []
    try store.fetch(request) { append($0, of: entity.index, to: &objects) }
    return objects
  }

  /// The number of stored rows of a request.
  package func countSaved(_ request: FetchRequest) throws -> Int {
    _ = try validated(request)
    return try store.count(request)
  }

  /// The keys of the stored rows of a request.
  package func savedKeys(_ request: FetchRequest) throws -> [RowKey] {
    _ = try validated(request)
    return try store.fetchKeys(request)
  }

  private func validated(_ request: FetchRequest) throws -> Entity {
    let entity = try requireEntity(request.entity)
    try request.predicate?.validate(for: entity, in: schema)
    return entity
  }

  /// Evaluates every row in memory: required when the request runs through relationships to objects with
  /// unsaved changes.
  private func fetchDecidingAll(
    _ request: FetchRequest, _ entity: Entity
  ) throws -> [ManagedObject] {
    let all = objects(
      entity: entity.index, pages: try store.fetch(FetchRequest(entity: entity.name)))
    let candidates =
      all.filter { !$0.isKnownDeleted } + insertedObjects.filter { $0.entity.isKind(of: entity) }
    let matching = try matching(candidates, request)
    if request.sortDescriptors.hasRank(of: entity) {
      var whole = request
      (whole.offset, whole.limit) = (0, 0)
      let known = objects(entity: entity.index, keys: try store.fetchKeys(whole))
      let staying = Set(matching.map(\.key))
      return window(
        lay(
          matching, over: known.filter { staying.contains($0.key) }, in: request.sortDescriptors,
          of: entity), request)
    }
    return window(
      matching.sorted { request.sortDescriptors.compare($0, $1) == .ascending }, request)
  }

  private func requireEntity(_ name: String) throws -> Entity {
    guard let entity = schema.entity(named: name) else {
      throw UnknownEntityError(name: name, known: schema.entities.map(\.name))
    }
    return entity
  }

  /// The number of changed objects of an entity, or slightly more.
  private func changedCount(of entity: Entity) -> Int {
    guard let index = currentStagedIndex else {
      return tracked.count { $0.hasChanges && $0.entity.isKind(of: entity) }
    }
    return entity.members.reduce(0) { $0 + index.counts[$1] }
  }

  /// The changed objects of an entity that may meet a condition.
  private func changedObjects(
    of entity: Entity, meeting predicate: Predicate?
  ) -> [ManagedObject] {
    var candidates: [ManagedObject]?
    if let index = currentStagedIndex, let lookup = ValueLookup(predicate, entity) {
      candidates = index.objects(of: entity, at: lookup.slot, holding: lookup.values)
    }
    return (candidates ?? Array(tracked)).filter { $0.hasChanges && $0.entity.isKind(of: entity) }
  }

  /// Created once it is worthwhile.
  var currentStagedIndex: StagedIndex? {
    guard tracked.count >= StagedIndex.least else { return nil }
    if let stagedIndex, stagedIndex.storedVersion == storedVersion { return stagedIndex }
    let index = StagedIndex(tracked, schema, storedVersion: storedVersion)
    stagedIndex = index
    return index
  }

  private func isChanged(anyOf entities: [EntityIndex: SlotSet]) -> Bool {
    if entities.isEmpty { return false }
    if let index = currentStagedIndex, entities.keys.allSatisfy({ index.counts[$0] == 0 }) {
      return false
    }
    return tracked.contains { entities[$0.entity.index] != nil && $0.hasChanges }
  }

  /// - Throws: `RegularExpression.Exhaustion`, at the first object that exhausts an expression.
  private func matching(
    _ objects: [ManagedObject], _ request: FetchRequest
  ) throws -> [ManagedObject] {
    guard let predicate = request.predicate else { return objects.filter { !$0.isKnownDeleted } }
    return try objects.filter { try !$0.isKnownDeleted && predicate.evaluate(with: $0) }
  }

  private func insert(
    _ objects: [ManagedObject], into sorted: [ManagedObject], _ request: FetchRequest
  ) -> [ManagedObject] {
    let order = request.sortDescriptors
    let additions = objects.sorted { order.compare($0, $1) == .ascending }
    var merged: [ManagedObject] = []
    merged.reserveCapacity(sorted.count + additions.count)
    var rest = sorted[...]
    for object in additions {
      let place = rest.partitioningIndex { order.compare($0, object) != .ascending }
      merged += rest[..<place]
      merged.append(object)
      rest = rest[place...]
    }
    return merged + rest
  }

  private func window(_ objects: [ManagedObject], _ request: FetchRequest) -> [ManagedObject] {
    let rest = objects.dropFirst(request.offset)
    return Array(request.limit > 0 ? rest.prefix(request.limit) : rest)
  }
}

/// The error of a request for an entity that the store does not have.
public struct UnknownEntityError: Error, Sendable, CustomStringConvertible {
  /// The requested name.
  public let name: String
  /// The names of the existing entities.
  public let known: [String]

  package init(name: String, known: [String]) {
    self.name = name
    self.known = known
  }

  public var description: String {
    "There is no entity “\(name)” in this store; it has \(known.sorted().joined(separator: ", "))."
  }
}

/// The dependencies of a request's result: the changes that can alter it.
package struct QueryDependencies: Sendable {
  /// Slots of the request's own entity.
  package private(set) var slots = SlotSet()
  /// By index of an entity on the relationships of its paths, descendants included: the slots whose values it
  /// depends on, or that determine the members of a to-many relationship.
  package private(set) var related: [EntityIndex: SlotSet] = [:]
  /// The relationships along the paths.
  package private(set) var steps: Set<Step> = []

  /// A relationship along a path.
  package struct Step: Hashable, Sendable {
    /// The path to it, starting from the request's own entity.
    package let path: [String]
    /// The index of the entity it leads to.
    package let entity: EntityIndex
    /// Whether one object may have many there.
    package let isThroughToMany: Bool
  }

  /// - Parameter group: the path of a group key, if there is one.
  package init(
    of request: FetchRequest, groupedBy group: [String]? = nil, from entity: Entity,
    in schema: Schema
  ) {
    let paths =
      (request.predicate?.keyPaths ?? []) + request.sortDescriptors.flatMap(\.operand.keyPaths)
      + (group.map { Predicate.Operand(at: $0, of: entity, in: schema).keyPaths } ?? [])
    for path in paths {
      follow(entity.resolvingAliases(in: path, of: schema), from: entity, in: schema)
    }
  }

  private mutating func follow(_ path: [String], from entity: Entity, in schema: Schema) {
    var current = entity
    var isThroughToMany = false
    for (index, name) in path.enumerated() {
      guard let slot = current.slot(named: name) else { return }
      if index == 0 { slots.insert(slot) } else { depend(on: slot, of: current) }
      guard let link = current.links[slot] else { return }
      // The key of a to-one destination is in the row itself.
      if index == path.count - 1 && link.kind == .toOne { return }
      isThroughToMany = isThroughToMany || link.kind.isToMany
      steps.insert(
        Step(
          path: Array(path[...index]), entity: link.destination, isThroughToMany: isThroughToMany))
      current = schema.entities[link.destination]
      depend(on: link.kind.isToMany ? link.inverseSlot : nil, of: current)
    }
  }

  private mutating func depend(on slot: Slot?, of entity: Entity) {
    for member in entity.members {
      var slots = related[member] ?? SlotSet()
      if let slot { slots.insert(slot) }
      related[member] = slots
    }
  }

  /// Whether slots of an object's own entity affect its place.
  package func intersect(_ slots: SlotSet) -> Bool {
    slots.isEmpty || slots.contains { self.slots.contains($0) }
  }

  /// Whether changes of a related object's slots may move other objects. No slots mean any.
  package func intersect(_ slots: SlotSet, ofRelated entity: EntityIndex) -> Bool {
    guard let deciding = related[entity] else { return false }
    return slots.isEmpty || slots.contains { deciding.contains($0) }
  }
}

extension Predicate {
  /// Every key path in the tree.
  package var keyPaths: [[String]] {
    var paths: [[String]] = []
    // Not recursive, because the depth of the tree is not known yet.
    var rest = [self]
    while let next = rest.popLast() {
      switch next {
      case .constant: continue
      case .and(let parts), .or(let parts): rest += parts.reversed()
      case .not(let part): rest.append(part)
      case .comparison(let comparison):
        paths += comparison.left.keyPaths + comparison.right.keyPaths
      }
    }
    return paths
  }
}

extension Predicate.Operand {
  package var keyPaths: [[String]] {
    switch self {
    case .value: []
    case .keyPath(let path), .count(let path), .aggregate(_, let path): [path]
    case .list(let operands): operands.flatMap(\.keyPaths)
    case .arithmetic(let left, _, let right): left.keyPaths + right.keyPaths
    case .function(_, let arguments): arguments.flatMap(\.keyPaths)
    }
  }
}
