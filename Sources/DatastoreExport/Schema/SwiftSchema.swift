import Basics
import DatastoreCore

/// A schema as SwiftDatastore classes, ready to compile.
///
/// A class has the name of its entity if Swift allows it, else a name made from it, and names the entity. A
/// property whose name Swift does not allow names the property of the file (`named`).
struct SwiftSchema {
  let lines: [String]

  init(_ outline: SchemaOutline) {
    let names = SwiftNames(outline)
    var inverses: Set<[String]> = []
    var lines = ["import Foundation", "import SwiftDatastore"]
    for entity in outline.entities {
      lines.append("")
      lines += Self.lines(of: entity, in: outline, names, &inverses)
    }
    lines += [
      "", "/// The model of these classes.", "func makeModel() throws -> SwiftDatastoreModel {",
    ]
    if outline.entities.isEmpty {
      lines.append("  try SwiftDatastoreModel(from: [])")
    } else {
      let version = outline.version.map { "version: \(Self.literal($0)), " } ?? ""
      lines.append("  try SwiftDatastoreModel(\(version)from: [")
      lines += outline.entities.map { "    \(names.type(of: $0.name)).self," }
      lines.append("  ])")
    }
    self.lines = lines + ["}"]
  }

  private static func lines(
    of entity: EntityOutline, in outline: SchemaOutline, _ names: SwiftNames,
    _ inverses: inout Set<[String]>
  ) -> [String] {
    let type = names.type(of: entity.name)
    let parent = entity.description.parent.flatMap { outline.entity(named: $0) }
    let isParent = outline.entities.contains { $0.description.parent == entity.name }
    var lines: [String] = []
    if entity.description.isReadOnly { lines.append("// A \(entity.kind) that cannot be written.") }
    lines.append(
      "\(isParent ? "" : "final ")class \(type): \(parent.map { names.type(of: $0.name) } ?? "DatastoreObject") {"
    )
    if entity.description.isAbstract {
      lines.append("  override class var isAbstract: Bool { self == \(type).self }")
    }
    let inheritsName = parent.map { names.type(of: $0.name) != $0.name } ?? false
    if type != entity.name || inheritsName {
      lines.append("  override class var entityName: String { \(literal(entity.name)) }")
    }
    if let name = entity.description.renamedFrom {
      lines.append("  override class var renamedFrom: String? { \(literal(name)) }")
    }
    let constraints = entity.description.uniqueness.filter {
      !(parent?.description.uniqueness.contains($0) ?? false)
    }
    if !constraints.isEmpty {
      lines.append("  override class var uniqueConstraints: [[AnyKeyPath]] {")
      let sets = constraints.map { set in
        "["
          + set.map { "\\\(type).$\(names.property($0, of: entity.name))" }.joined(separator: ", ")
          + "]"
      }
      lines.append("    [\(sets.joined(separator: ", "))]")
      lines.append("  }")
    }
    lines += indexLines(of: entity, parent, type, names)
    if let modifier = entity.description.hashModifier {
      lines.append("  override class var hashModifier: String? { \(literal(modifier)) }")
    }
    // The parent declares the inherited properties.
    for property in entity.description.properties.dropFirst(
      parent?.description.properties.count ?? 0)
    {
      let name = names.property(property.name, of: entity.name)
      let storedName = name == property.nameInFile ? nil : property.nameInFile
      switch property {
      case .attribute(let attribute):
        lines +=
          SwiftAttribute(attribute, name: SwiftNames.declared(name), storedName: storedName).lines
      case .relationship(let relationship):
        if isOwnInverse(relationship, of: entity.name), relationship.kind == .orderedToMany {
          lines.append(
            "  // Its own inverse in the file, which no ordered one can say: link both objects.")
        }
        lines.append(
          line(
            of: relationship, named: SwiftNames.declared(name), storedName: storedName,
            entity.name, names, &inverses))
      }
    }
    return lines + ["}"]
  }

  private static func indexLines(
    of entity: EntityOutline, _ parent: EntityOutline?, _ type: String, _ names: SwiftNames
  ) -> [String] {
    let indexes = entity.description.indexes.filter {
      !(parent?.description.indexes.contains($0) ?? false)
    }
    if indexes.isEmpty { return [] }
    let list = indexes.map { index in
      let isPlain = index.columns.allSatisfy { !$0.isDescending }
      let columns = index.columns.map { column in
        let path = "\\\(type).$\(names.property(column.property, of: entity.name))"
        return isPlain ? path : ".\(column.isDescending ? "descending" : "ascending")(\(path))"
      }
      return "Index(\(columns.joined(separator: ", ")))"
    }
    return [
      "  override class var indexes: [Index] {", "    [\(list.joined(separator: ", "))]", "  }",
    ]
  }

  /// Whether a relationship is its own inverse: the declaration of a property cannot contain the key path of
  /// that property.
  private static func isOwnInverse(
    _ relationship: RelationshipDescription, of entity: String
  ) -> Bool {
    relationship.destination == entity && relationship.inverse == relationship.name
  }

  private static func line(
    of relationship: RelationshipDescription, named name: String, storedName: String?,
    _ entity: String, _ names: SwiftNames, _ inverses: inout Set<[String]>
  ) -> String {
    var arguments: [String] = []
    if isOwnInverse(relationship, of: entity) {
      if relationship.kind != .orderedToMany { arguments.append("isSymmetric: true") }
    } else if let inverse = relationship.inverse,
      !inverses.contains([entity, relationship.name])
    {
      // Only one side names the inverse.
      inverses.insert([relationship.destination, inverse])
      arguments.append("inverse: \\.$\(names.property(inverse, of: relationship.destination))")
    }
    switch relationship.deleteRule {
    case .nullify: break
    case .cascade: arguments.append("deleteRule: .cascade")
    case .deny: arguments.append("deleteRule: .deny")
    case .noAction: arguments.append("deleteRule: .noAction")
    }
    if relationship.kind.isToMany {
      if relationship.minimumCount > 0 {
        arguments.append("minimumCount: \(relationship.minimumCount)")
      }
      if relationship.maximumCount > 0 {
        arguments.append("maximumCount: \(relationship.maximumCount)")
      }
    }
    arguments += Self.names(relationship.renamedFrom, storedName, relationship.hashModifier)
    let list = arguments.isEmpty ? "" : "(" + arguments.joined(separator: ", ") + ")"
    let destination = names.type(of: relationship.destination)
    return switch relationship.kind {
    case .toOne where !relationship.isOptional:
      "  @Relationship.ToOne.Required\(list) var \(name): \(destination)"
    case .toOne: "  @Relationship.ToOne\(list) var \(name): \(destination)?"
    case .toMany: "  @Relationship.ToMany\(list) var \(name): Set<\(destination)>"
    case .orderedToMany: "  @Relationship.ToMany.Ordered\(list) var \(name): [\(destination)]"
    }
  }

  /// The arguments `renamedFrom`, `named` and `hashModifier` for the texts that are given.
  static func names(
    _ renamedFrom: String?, _ storedName: String?, _ hashModifier: String?
  ) -> [String] {
    [("renamedFrom", renamedFrom), ("named", storedName), ("hashModifier", hashModifier)]
      .compactMap { label, text in text.map { "\(label): \(literal($0))" } }
  }

  static func literal(_ text: String) -> String { Quoting.swiftLiteral(text) }
}
