import DatastoreCore

/// Finds the pairs of relationships, and the orders, that a migration would lose.
struct RelationshipChecks {
  let difference: SchemaDifference
  let before: SchemaMapping
  let after: SchemaMapping
  let custom: CustomMigration?

  /// Whether a custom mapping handles the objects of one of its ends.
  private func isHandled(_ link: RelationshipLink) -> Bool {
    guard let handled = custom?.handled else { return false }
    return [link.entity, link.destination].contains {
      handled.contains(before.schema.entities[$0].name)
    }
  }

  /// Each new relationship with its predecessors.
  private var formers: [(link: RelationshipLink, former: FormerRelationship)] {
    after.schema.entities.flatMap { entity in
      entity.links.compactMap(\.self).filter { $0.entity == entity.index }.flatMap { link in
        difference.formerRelationships(link).map { (link, $0) }
          .filter { !isHandled($0.1.link) }
      }
    }
  }

  func run(_ database: any MigrationDatabase, _ findings: inout MigrationChecks.Findings) throws {
    let formers = self.formers
    try lost(formers.map(\.former.link), database, &findings)
    for (link, former) in formers {
      try narrowed(link, former, database, &findings)
      try oneSided(link, former, database, &findings)
      try scattered(link, former, database, &findings)
    }
    try unordered(formers, database, &findings)
  }

  /// Pairs of relationships that the model has at neither end.
  private func lost(
    _ kept: [RelationshipLink], _ database: any MigrationDatabase,
    _ findings: inout MigrationChecks.Findings
  ) throws {
    var seen = Set(kept.flatMap { [$0] + inverse(of: $0) })
    for entity in before.schema.entities {
      for link in entity.links.compactMap(\.self)
      where link.entity == entity.index && !seen.contains(link) && !isHandled(link)
        && difference.laterEntities[entity.index] != nil
      {
        seen.formUnion([link] + inverse(of: link))
        let pairs = FormerPairs(FormerRelationship(link: link, isReversed: false), in: before)
        let count = try database.count(
          "SELECT count(*) FROM \(name: pairs.table) AS s WHERE \(pairs.isPair("s"))")
        // Pairs that are lost with the objects at the other end have been reported with those.
        guard count > 0 else { continue }
        findings.losses.append(
          MigrationLoss(
            entity: entity.name, property: link.description.name, count: count,
            reason: .propertyRemoved))
      }
    }
  }

  private func inverse(of link: RelationshipLink) -> [RelationshipLink] {
    [before.schema.entities.inverse(of: link)].compactMap(\.self)
  }

  /// Objects with several destinations of a relationship that becomes to-one.
  private func narrowed(
    _ link: RelationshipLink, _ former: FormerRelationship, _ database: any MigrationDatabase,
    _ findings: inout MigrationChecks.Findings
  ) throws {
    guard link.kind == .toOne else { return }
    let pairs = FormerPairs(former, in: before)
    // A row that holds the other key has only one destination.
    let isHeldByOwner = before.entities.contains {
      $0.table == pairs.table && $0.keyColumn == pairs.own
    }
    if isHeldByOwner, !pairs.isJoin { return }
    let numbers = try database.rows(
      """
      SELECT count(*), coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n FROM \(name: pairs.table) AS s \
      WHERE \(pairs.isPair("s")) GROUP BY s.\(name: pairs.own) HAVING count(*) > 1) AS q
      """)
    guard let numbers = numbers.first?.map(\.wholeNumber), numbers[0] > 0 else { return }
    let owners = numbers[0]
    let owner = after.schema.entities[link.entity].name
    let isOneToOne = after.schema.entities.inverse(of: link)?.kind == .toOne
    if isOneToOne {
      findings.obstacles.append(
        .ambiguousPairs(entity: owner, property: link.description.name, count: owners))
      return
    }
    let old = former.link
    findings.losses.append(
      MigrationLoss(
        entity: before.schema.entities[old.entity].name, property: old.description.name,
        count: numbers[1], reason: .narrowed))
  }

