/// Finds the faults of a manifest that show only when its entries are seen together.
struct ManifestChecker {
  /// - Parameters:
  ///   - entries: The entries without faults of form.
  ///   - entities: The entities that entries fill, with whether they have a key.
  ///   - faults: Receives the faults found.
  static func check(
    _ entries: [ManifestParser.Entry], entities: [String: Bool], faults: inout [ManifestFault]
  ) {
    var checker = ManifestChecker(entities: entities, faults: faults)
    for entry in entries { checker.check(entry) }
    faults = checker.faults
  }

  /// A property of an entity.
  private struct Property: Hashable {
    let entity: String
    let name: String
  }

  private let entities: [String: Bool]
  private var faults: [ManifestFault]
  private var paths: Set<String> = []
  private var keys: [String: String?] = [:]
  /// The source of each property's values. Several files may fill one entity, each in the same way.
  private var sources: [Property: String] = [:]

  private init(entities: [String: Bool], faults: [ManifestFault]) {
    self.entities = entities
    self.faults = faults
  }

  private mutating func check(_ entry: ManifestParser.Entry) {
    let path = entry.path
    if !paths.insert(entry.file.path).inserted {
      fail(entry, "\(path).file", "the file '\(entry.file.path)' is named twice")
    }
    switch entry.file.content {
    case .entity(let content): check(content, entry)
    case .links(let links): check(links, entry)
    }
  }

  private mutating func check(
    _ content: ImportManifest.EntityContent, _ entry: ManifestParser.Entry
  ) {
    let entity = content.entity
    if let key = keys[entity], key != content.key {
      let earlier = key.map { "'\($0)'" } ?? "none"
      fail(
        entry, "\(entry.path).entity",
        "another file fills '\(entity)' with a different key (\(earlier))")
    }
    keys[entity] = .some(content.key)
    var properties: Set<String> = []
    for column in content.columns where column.role != .ignored {
      let path = "\(entry.path).columns.\(column.name)"
      if !properties.insert(column.property).inserted {
        fail(entry, path, "two columns fill '\(column.property)' of '\(entity)'")
      }
      let property = Property(entity: entity, name: column.property)
      guard case .reference(let reference) = column.role else {
        claim(property, by: "its own column", entry, path)
        continue
      }
      claim(property, by: "the relationship to \(reference.destination)", entry, path)
      checkKey(of: reference.destination, entry, "\(path).refers-to")
      if reference.isToMany, isCSV(entry.file) {
        fail(entry, "\(path).many", "a CSV file has no lists; use a file with 'links'")
      }
      if let inverse = reference.inverse {
        claim(
          Property(entity: reference.destination, name: inverse),
          by: "the inverse of \(entity).\(column.property)", entry, "\(path).inverse")
      }
      if let position = reference.positionColumn, position == column.name {
        fail(entry, "\(path).position", "a column cannot hold both a reference and its position")
      }
    }
  }

  private mutating func check(
    _ links: ImportManifest.LinkContent, _ entry: ManifestParser.Entry
  ) {
    let path = "\(entry.path).links"
    checkKey(of: links.entity, entry, "\(path).entity")
    checkKey(of: links.destination, entry, "\(path).destination")
    if links.from == links.to {
      fail(entry, "\(path).to", "'from' and 'to' must be two different columns")
    }
    let relationship = "\(links.entity).\(links.relationship)"
    claim(
      Property(entity: links.entity, name: links.relationship),
      by: "the links to \(links.destination)", entry, "\(path).relationship")
    if let inverse = links.inverse {
      claim(
        Property(entity: links.destination, name: inverse), by: "the inverse of \(relationship)",
        entry, "\(path).inverse")
    }
  }

  private mutating func checkKey(
    of entity: String, _ entry: ManifestParser.Entry, _ path: String
  ) {
    switch entities[entity] {
    case nil: fail(entry, path, "no file fills the entity '\(entity)'")
    case false: fail(entry, path, "the entity '\(entity)' needs a 'key' to be referred to")
    case true: break
    }
  }

  private mutating func claim(
    _ property: Property, by source: String, _ entry: ManifestParser.Entry, _ path: String
  ) {
    let earlier = sources.updateValue(source, forKey: property)
    if let earlier, earlier != source {
      fail(
        entry, path,
        "'\(property.name)' of '\(property.entity)' is filled by \(source) and by \(earlier)")
    }
  }

  private func isCSV(_ file: ImportManifest.File) -> Bool {
    if let format = file.readingOptions.format { return format == .csv }
    return FileFormat.detect(name: file.path, head: [] as [UInt8], isWhole: false) == .csv
  }

  private mutating func fail(
    _ entry: ManifestParser.Entry, _ path: String, _ reason: String
  ) {
    let position = entry.places[path] ?? entry.file.position
    faults.append(ManifestFault(position: position, path: path, reason: reason))
  }
}
