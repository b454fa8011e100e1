package import DatastoreCore

/// The keys of old rows in new tables: their own, unless several old tables with overlapping keys are merged.
package struct KeyPlan {
  /// The offsets of copied rows, and of references to them.
  package private(set) var offsets = KeyOffsets()
  /// The offset of each transformation of the step.
  package private(set) var transformations: [Int64] = []
  /// The greatest key of any row, by the root of a new family.
  package private(set) var greatest: [EntityIndex: Int64] = [:]
  /// The old entities whose rows have an offset, by the roots of both families.
  private var sources: [EntityIndex: [EntityIndex: Set<EntityIndex>]] = [:]

  /// The present tables of families.
  private let tables: SchemaMapping
  private let database: any MigrationDatabase

  /// - Throws: the errors of the engine.
  package init(_ plan: MigrationPlan, in database: any MigrationDatabase) throws {
    tables = plan.before
    self.database = database
    let transformations = plan.custom?.transformations(besides: plan.difference) ?? []
    let roots = Set(
      transformations.compactMap { plan.after.schema.entity(named: $0.destination)?.root })
    for (newRoot, feeds) in plan.former.feeds where feeds.count > 1 || roots.contains(newRoot) {
      for feed in feeds {
        offsets[feed.oldRoot, newRoot] = try place(feed.oldRoot, newRoot)
        sources[feed.oldRoot, default: [:]][newRoot] = Set(feed.members.map(\.old))
      }
    }
    for transformation in transformations {
      self.transformations.append(try offset(of: transformation, plan))
    }
  }

  private mutating func offset(
    of transformation: CustomMigration.Transformation, _ plan: MigrationPlan
  ) throws -> Int64 {
    guard let name = transformation.source, let source = plan.before.schema.entity(named: name),
      let destination = plan.after.schema.entity(named: transformation.destination)
    else { return 0 }
    let members = Set([source.index])
    guard let placed = sources[source.root]?[destination.root] else {
      sources[source.root, default: [:]][destination.root] = members
      let offset = try place(source.root, destination.root)
      offsets[source.root, destination.root] = offset
      return offset
    }
    if placed.isDisjoint(with: members) {
      // Another member of the same family: their keys are those of one table.
      sources[source.root]?[destination.root]?.formUnion(members)
      return offsets[source.root, destination.root]
    }
    return try place(source.root, destination.root)
  }

  /// The offset to the keys of an old table that puts them after all placed ones.
  private mutating func place(_ oldRoot: EntityIndex, _ newRoot: EntityIndex) throws -> Int64 {
    let table = tables.entities[oldRoot]
    let range = try database.rows(
      """
      SELECT min(\(name: table.keyColumn)), max(\(name: table.keyColumn)) FROM \(name: table.table)
      """)
    guard let range = range.first, case .integer(let least) = range[0],
      case .integer(let most) = range[1]
    else { return 0 }
    guard let end = greatest[newRoot], least <= end else {
      greatest[newRoot] = most
      return 0
    }
    greatest[newRoot] = end + (most - least) + 1
    return end - least + 1
  }
}
