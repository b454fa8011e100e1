extension Schema {
  /// The entity with the name that a request gives.
  ///
  /// - Throws: `StoreError.unknownEntity`.
  package func requiredEntity(named name: String) throws -> Entity {
    guard let entity = entity(named: name) else { throw StoreError.unknownEntity(name) }
    return entity
  }
}

/// Errors about the stores of one datastore.
extension StoreError {
  var storesDescription: String {
    switch self {
    case .noStore(let entity, let configurations):
      "No store that was opened holds \(entity); add one "
        + (configurations.isEmpty
          ? "without a configuration, which holds every entity."
          : "of the configuration \(Self.quoted(configurations).joined(separator: " or ")), or without one.")
    case .sharedEntities(let entities, let store, let other):
      "\(store) cannot be added, because \(other) holds \(entities.joined(separator: ", ")), and was opened as the only "
        + "store; open both with `stores:`."
    case .otherConfiguration(let path, let configuration, let wanted):
      "\(path) was added \(Self.text(configuration)), and cannot be added \(Self.text(wanted)); one "
        + "file is one store."
    case .notOneStore(let task):
      "\(task) is done in one store, and this datastore has several, or none; open the file as a datastore of its own "
        + "for that."
    case .severalStores(let entity, let stores):
      "\(entity) is in several stores (\(stores.joined(separator: ", "))); say in which one the object is created."
    case .notInStore(let entity, let wanted, let stores):
      "\(entity) is not in \(wanted.joined(separator: " or ")); the stores that hold it are: "
        + "\(stores.joined(separator: ", "))."
    case .acrossStores(let entity, let property):
      "“\(property)” of \(entity) cannot lead from one store into another; choose an object of the same store."
    case .keyTooGreat(let entity, let key):
      "\(entity) \(key) cannot be read: where several stores hold a class, its rows have numbers of at most 2⁵⁵; "
        + "open the file as a datastore of its own."
    case .tooManyStores(let entity, let most):
      "The store cannot be added, because \(most) stores hold \(entity) already, which is the most that can be told apart."
    case .savedInPart(let saved, let unsaved, let reason):
      "The changes in \(saved.joined(separator: ", ")) are saved, those in "
        + "\(unsaved.joined(separator: ", ")) are not: \(reason) Revert the context to see what is saved, "
        + "and make the others again."
    default: ""
    }
  }

  /// Whether a part of the save was saved.
  package var isSavedInPart: Bool {
    switch self {
    case .savedInPart: true
    default: false
    }
  }

  private static func text(_ configuration: String?) -> String {
    configuration.map { "for the configuration “\($0)”" } ?? "for all entities"
  }

  private static func quoted(_ names: [String]) -> [String] { names.sorted().map { "“\($0)”" } }
}
