import Basics
import DatastoreBrowser
import DatastoreCore

/// What the arguments say about the first view, as text.
struct ViewArguments {
  let entity: String?
  let groupBy: String?
  let predicate: String?
  let order: String?

  /// The same in terms of a schema.
  ///
  /// - Throws: `Failure` with the closest names where one is unknown; `PredicateSyntaxError`.
  func options(for schema: Schema) throws -> BrowserOptions {
    var options = BrowserOptions(entity: entity)
    guard let entity = try resolvedEntity(in: schema) else {
      if groupBy != nil || predicate != nil || order != nil {
        throw Failure(.usage, "The file has no tables, so there is nothing to select from.")
      }
      return options
    }
    if groupBy != nil || predicate != nil || order != nil { options.entity = entity.name }
    options.groupBy = try groupBy.map { try Self.path($0, from: entity, in: schema) }
    options.predicate = try predicate.map { try Predicate.parse($0, entity: entity, in: schema) }
    options.order = try order.map { try SortDescriptor.parse($0, entity: entity, in: schema) } ?? []
    return options
  }

  private func resolvedEntity(in schema: Schema) throws -> Entity? {
    guard let name = entity else { return schema.entities.first }
    return try OpenedFile.entity(named: name, in: schema)
  }

  /// A path of to-one relationships to the property, or the part of a date, that makes the sections.
  private static func path(
    _ text: String, from entity: Entity, in schema: Schema
  ) throws -> [String] {
    // A column may have points in its name.
    let names =
      entity.slot(named: text) != nil
      ? [text] : text.parts(at: ".").map(String.init)
    var entity = entity
    for (index, name) in names.enumerated() {
      guard let slot = entity.slot(named: name) else {
        throw unknown(
          "property", name, among: entity.properties.map(\.name), of: "the entity \(entity.name)")
      }
      let isLast = index == names.count - 1
      switch entity.links[slot] {
      case let link? where link.kind.isToMany:
        throw Failure(
          .usage, "\(entity.name).\(name) leads to many objects, so it cannot make groups.")
      case let link?: entity = schema.entities[link.destination]
      case nil:
        let isDate = entity.properties[slot].attribute?.dates != nil
        if isDate, index == names.count - 2, DatePart(step: names[index + 1]) != nil {
          return names
        }
        if !isLast {
          throw Failure(
            .usage, "\(entity.name).\(name) is an attribute, so a path cannot continue after it.")
        }
      }
    }
    return names
  }

  /// The sentence for a name that is not there, with the one that may have been meant.
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
