#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

extension StoreError {
  /// A server's refusal of a save, with the object and property as far as the server names them.
  ///
  /// - Parameters:
  ///   - entity: the entity whose rows the statement has written; nil at the end of the transaction.
  ///   - key: the key of the refused row, if it is known.
  init(
    _ failure: PostgreSQLFailure, of entity: EntityIndex?, _ key: RowKey? = nil,
    in store: PostgreSQLStore
  ) {
    let mapping = store.mapping
    let table = failure.table.flatMap { table in
      mapping.entities.firstIndex {
        table.isShard(of: $0.table) && ($0.namespace == nil || $0.namespace == failure.schema)
      }
    }
    let described = (table ?? entity).map { mapping.schema.entities[$0] }
    let name = described?.name ?? failure.table ?? "object"
    let detail = failure.explained
    let properties = described.flatMap { entity in
      store.tables[entity.index]?.constraints.first {
        failure.constraint?.isShard(of: $0.key) ?? false
      }?.value.map { mapping.entities[entity.index].name(ofColumn: $0, in: entity) }
    }
    // Rows that go to several machines are refused with the name of an index alone.
    if store.isSpread, mapping.isNative, failure.code == "XX000",
      let said = failure.saidNames.last,
      let index = NativeTables(mapping: mapping).describedIndexes.first(where: {
        $0.isUnique && said.isShard(of: $0.name)
      }), let owner = index.entity
    {
      self = .notUnique(
        entity: mapping.schema.entities[owner].name, properties: index.properties, key: key)
      return
    }
    switch failure.code {
    case "23505", "23P01":
      if let properties {
        self = .notUnique(entity: name, properties: properties, key: key)
        return
      }
      let index =
        mapping.isNative
        ? NativeTables(mapping: mapping).describedIndexes.first {
          failure.constraint?.isShard(of: $0.name) ?? false
        } : nil
      let owner = index?.entity.map { mapping.schema.entities[$0].name } ?? name
      // A refusal by another machine lacks the name of the constraint.
      let taken = described.map { entity in
        failure.takenColumns.map { mapping.entities[entity.index].name(ofColumn: $0, in: entity) }
      }.flatMap { $0.isEmpty ? nil : $0 }
      self = .notUnique(
        entity: owner,
        properties: index?.properties ?? failure.constraint.map { [$0] } ?? taken ?? ["key"],
        key: key)
    case "23502":
      let column = failure.column ?? failure.saidNames.first ?? "a column"
      let property = described.map { mapping.entities[$0.index].name(ofColumn: column, in: $0) }
      self = .missingValue(entity: name, property: property ?? column, key: key)
    case "23503":
      self = .brokenReference(
        entity: name, property: properties?.first, key: key, detail: detail)
    case "23514":
      self = .checkFailed(entity: name, constraint: failure.constraint ?? detail, key: key)
    // Invalid values, and messages that triggers and rules of the database raise themselves.
    case let code
    where code.hasPrefix("22") || code.hasPrefix("P0") || ["428C9", "44000"].contains(code):
      self = .refused(entity: name, key: key, detail: detail)
    case "42501" where !mapping.isNative:
      self = .notPermitted(server: store.place, detail: "\(name) is not written, since \(detail)")
    default: self = store.storeError(failure)
    }
  }
}

extension String {
  /// Whether it is a name, or the name that Citus derives from it for a shard of the table: followed by the
  /// shard's number, and cut off before eight digits if it would be too long.
  fileprivate func isShard(of name: String) -> Bool {
    if isExactly(name) { return true }
    guard let end = utf8.lastIndex(of: UInt8(ascii: "_")),
      utf8[end...].dropFirst().count > 2,
      utf8[end...].dropFirst().allSatisfy({ (48...57).contains($0) })
    else { return false }
    let said = utf8[..<end]
    if said.elementsEqual(name.utf8) { return true }
    let kept = said.dropLast(9)
    return name.utf8.count > kept.count && name.utf8.starts(with: kept)
      && utf8.count == 63 && said.dropFirst(kept.count).first == UInt8(ascii: "_")
  }
}

extension EntityMapping {
  /// The property that holds a column; the column's own name if none does.
  fileprivate func name(ofColumn name: String, in entity: Entity) -> String {
    let slot = slots.indices.first { slot in
      switch slots[slot] {
      case .attribute(let column): column.name.isExactly(name)
      case .toOne(let foreign): foreign.isWritable && foreign.names.place(ofName: name) != nil
      case .toManyForeignKey, .toManyJoin: false
      }
    }
    return slot.map { entity.properties[$0].name } ?? name
  }
}
#endif