  /// Objects whose destinations do not lead back, if a relationship becomes its own inverse.
  private func oneSided(
    _ link: RelationshipLink, _ former: FormerRelationship, _ database: any MigrationDatabase,
    _ findings: inout MigrationChecks.Findings
  ) throws {
    guard link.kind == .toOne, link.isOwnInverse, !former.link.isOwnInverse else { return }
    let pairs = FormerPairs(former, in: before)
    let count = try database.count(
      """
      SELECT count(*) FROM \(name: pairs.table) AS s WHERE \(pairs.isPair("s")) AND NOT EXISTS \
      (SELECT 1 FROM \(name: pairs.table) AS t WHERE t.\(name: pairs.own) = s.\(name: pairs.other) \
      AND t.\(name: pairs.other) = s.\(name: pairs.own))
      """)
    guard count > 0 else { return }
    findings.obstacles.append(
      .oneSidedPairs(
        entity: after.schema.entities[link.entity].name, property: link.description.name,
        count: count))
  }

  /// References to objects that go into another table than that of the relationship's new destination.
  private func scattered(
    _ link: RelationshipLink, _ former: FormerRelationship, _ database: any MigrationDatabase,
    _ findings: inout MigrationChecks.Findings
  ) throws {
    let pairs = FormerPairs(former, in: before)
    let newRoot = after.schema.entities[link.destination].root
    let elsewhere = before.schema.entities[pairs.otherRoot].members.filter { member in
      guard let later = difference.laterEntities[member],
        !before.schema.entities[member].isAbstract
      else { return false }
      return after.schema.entities[later].root != newRoot
    }
    guard !elsewhere.isEmpty else { return }
    let table = before.entities[pairs.otherRoot]
    guard let family = table.family else { return }
    let names = elsewhere.map { "\(literal: before.schema.entities[$0].name)" as SQLFragment }
    let count = try database.count(
      """
      SELECT count(*) FROM \(name: pairs.table) AS p JOIN \(name: table.table) AS d \
      ON d.\(name: table.keyColumn) = p.\(name: pairs.other) \
      WHERE d.\(name: family.discriminator) IN (\(names.joined(by: ", ")))
      """)
    guard count > 0 else { return }
    let owner = after.schema.entities[link.entity].name
    findings.obstacles.append(
      .brokenReferences(table: "\(owner).\(link.description.name)", count: count))
  }

  /// Orders that are not kept.
  private func unordered(
    _ formers: [(link: RelationshipLink, former: FormerRelationship)],
    _ database: any MigrationDatabase,
    _ findings: inout MigrationChecks.Findings
  ) throws {
    // An order is kept if an ordered new relationship is its successor.
    let kept = Set(formers.map(\.former.link))
    let ordered = Set(
      formers.filter { $0.link.kind == .orderedToMany && !$0.former.isReversed }.map(\.former.link))
    for entity in before.schema.entities {
      for link in entity.links.compactMap(\.self)
      where link.entity == entity.index && link.kind == .orderedToMany && !ordered.contains(link) {
        let isKept = !kept.isDisjoint(with: [link] + inverse(of: link))
        let pairs = FormerPairs(FormerRelationship(link: link, isReversed: false), in: before)
        guard isKept, let order = pairs.ownOrder else { continue }
        // A single object has no order.
        let count = try database.count(
          """
          SELECT count(*) FROM (SELECT 1 FROM \(name: pairs.table) AS s WHERE \(pairs.isPair("s")) \
          AND s.\(name: order) IS NOT NULL GROUP BY s.\(name: pairs.own) HAVING count(*) > 1) AS q
          """)
        // If it becomes to-one, the first in the order is kept.
        let isNarrowed = formers.contains {
          $0.former == FormerRelationship(link: link, isReversed: false) && $0.link.kind == .toOne
        }
        guard count > 0, !isNarrowed else { continue }
        findings.losses.append(
          MigrationLoss(
            entity: entity.name, property: link.description.name, count: count,
            reason: .order))
      }
    }
  }
}
