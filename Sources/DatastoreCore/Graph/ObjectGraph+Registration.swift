/// Identity: one object for a row.
extension ObjectGraph {
  /// The object of a row: the known one, or a new fault. The row need not exist.
  ///
  /// An object of an entity with descendants is read at once, because its row tells its entity.
  package func object(entity: EntityIndex, key: RowKey) -> ManagedObject {
    if let known = maps[entity][key] { return known }
    if schema.entities[entity].entityColumn != nil {
      return objectOfFamily(schema.entities[entity], key: key)
    }
    return register(
      ManagedObjectLogic(
        home: home(of: entity), key: key, page: nil, row: 0, state: .fault))
  }

  /// The object of a row if this graph already has one. O(1).
  package func registeredObject(entity: EntityIndex, key: RowKey) -> ManagedObject? {
    maps[entity][key]
  }

  /// The objects of packed rows, in order. Known objects keep their values: saves of other contexts reach
  /// them by a merge, so that no reader sees half of one.
  package func objects(entity: EntityIndex, pages: [RowPage]) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    objects.reserveCapacity(pages.reduce(0) { $0 + $1.rowCount })
    append(pages, of: entity, to: &objects)
    return objects
  }

  /// Appends the objects of one part, for rows that arrive in several parts.
  func append(_ pages: [RowPage], of entity: EntityIndex, to objects: inout [ManagedObject]) {
    let map = maps[entity]
    // One sweep before them instead of several in between.
    let count = pages.reduce(0) { $0 + $1.rowCount }
    if objects.isEmpty, map.wantsSweep(before: count) { sweep(entity) }
    let described = schema.entities[entity]
    if described.isInFamily {
      for page in pages {
        for row in 0..<page.rowCount {
          if let object = adopt(described, page, row) { objects.append(object) }
        }
      }
      return
    }
    let home = home(of: entity)
    let makeObject = makeObject
    for page in pages {
      for row in 0..<page.rowCount {
        let key = page.key(ofRow: row)
        if let known = map[key] {
          fill(known, page, row)
          objects.append(known)
        } else {
          let object = makeObject(
            ManagedObjectLogic(
              home: home, key: key, page: page, row: Int32(row), state: .clean))
          map.insert(object)
          objects.append(object)
        }
      }
    }
  }

  /// Sets the values of a fault; other objects keep theirs.
  func fill(_ object: ManagedObject, _ page: RowPage, _ row: Int) {
    guard object.state == .fault else { return }
    object.page = page
    object.row = Int32(row)
    object.state = .clean
    object.extras?.formerRow = nil
  }

  func register(_ logic: ManagedObjectLogic) -> ManagedObject {
    let index = logic.entityIndex
    if maps[index].wantsSweep(before: 1) { sweep(index) }
    let object = makeObject(logic)
    maps[index].insert(object)
    return object
  }

  /// Releases clean objects that nothing else refers to.
  package func releaseUnreferencedObjects() {
    for entity in schema.entities where entity.root == entity.index {
      if maps[entity.index].count > 0 { sweep(entity.index) }
    }
  }

  /// Releases every object, when the owner is gone. The graph and its objects refer to each other, so without
  /// this neither would ever be released. Objects that someone still holds keep their values.
  package func releaseAllObjects() {
    prefetched = []
    departing = []
    tracked.removeAll()
    stagedIndex = nil
    pending = GraphChanges()
    journal?.removeAll()
    for map in maps { map.removeAll() }
    for index in homes.indices { homes[index] = nil }
  }

  /// The shared state of an entity's objects.
  func home(of entity: EntityIndex) -> ObjectHome {
    if let home = homes[entity] { return home }
    let home = ObjectHome(graph: self, entity: schema.entities[entity])
    homes[entity] = home
    return home
  }

  private func sweep(_ index: EntityIndex) {
    maps[index].sweep { !$0.isTracked && !$0.isPending }
  }

  /// Reads the row of a fault. An object whose row is deleted becomes `gone`.
  package func fulfil(_ object: ManagedObject) {
    do {
      let pages = try store.rows(entity: object.entity.index, keys: [object.key])
      guard let page = pages.first(where: { $0.rowCount > 0 }) else {
        if object.state == .fault { vanish(object, isLost: true) }
        return
      }
      object.page = page
      object.row = 0
      object.extras?.formerRow = nil
      if object.state == .fault { object.state = .clean }
      faultsWereRead?(object.entity, 1)
    } catch {
      faultFailed(error)
    }
  }

  /// Reads the rows of all faults among the objects together.
  package func fulfil(_ objects: [ManagedObject]) throws {
    var keys = ByEntity<[RowKey]>(repeating: [], count: maps.count)
    for object in objects where object.page == nil && object.state == .fault {
      keys[object.entity.index].append(object.key)
    }
    for entity in keys.indices where !keys[entity].isEmpty {
      for page in try store.rows(entity: entity, keys: keys[entity]) {
        for row in 0..<page.rowCount {
          if let object = maps[entity][page.key(ofRow: row)] { fill(object, page, row) }
        }
      }
      faultsWereRead?(schema.entities[entity], keys[entity].count)
    }
    for object in objects where object.state == .fault { vanish(object, isLost: true) }
  }

  /// The readable objects: faults are read together, and objects with deleted rows are left out. If the store
  /// cannot be read, that is reported, and faults stay faults.
  func readable(_ objects: [ManagedObject]) -> [ManagedObject] {
    guard objects.contains(where: { $0.state == .fault || $0.state == .gone }) else {
      return objects
    }
    do {
      try fulfil(objects)
    } catch {
      faultFailed(error)
    }
    return objects.filter { $0.state != .gone }
  }

  func readRelatedKeys(of object: ManagedObject, slot: Slot) -> [RowKey] {
    reading { try store.relatedKeys(entity: object.entity.index, slot: slot, key: object.key) }
  }

  /// The result of a read from the store; empty if it fails, which is reported.
  func reading<Element>(_ body: () throws -> [Element]) -> [Element] {
    do {
      return try body()
    } catch {
      faultFailed(error)
      return []
    }
  }

  /// Turns a clean object into a fault, so that the next access reads its row. Keeps the old values: if the
  /// row is deleted by then, the object ends with them.
  func forgetRow(of object: ManagedObject) {
    guard let page = object.page else { return }
    object.lazyExtras.formerRow = (page, object.row)
    object.page = nil
    object.state = .fault
    storedVersion += 1
  }

  /// Removes an object without a row from the graph. It can still be held, and keeps the values that were
  /// read.
  ///
  /// - Parameter isLost: whether someone else has deleted it.
  func vanish(_ object: ManagedObject, isLost: Bool = false) {
    object.state = .gone
    object.isLost = isLost
    storedVersion += 1
    if object.page == nil, let former = object.extras?.formerRow {
      object.page = former.page
      object.row = former.row
    }
    object.extras?.formerRow = nil
    maps[object.entity.index].remove(key: object.key)
    if isListenedTo { pending.departed.append(object) }
  }

  /// Restores an object that someone else has deleted and that is now edited: as if the edit had come first,
  /// it is staged, and the save reports the conflict. Without another edit the object is removed again.
  func readopt(_ object: ManagedObject) {
    let map = maps[object.entity.index]
    if let other = map[object.key], other.state == .fault { fulfil(other) }
    if map[object.key] != nil {
      // Another row has the key now. A new key leads to no row, as the old one did.
      do {
        object.key = try store.makeKey(entity: object.entity.index, besides: object.key)
      } catch {
        return faultFailed(error)
      }
    }
    object.isLost = false
    object.stagedRow = .gone
    if object.page == nil {
      // The object was never read: only the assigned value is known.
      let row = RowReference(
        BySlot(repeating: .null, count: object.entity.slotCount), key: object.key,
        columnCount: object.entity.slotCount)
      object.page = row.page
      object.row = Int32(row.row)
    }
    object.state = .clean
    map.insert(object)
    recordReturn(of: object)
  }
}
