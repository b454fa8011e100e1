package import DatastoreCore

/// Checks a store before it is migrated: the numbers of rows, the losses, and the obstacles. Reads only.
package struct MigrationChecks: Sendable {
  let difference: SchemaDifference
  /// The tables in the file.
  let before: SchemaMapping
  let after: SchemaMapping
  let request: MigrationRequest
  let custom: CustomMigration?
  let dialect: any MigrationDialect
  /// The losses that versions on the way declare, by the names in the file.
  package var declared: DeclaredLosses = []

  package struct Findings: Sendable {
    /// The number of objects of an entity itself, by index of the old entity.
    package var rows: [EntityIndex: Int] = [:]
    package var losses: [MigrationLoss] = []
    package var obstacles: [MigrationObstacle] = []
  }

  var values: MigratedValues {
    MigratedValues(
      difference: difference, mapping: before, after: after, request: request, dialect: dialect)
  }

  /// Makes one pass over each table whose values have to be checked; counts the rows of the others.
  ///
  /// - Parameter isAllowed: whether a loss is allowed when the migration is to be performed: for allowed
  ///   losses it finds out only whether there are any, which ends with the first value, and their count is 1.
  ///   If nil, everything is counted.
  /// - Throws: the errors of the engine.
  package func run(
    _ database: any MigrationDatabase, allowing isAllowed: ((MigrationLoss) -> Bool)? = nil
  ) throws -> Findings {
    try database.prepare(values)
    var findings = Findings()
    for entity in before.schema.entities where !entity.isAbstract {
      let isHandled = custom?.handled.contains(entity.name) ?? false
      let later = difference.later(entity)
      if isHandled, later.map({ custom?.filled.contains($0.name) ?? false }) ?? true {
        // A custom mapping handles it.
        findings.rows[entity.index] = try count("count(*)", of: entity, database)[0]
      } else if let later {
        try look(at: entity, becoming: later, database, &findings, allowing: isAllowed)
      } else {
        func loss(_ count: Int) -> MigrationLoss {
          MigrationLoss(
            entity: entity.name, property: nil, count: count, reason: .entityRemoved)
        }
        let count =
          isAllowed?(loss(1)) ?? false
          ? try isAny(before.dialect.constant(true), of: entity, database) ? 1 : 0
          : try self.count("count(*)", of: entity, database)[0]
        findings.rows[entity.index] = count
        if count > 0 { findings.losses.append(loss(count)) }
      }
    }
    try RelationshipChecks(
      difference: difference, before: before, after: after, custom: custom
    )
    .run(database, &findings)
    for place in findings.losses.indices {
      findings.losses[place].isDeclared = declared.contains(findings.losses[place])
    }
    return findings
  }

  /// A condition whose rows are counted, and the report if there are any.
  private struct Question {
    let condition: SQLFragment
    /// The column for examples, if any are given.
    var column: SQLFragment?
    let report: (Int, Int, [String]) -> Report
  }

  private enum Report {
    case loss(MigrationLoss)
    case obstacle(MigrationObstacle)
  }

  /// - Parameter isCopy: whether the objects also remain as they were, so that nothing of them is lost.
  func look(
    at entity: Entity, becoming later: Entity, isCopy: Bool = false,
    _ database: any MigrationDatabase,
    _ findings: inout Findings, allowing isAllowed: ((MigrationLoss) -> Bool)? = nil
  ) throws {
    var questions: [Question] = []
    for question in isCopy ? [] : lostAttributes(of: entity) {
      guard let isAllowed, case .loss(let loss) = question.report(1, 1, []), isAllowed(loss) else {
        questions.append(question)
        continue
      }
      if try isAny(question.condition, of: entity, database) { findings.add(loss) }
    }
    for slot in later.slots where later.properties[slot].attribute != nil {
      questions += self.questions(slot, of: later, entity)
    }
    for slot in later.relationshipSlots {
      guard let relationship = later.links[slot]?.description, !relationship.isOptional else {
        continue
      }
      let key = values.toOne(slot, of: later)
      questions.append(
        Question(condition: "\(key) IS NULL") { count, total, _ in
          .obstacle(
            .missingValues(
              entity: later.name, property: relationship.name, count: count, of: total))
        })
    }
    if later.isAbstract {
      questions.append(
        Question(condition: before.dialect.constant(true)) { count, _, _ in
          .obstacle(.abstractObjects(entity: later.name, count: count))
        })
    }
    // The number of rows is not needed.
    if questions.isEmpty, isAllowed != nil { return }
    let counts = try count(
      (["count(*)"] + questions.map { "count(CASE WHEN \($0.condition) THEN 1 END)" })
        .joined(by: ", "), of: entity, database)
    findings.rows[entity.index] = counts[0]
    for (question, count) in zip(questions, counts.dropFirst()) where count > 0 {
      let examples =
        try question.column.map {
          try self.examples($0, where: question.condition, of: entity, database)
        } ?? []
      switch question.report(count, counts[0], examples) {
      case .loss(let loss): findings.add(loss)
      case .obstacle(let obstacle): findings.obstacles.append(obstacle)
      }
    }
  }

  /// Attributes that the later entity does not have, nor any other entity to which a mapping copies the
  /// objects.
  private func lostAttributes(of entity: Entity) -> [Question] {
    let kept = difference.keptSlots(of: entity).union(copiedSlots(of: entity))
    return zip(entity.slots, entity.properties).compactMap { slot, property in
      guard !kept.contains(slot),
        case .attribute(let column) = before.entities[entity.index].slots[slot]
      else { return nil }
      let owner = before.schema.declaring(slot, of: entity).name
      return Question(condition: "s.\(name: column.name) IS NOT NULL") {
        count, _, _ in
        .loss(
          MigrationLoss(
            entity: owner, property: property.name, count: count, reason: .propertyRemoved))
      }
    }
  }

  /// The slots whose values mappings copy to further entities.
  private func copiedSlots(of entity: Entity) -> Set<Slot> {
    let (old, new) = (difference.old, difference.new)
    let copies = custom?.transformations.filter { $0.run == nil && $0.source == entity.name } ?? []
    return copies.compactMap { new.entity(named: $0.destination) }.reduce(into: []) {
      let copy = SchemaDifference(from: old, to: new, matching: entity, with: $1)
      $0.formUnion(copy.keptSlots(of: entity))
    }
  }

  /// The checks of an attribute's old values.
  private func questions(_ slot: Slot, of later: Entity, _ entity: Entity) -> [Question] {
    guard let attribute = later.properties[slot].attribute else { return [] }
    let (_, isMisfit, column) = values.attribute(slot, of: later)
    let hasReplacement = values.hasReplacement(attribute, slot, later)
    var questions: [Question] = []
    let formerSlot = difference.formerSlots[later.index][slot]
    let old = formerSlot.flatMap { entity.properties[$0].attribute }
    if !attribute.isOptional, !hasReplacement, old?.isOptional ?? true {
      questions.append(
        Question(condition: column.map { "\($0) IS NULL" } ?? before.dialect.constant(true)) {
          count, total, _ in
          .obstacle(
            .missingValues(
              entity: later.name, property: attribute.name, count: count, of: total))
        })
    }
    questions += ruleQuestions(
      attribute, old, values.attribute(slot, of: later).value, isMisfit, later)
    if let column, let old, let (from, to) = attribute.changedCoder(since: old) {
      questions.append(
        Question(condition: "\(column) IS NOT NULL") { count, total, _ in
          .obstacle(
            .otherCoder(
              entity: later.name, property: attribute.name, from: from, to: to, count: count,
              of: total))
        })
    }
    guard let isMisfit, let old else { return questions }
    questions.append(
      Question(condition: isMisfit, column: column) { count, total, examples in
        if !attribute.isOptional, !hasReplacement {
          return .obstacle(
            .valuesDoNotFit(
              entity: later.name, property: attribute.name, attribute.type, count: count,
              of: total, examples: examples))
        }
        return .loss(
          MigrationLoss(
            entity: entity.name, property: old.name, count: count,
            reason: .typeChanged(to: attribute.type, examples: examples)))
      })
    return questions
  }

  /// The checks of rules that are new, or apply to values of another type. A value that does not fit the type
  /// breaks no rule: it is lost or replaced, which is a question of its own.
  private func ruleQuestions(
    _ attribute: AttributeDescription, _ old: AttributeDescription?, _ value: SQLFragment,
    _ isMisfit: SQLFragment?, _ later: Entity
  ) -> [Question] {
    guard let old else { return [] }
    return attribute.constraints.compactMap { rule in
      guard let condition = after.dialect.condition(rule, on: value, of: attribute.type),
        old.type != attribute.type || !old.constraints.contains(rule)
      else { return nil }
      let isBroken: SQLFragment =
        if let isMisfit { "NOT (\(condition)) AND NOT (\(isMisfit))" } else { "NOT (\(condition))" }
      return Question(condition: isBroken, column: value) { count, total, examples in
        .obstacle(
          .valuesBreakRule(
            entity: later.name, property: attribute.name, rule, attribute.type, count: count,
            of: total, examples: examples))
      }
    }
  }

  /// Counts over the rows of an entity itself.
  private func count(
    _ columns: SQLFragment, of entity: Entity, _ database: any MigrationDatabase
  ) throws -> [Int] {
    try database.rows("SELECT \(columns)\(rows(of: entity))").first?.map(\.wholeNumber) ?? [0]
  }

  /// Whether a row of an entity itself meets a condition.
  private func isAny(
    _ condition: SQLFragment, of entity: Entity, _ database: any MigrationDatabase
  ) throws -> Bool {
    try !database.rows("SELECT 1" + rows(of: entity, condition) + " LIMIT 1").isEmpty
  }

  private func rows(of entity: Entity, _ condition: SQLFragment? = nil) -> SQLFragment {
    let table = before.entities[entity.index].table
    let conditions = [values.condition([entity.index], oldRoot: entity.root), condition]
      .compactMap(\.self)
    return " FROM \(name: table) AS s"
      + (conditions.isEmpty
        ? "" : " WHERE " + conditions.map { "(\($0))" as SQLFragment }.joined(by: " AND "))
  }

  /// Up to three values that do not fit.
  private func examples(
    _ column: SQLFragment, where condition: SQLFragment, of entity: Entity,
    _ database: any MigrationDatabase
  ) throws -> [String] {
    let found = try database.rows(
      "SELECT DISTINCT \(column)\(rows(of: entity, condition)) LIMIT 3")
    return found.compactMap { row in
      switch row[0] {
      case .text(let text): String(text.prefix(40))
      case .integer(let integer): String(integer)
      case .real(let real): String(real)
      case .blob, .null: nil
      }
    }
  }
}

extension MigrationChecks.Findings {
  /// Adds a loss to one of the same property that other children of a parent have already reported.
  mutating func add(_ loss: MigrationLoss) {
    guard
      let place = losses.firstIndex(where: {
        $0.name == loss.name && $0.reason.isOfTheKind(of: loss.reason)
      })
    else {
      losses.append(loss)
      return
    }
    let former = losses[place]
    losses[place] = MigrationLoss(
      entity: former.entity, property: former.property, count: former.count + loss.count,
      reason: former.reason)
  }
}

extension MigrationLoss.Reason {
  fileprivate func isOfTheKind(of other: Self) -> Bool {
    switch (self, other) {
    case (.typeChanged(let a, _), .typeChanged(let b, _)): a == b
    default: self == other
    }
  }
}

extension Schema {
  /// The entity that declares a property, which another may have inherited.
  func declaring(_ slot: Slot, of entity: Entity) -> Entity {
    entity.ancestors.last { entities[$0].slots.contains(slot) }.map { entities[$0] } ?? entity
  }
}
