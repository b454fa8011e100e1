import Basics
import DatastoreCore
import Foundation
import SwiftDatastore

/// Tables for files that fill entities which a store does not have yet.
extension StoreLoader {
  /// Whether the plan fills entities that the store lacks and that could be created for it.
  ///
  /// - Throws: `LoadError.unfit` if something else has the name of one; `StoreError`.
  func lacksEntities(_ plan: LoadPlan) throws -> Bool {
    guard plan.model == nil else { return false }
    let store = try destination.store(true)
    defer { try? store.close() }
    let missing = plan.missing(in: store.schema)
    for source in missing { try requireFreeName(for: source, in: store) }
    return !missing.isEmpty
  }

  private func requireFreeName(for source: LoadSource, in store: any StoreEngine) throws {
    guard case .entity(let content) = source.content else { return }
    let name = content.entity.caselessKey
    let reason: String
    if destination.url != nil, name.begins(with: "sqlite_".caselessKey) {
      reason = "SQLite keeps names that begin with sqlite_ for itself"
    } else if try store.schema.entities.contains(where: { entity in
      try store.indexes(of: entity).contains { $0.name.caselessKey == name }
    }) {
      reason = "\(destination.name) has an index of that name"
    } else {
      return
    }
    throw LoadError.unfit(
      nil,
      reason: "\(source.name) is to fill a new table “\(content.entity.shownInMessage)”, but "
        + "\(reason); say another name with --entity")
  }

  /// Creates the tables that the plan fills and the store lacks, with types inferred from the values.
  ///
  /// - Returns: the names of the created entities, and notes for the user about their types.
  /// - Throws: `StoreError`, `ImportError`.
  func addMissingEntities(
    _ plan: LoadPlan, _ notify: @escaping @Sendable (LoadEvent) -> Void
  ) throws -> (names: [String], notes: [String]) {
    guard try lacksEntities(plan) else { return ([], []) }
    let store = try destination.store(false)
    defer { try? store.close() }
    var part = plan
    part.sources = plan.missing(in: store.schema)
    let found = try inferredSchema(of: part, notify)
    let descriptions = found.schema.entities.map(\.description)
    try store.addEntities(descriptions)
    return (descriptions.map(\.name), found.notes)
  }

  /// Creates the tables that an existing store lacks for the plan, and loads nothing.
  ///
  /// - Parameter notify: called off the main actor while the files are read to infer the types.
  /// - Returns: the names of the new tables.
  /// - Throws: `StoreError`, `ImportError`, `CancellationError`; nothing is created then.
  @discardableResult
  package func makeTables(
    _ notify: @escaping @Sendable (LoadEvent) -> Void
  ) async throws -> [String] {
    try addMissingEntities(destination.fitted(plan), notify).names
  }

  /// Loads files that fill new entities into a store of their own, which is discarded.
  ///
  /// - Throws: `LoadError.unfit` if other files of the plan fill existing entities.
  func tryNewEntities(
    _ plan: LoadPlan, _ notify: @escaping @Sendable (LoadEvent) -> Void
  ) async throws -> LoadReport {
    let store = try destination.store(true)
    let isComplete = plan.missing(in: store.schema).count == plan.sources.count
    try store.close()
    guard isComplete else {
      throw LoadError.unfit(
        nil,
        reason:
          "Some of the files fill tables that \(destination.name) has, and others new ones, which "
          + "cannot be tried together; try them one by one")
    }
    // A load into a server is tried in a temporary file.
    guard let url = destination.url else {
      return try await StoreLoader(plan, into: destination, options: options, models: models)
        .tryNewStore(notify)
    }
    let building = try StoreUnderConstruction(at: url)
    defer { building.discard() }
    return try await StoreLoader(plan, into: destination, options: options, models: models)
      .build(building, notify)
  }

  /// Removes the entities that `addMissingEntities` has created.
  func removeEntities(_ names: [String]) throws {
    if names.isEmpty { return }
    let store = try destination.store(false)
    defer { try? store.close() }
    try store.removeEmptyEntities(names)
  }
}

extension LoadPlan {
  /// The files that fill entities which a schema lacks; none if one of them has relationships, since these
  /// concern other tables, too.
  fileprivate func missing(in schema: Schema) -> [LoadSource] {
    var missing: [LoadSource] = []
    for source in sources {
      guard case .entity(let content) = source.content,
        schema.entity(named: content.entity) == nil
      else { continue }
      let hasReferences = content.columns.contains { column in
        if case .reference = column.role { return true }
        return false
      }
      if hasReferences { return [] }
      missing.append(source)
    }
    return missing
  }
}
