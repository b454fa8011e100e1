/// Errors of a store about its rows, with the keys by which contexts know them.
extension KeyShift {
  /// Runs a read or write in the store.
  ///
  /// - Throws: the errors of `body`, with shared keys.
  func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw shared(error)
    }
  }

  func telling<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch {
      throw shared(error)
    }
  }

  private func shared(_ error: any Error) -> any Error {
    switch error {
    case let error as ConflictError: ConflictError(conflicts: error.conflicts.map(shared))
    case let error as ValidationError: ValidationError(faults: error.faults.map(shared))
    case let error as StoreError: shared(error)
    default: error
    }
  }

  private func shared(_ key: RowKey, _ entity: String) -> RowKey {
    schema.entity(named: entity).map { shared(key, of: $0.index) } ?? key
  }

  private func shared(_ key: RowKey?, _ entity: String?) -> RowKey? {
    key.map { key in entity.map { shared(key, $0) } ?? key }
  }

  private func shared(_ conflict: Conflict) -> Conflict {
    let entity = schema.entity(named: conflict.entity)
    let properties = conflict.properties.map { property -> Conflict.Property in
      guard let link = entity?.slot(named: property.name).flatMap({ entity?.links[$0] }),
        link.kind == .toOne
      else { return property }
      func moved(_ value: Value) -> Value { shared(value, of: link.destination) }
      return Conflict.Property(
        name: property.name, original: moved(property.original), mine: moved(property.mine),
        theirs: moved(property.theirs))
    }
    return Conflict(
      entity: conflict.entity, key: shared(conflict.key, conflict.entity), properties: properties,
      isDeleted: conflict.isDeleted, isAnotherRow: conflict.isAnotherRow,
      wasToBeDeleted: conflict.wasToBeDeleted, mayBeElsewhere: conflict.mayBeElsewhere)
  }

  private func shared(_ fault: ValidationError.Fault) -> ValidationError.Fault {
    .init(
      entity: fault.entity, key: shared(fault.key, fault.entity), property: fault.property,
      reason: fault.reason)
  }

  private func shared(_ error: StoreError) -> StoreError {
    switch error {
    case .unfitValue(let entity, let property, let key, let detail):
      .unfitValue(
        entity: entity, property: property, key: shared(key, entity), detail: detail)
    case .noStoredValue(let entity, let property, let key):
      .noStoredValue(entity: entity, property: property, key: shared(key, entity))
    case .notUnique(let entity, let properties, let key):
      .notUnique(entity: entity, properties: properties, key: shared(key, entity))
    case .missingValue(let entity, let property, let key):
      .missingValue(entity: entity, property: property, key: shared(key, entity))
    case .checkFailed(let entity, let constraint, let key):
      .checkFailed(entity: entity, constraint: constraint, key: shared(key, entity))
    case .brokenReference(let entity, let property, let key, let detail):
      .brokenReference(
        entity: entity, property: property, key: shared(key, entity), detail: detail)
    case .refused(let entity, let key, let detail):
      .refused(entity: entity, key: shared(key, entity), detail: detail)
    case .unknownMembers(let entity, let key, let count, let member, let isDeleted):
      .unknownMembers(
        entity: entity, key: shared(key, entity), count: count, of: member, isDeleted: isDeleted)
    case .keyChanged(let entity, let property, let key):
      .keyChanged(entity: entity, property: property, key: shared(key, entity))
    default: error
    }
  }
}
