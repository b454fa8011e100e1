import DatastoreCore

extension MigrationRoute {
  /// The path of files through the versions of a history, with its custom mappings.
  ///
  /// - Throws: `SchemaError` with every disagreement between mappings and versions.
  init(
    _ history: SchemaHistory, _ mappings: [any SchemaMappingProvider],
    preventsProgressiveMigration: Bool
  ) throws {
    var faults: [String] = []
    var customs: [CustomMigration] = []
    for mapping in mappings where !mapping.entityMappings.isEmpty {
      let (source, destination) = (mapping.sourceVersion, mapping.destinationVersion)
      let title = "The mapping from “\(source)” to “\(destination)”"
      guard let old = history.version(named: source), let new = history.version(named: destination)
      else {
        let missing = [source, destination].filter { history.version(named: $0) == nil }
        faults.append(
          "\(title) is of versions that are not in the history "
            + "(\(missing.map { "“\($0)”" }.joined(separator: ", "))); add them, or correct the names."
        )
        continue
      }
      if source == destination { faults.append("\(title) leads nowhere; remove it.") }
      if customs.contains(where: { $0.source == source && $0.destination == destination }) {
        faults.append("\(title) is there twice; make one of both.")
      }
      let custom = CustomMigration(mapping, from: old, to: new)
      faults += custom.unknownNames(mapping, old.schema, new.schema).map { "\(title) \($0)." }
      customs.append(custom)
    }
    guard faults.isEmpty else { throw SchemaError(faults: faults.map { .invalidHistory($0) }) }
    self.init(
      history: history, customs: customs,
      preventsProgressiveMigration: preventsProgressiveMigration)
    for case let model as SwiftDatastoreModel in history.versions {
      guard let name = model.modelVersion else { continue }
      initialValues[name] = ModelTypes(model).initialValues
    }
  }
}

extension CustomMigration {
  fileprivate init(
    _ mapping: any SchemaMappingProvider, from old: any DynamicSchema, to new: any DynamicSchema
  ) {
    self.init(from: mapping.sourceVersion, to: mapping.destinationVersion)
    let (oldTypes, newTypes) = (ModelTypes(version: old), ModelTypes(version: new))
    var copied: Set<String> = []
    for mapping in mapping.entityMappings {
      switch mapping.kind {
      case .delete(let source): handled.insert(source)
      case .copy(let source, let destination):
        pairs.append((source, destination))
        copied.insert(destination)
        transformations.append(Transformation(source: source, destination: destination))
      case .insert(let destination, let insert):
        filled.insert(destination)
        transformations.append(
          Transformation(source: nil, destination: destination) { stage in
            try EntityInsertion(destination, insert).run(stage, newTypes)
          })
      case .transform(let source, let destination, let transformation):
        pairs.append((source, destination))
        handled.insert(source)
        filled.insert(destination)
        transformations.append(
          Transformation(source: source, destination: destination) { stage in
            try transformation.run(stage, old: oldTypes, new: newTypes)
          })
      case .statements(let statements, true): statementsBefore += statements
      case .statements(let statements, false): statementsAfter += statements
      }
    }
    filled.subtract(copied)
  }

  /// Names in a mapping that neither version has, as ends of sentences.
  fileprivate func unknownNames(
    _ mapping: any SchemaMappingProvider, _ old: Schema, _ new: Schema
  ) -> [String] {
    var faults: [String] = []
    func require(_ name: String, in schema: Schema, _ version: String) {
      let fault = "names the entity “\(name)”, which “\(version)” does not have"
      if schema.entity(named: name) == nil, !faults.contains(fault) { faults.append(fault) }
    }
    for mapping in mapping.entityMappings {
      switch mapping.kind {
      case .delete(let name): require(name, in: old, source)
      case .insert(let name, _): require(name, in: new, destination)
      case .copy(let from, let to), .transform(let from, let to, _):
        require(from, in: old, source)
        require(to, in: new, destination)
      case .statements: continue
      }
    }
    return faults
  }
}

/// Creates objects of a new entity with a closure, without a source.
private struct EntityInsertion {
  private let destination: String
  private let insert: @Sendable (SwiftDatastoreContext.Closure) throws -> Void

  init(
    _ destination: String,
    _ insert: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> Void
  ) {
    self.destination = destination
    self.insert = insert
  }

  func run(_ stage: MigrationStage, _ types: ModelTypes) throws {
    guard let entity = stage.new.schema.entity(named: destination) else { return }
    let failure = Lock<(any Error)?>(nil)
    let context = StageContext(stage.new, types, failure)
    do {
      try insert(context.closure)
      if let error = failure.withLock({ $0 }) { throw error }
    } catch let error as CancellationError {
      throw error
    } catch {
      throw MigrationObstacle.transformationFailed(
        entity: destination, key: nil, reason: "\(error)")
    }
    try context.save(entity)
  }
}

extension ModelTypes {
  /// The classes of a version, if classes describe it.
  init(version: any DynamicSchema) {
    if let model = version as? SwiftDatastoreModel {
      self.init(model)
    } else {
      self.init(dynamic: version.schema)
    }
  }
}
