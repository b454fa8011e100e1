import Basics

/// A record of the tables of a model's version, so that the version is not changed by mistake:
///
/// ```swift
/// let model = try SwiftDatastoreModel(
///   version: "V1", from: Person.self,
///   lock: [
///     "Person": [
///       "attribute name string required",
///       "attribute phone string optional",
///     ]
///   ])
/// ```
///
/// Printed by `datastore schema FILE --format lock` and `SwiftDatastoreModel.versionLock.description`. Its
/// lines are those of the entities' fingerprints, so any change that makes a file unfit for a model changes a
/// line.
public struct VersionLock: Sendable, Hashable {
  /// The lines that describe each table, by name of entity.
  public let entities: [String: [String]]

  /// Creates a lock from recorded entities.
  public init(_ entities: [String: [String]]) {
    self.entities = entities.mapValues { $0.sorted() }
  }

  /// Creates a lock from a schema.
  public init(_ schema: Schema) {
    self.init(schema.entities.map(\.description))
  }

  /// Creates a lock from descriptions of entities.
  package init(_ descriptions: [EntityDescription]) {
    self.init(
      Dictionary(
        descriptions.map { entity in
          (
            entity.name,
            // The first line is the name of the entity.
            EntityHash.lines(ofTable: entity, in: descriptions).dropFirst().map(Self.words)
          )
        }, uniquingKeysWith: { first, _ in first }))
  }

  /// The differences of a model from the lock, a sentence each: the entity, the property, and the change.
  public func differences(from model: VersionLock) -> [String] {
    Set(entities.keys).union(model.entities.keys).sorted().flatMap { name -> [String] in
      switch (entities[name], model.entities[name]) {
      case (nil, _): ["\(name) is new"]
      case (_, nil): ["\(name) is gone"]
      case (let locked?, let present?): Self.differences(of: name, locked, present)
      }
    }
  }

  private static func differences(
    of entity: String, _ locked: [String], _ present: [String]
  ) -> [String] {
    let gone = locked.filter { !present.contains($0) }
    var new = present.filter { !locked.contains($0) }
    var differences: [String] = []
    for line in gone {
      let title = title(of: line, in: entity)
      if let index = new.firstIndex(where: { Self.title(of: $0, in: entity) == title }) {
        differences.append("\(title) was “\(line)” and is “\(new.remove(at: index))”")
      } else {
        differences.append("\(title) is gone: “\(line)”")
      }
    }
    return differences + new.map { "\(title(of: $0, in: entity)) is new: “\($0)”" }
  }

  /// The subject of a line: a property, or the entity.
  private static func title(of line: String, in entity: String) -> String {
    let words = line.words(at: " ", most: 3)
    guard words.count > 1, words[0] == "attribute" || words[0] == "relationship" else {
      return entity
    }
    return "\(entity).\(words[1])"
  }

  /// A line of the fingerprint in readable form.
  private static func words(_ line: String) -> String {
    var fields = line.parts(at: "\u{1F}").map(String.init)
    while fields.last?.isEmpty ?? false { fields.removeLast() }
    return fields.map { $0.isEmpty ? "-" : $0 }.joined(separator: " ")
  }
}

extension VersionLock: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral entities: (String, [String])...) {
    self.init(Dictionary(entities, uniquingKeysWith: +))
  }
}

/// A Swift literal.
extension VersionLock: CustomStringConvertible {
  public var description: String {
    if entities.isEmpty { return "[:]" }
    let entries = entities.sorted { $0.key < $1.key }.map { name, lines in
      if lines.isEmpty { return "  \(Quoting.swiftLiteral(name)): []," }
      return "  \(Quoting.swiftLiteral(name)): [\n"
        + lines.map { "    \(Quoting.swiftLiteral($0)),\n" }.joined() + "  ],"
    }
    return "[\n\(entries.joined(separator: "\n"))\n]"
  }
}
