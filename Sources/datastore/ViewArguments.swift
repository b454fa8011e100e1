import DatastoreBrowser
import DatastoreCore

/// The arguments for the first view, as text.
struct ViewArguments {
  let entity: String?
  let groupBy: String?
  let predicate: String?
  let order: String?

  /// The options for a schema.
  ///
  /// - Throws: `Failure` with the closest names if one is unknown; `PredicateSyntaxError`.
  func options(for schema: Schema) throws -> BrowserOptions {
    var options = BrowserOptions(at: entity)
    guard let entity = try resolvedEntity(in: schema) else {
      if groupBy != nil || predicate != nil || order != nil {
        throw Failure(.usage, "The file has no tables, so there is nothing to select from.")
      }
      return options
    }
    if groupBy != nil || predicate != nil || order != nil { options.entity = entity.name }
    options.groupBy = try groupBy.map {
      // A plain name is accepted, even if a path would have to quote it.
      if let slot = entity.slot(named: $0), entity.properties[slot].attribute != nil { return [$0] }
      return try Predicate.Operand.parse($0, entity: entity, in: schema).path
    }
    options.predicate = try predicate.map { try Predicate.parse($0, entity: entity, in: schema) }
    options.order = try order.map { try SortDescriptor.parse($0, entity: entity, in: schema) } ?? []
    return options
  }

  private func resolvedEntity(in schema: Schema) throws -> Entity? {
    guard let name = entity else { return schema.entities.first }
    return try OpenedFile.entity(named: name, in: schema)
  }

  /// The message about an unknown name, with the closest known one.
  static func unknown(
    _ kind: String, _ name: String, among names: [String], of owner: String
  ) -> Failure {
    var sentence = "There is no \(kind) “\(name)” in \(owner)"
    if let closest = Suggestion.closest(to: name, in: names) {
      sentence += "; did you mean “\(closest)”?"
    } else if names.isEmpty {
      sentence += ", which has none."
    } else {
      let known = names.sorted().prefix(20).joined(separator: ", ")
      sentence += "; it has \(known)\(names.count > 20 ? ", …" : "")."
    }
    return Failure(.usage, sentence)
  }
}
