/// The path of a file to a model whose history is known: the versions it passes, and the custom mappings
/// between them.
///
/// Pure: its input is the schema in the file. A path consists of steps of the migration chain and of steps
/// with a custom mapping. The one with the fewest steps is chosen; of two equally short ones, the one whose
/// first difference comes first in the chain. A file of an unknown version, or from which no path leads on,
/// is migrated to the model directly, by the schemas.
package struct MigrationRoute: Sendable {
  package let history: SchemaHistory
  /// At most one for each pair of versions.
  package let customs: [CustomMigration]
  /// Whether a path of more than one step is refused.
  package let preventsProgressiveMigration: Bool
  /// The initial values of new attributes, by the name of a version.
  package var initialValues: [String: InitialValues] = [:]

  package init(
    history: SchemaHistory, customs: [CustomMigration] = [],
    preventsProgressiveMigration: Bool = false
  ) {
    self.history = history
    self.customs = customs
    self.preventsProgressiveMigration = preventsProgressiveMigration
  }

  /// The legs from the schema of a file to the current version.
  ///
  /// Consecutive steps without custom mappings are one leg, done in one pass over the rows.
  ///
  /// - Returns: at least one.
  /// - Throws: an obstacle, if the file is of a later version, or too many steps away.
  package func legs(from file: Schema) throws(MigrationObstacle) -> [MigrationLeg] {
    let model = history.current.schema
    guard let source = history.version(of: file)?.modelVersion,
      let destination = history.current.modelVersion
    else { return [MigrationLeg(to: model)] }
    guard let way = way(from: source, to: destination) else {
      if way(from: destination, to: source) != nil {
        throw .newerVersion(version: source, current: destination)
      }
      return [MigrationLeg(to: model)]
    }
    if preventsProgressiveMigration, way.count > 1 {
      throw .severalSteps([source] + way)
    }
    return legs(from: source, over: way)
  }

  /// The versions between that of a file and the current one; empty if it is not known.
  package func passed(from file: Schema) -> [Schema] {
    guard let source = history.version(of: file)?.modelVersion,
      let destination = history.current.modelVersion,
      let way = way(from: source, to: destination)
    else { return [] }
    return way.dropLast().compactMap { history.version(named: $0)?.schema }
  }

  private func legs(from source: String, over way: [String]) -> [MigrationLeg] {
    var legs: [MigrationLeg] = []
    var pending: [Schema] = []
    var former = source
    func close() {
      guard let last = pending.popLast() else { return }
      legs.append(
        MigrationLeg(
          to: last, through: pending,
          initialValues: last.version.flatMap { initialValues[$0] }))
      pending = []
    }
    for name in way {
      guard let version = history.version(named: name) else { continue }
      if let custom = customs.first(where: { $0.source == former && $0.destination == name }) {
        close()
        legs.append(
          MigrationLeg(
            from: history.version(named: former)?.schema, to: version.schema, custom: custom,
            initialValues: initialValues[name]))
      } else {
        pending.append(version.schema)
      }
      former = name
    }
    close()
    return legs.isEmpty ? [MigrationLeg(to: history.current.schema)] : legs
  }

  /// The versions after one up to another; nil if no path leads there. O(steps²).
  package func way(from source: String, to destination: String) -> [String]? {
    let edges =
      history.migrationChain.steps.map { ($0.source, $0.destination) }
      + customs.map { ($0.source, $0.destination) }
    var formers: [String: String] = [source: source]
    var edge = [source]
    while formers[destination] == nil {
      var next: [String] = []
      for name in edge {
        for (from, to) in edges where from == name && formers[to] == nil {
          formers[to] = name
          next.append(to)
        }
      }
      if next.isEmpty { return nil }
      edge = next
    }
    var way: [String] = []
    var name = destination
    while name != source, let former = formers[name] {
      way.insert(name, at: 0)
      name = former
    }
    return way
  }
}

/// A part of a migration that is done in one pass: a sequence of inferred versions, or one step with a custom
/// mapping.
package struct MigrationLeg: Sendable {
  /// The version before it; nil for the schema in the file, or the result of the leg before.
  package let source: Schema?
  /// The versions in between, through which names are followed.
  package let through: [Schema]
  /// The version after it.
  package let schema: Schema
  package let custom: CustomMigration?
  /// The initial values of new attributes; nil if the request has them.
  package let initialValues: InitialValues?

  package init(
    from source: Schema? = nil, to schema: Schema, through: [Schema] = [],
    custom: CustomMigration? = nil, initialValues: InitialValues? = nil
  ) {
    self.source = source
    self.through = through
    self.schema = schema
    self.custom = custom
    self.initialValues = initialValues
  }
}
