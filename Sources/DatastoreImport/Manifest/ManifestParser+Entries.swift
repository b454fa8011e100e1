import Basics
import Yams

extension ManifestParser {
  private static let entryKeys = [
    "file", "entity", "key", "columns", "links", "format", "encoding", "delimiter", "header",
    "decimal", "missing", "dates", "path", "flatten",
  ]
  private static let columnKeys = [
    "type", "attribute", "refers-to", "many", "inverse", "position", "ignore",
  ]
  private static let linkKeys = ["entity", "from", "relationship", "destination", "to", "inverse"]
  private static let csvKeys = ["delimiter", "header", "decimal", "missing"]
  private static let truth = [("true", true), ("false", false)]

  /// One entry of the list of files; nil, with a fault recorded, if a required member is missing.
  mutating func entry(_ node: Node, _ path: String) -> ImportManifest.File? {
    guard let members = mapping(node, path, keys: Self.entryKeys, required: ["file"]) else {
      return nil
    }
    let filePath = text(members, "file", path)
    if let filePath, filePath.begins(with: "/") || filePath.words(at: "/").contains("..") {
      fail(members["file"], "\(path).file", "the file must lie in the manifest's folder")
    }
    let options = readingOptions(members, path)
    let content = content(node, members, path)
    guard let filePath, let content else { return nil }
    return ImportManifest.File(
      path: filePath, position: position(of: node), readingOptions: options, content: content)
  }

  /// How the file is to be read, as far as its entry says.
  private mutating func readingOptions(
    _ members: [String: Node], _ path: String
  ) -> ReadingOptions {
    var options = ReadingOptions()
    options.format = word(
      members, "format", path, FileFormat.allCases.map { ($0.rawValue, $0) })
    let others =
      switch options.format {
      case .csv: ["path", "flatten"]
      case .json: Self.csvKeys
      case .jsonLines: Self.csvKeys + ["path"]
      case nil: [] as [String]
      }
    for key in others {
      guard let node = members[key] else { continue }
      let isOfCSV = Self.csvKeys.contains(key)
      fail(node, "\(path).\(key)", "'\(key)' is for \(isOfCSV ? "CSV" : "JSON") files only")
    }
    options.encoding = encoding(members, path)
    options.csv.delimiter = word(
      members, "delimiter", path,
      [(",", Byte.comma), (";", Byte.semicolon), ("\t", Byte.tab), ("|", Byte.bar)])
    if let hasHeader = word(members, "header", path, Self.truth) {
      options.csv.header = hasHeader ? .present : .absent
    }
    options.csv.decimalMark = word(
      members, "decimal", path, DecimalMark.allCases.map { ($0.rawValue, $0) })
    options.csv.missing = texts(members, "missing", path)
    options.dates = word(
      members, "dates", path, DateOrder.allCases.map { ($0.rawValue, $0) })
    options.json.path = ReadingOptions.path(text(members, "path", path) ?? "")
    options.json.flattens = word(members, "flatten", path, Self.truth) ?? false
    return options
  }

  private mutating func content(
    _ node: Node, _ members: [String: Node], _ path: String
  ) -> ImportManifest.Content? {
    if let links = members["links"] {
      for key in ["entity", "key", "columns"] where members[key] != nil {
        fail(members[key], "\(path).\(key)", "'\(key)' cannot be combined with 'links'")
      }
      return self.links(links, "\(path).links").map(ImportManifest.Content.links)
    }
    guard members["entity"] != nil else {
      fail(node, path, "expected the key 'entity' or the key 'links'")
      return nil
    }
    let entity = text(members, "entity", path)
    let key = text(members, "key", path)
    if let entity { addEntity(entity, hasKey: members["key"] != nil) }
    let columns = columns(members["columns"], "\(path).columns")
    return entity.map { .entity(.init(entity: $0, key: key, columns: columns)) }
  }

  private mutating func columns(_ node: Node?, _ path: String) -> [ImportManifest.Column] {
    guard let node else { return [] }
    guard case .mapping(let mapping) = node else {
      fail(node, path, "expected a mapping from column names to their settings")
      return []
    }
    var columns: [ImportManifest.Column] = []
    for (key, value) in mapping {
      guard let name = key.scalar?.string, !name.isEmpty else {
        fail(key, path, "a column's name must be a text that is not empty")
        continue
      }
      record(key, at: "\(path).\(name)")
      if let column = column(value, named: name, "\(path).\(name)") { columns.append(column) }
    }
    return columns
  }

  private mutating func column(
    _ node: Node, named name: String, _ path: String
  ) -> ImportManifest.Column? {
    guard let members = mapping(node, path, keys: Self.columnKeys) else { return nil }
    let property = text(members, "attribute", path) ?? name
    if word(members, "ignore", path, Self.truth) == true {
      if members.count > 1 { fail(node, path, "'ignore' cannot be combined with other keys") }
      return ImportManifest.Column(name: name, property: name, role: .ignored)
    }
    let type = word(members, "type", path, ColumnType.allCases.map { ($0.rawValue, $0) })
    guard members["refers-to"] != nil else {
      for key in ["many", "inverse", "position"] where members[key] != nil {
        fail(members[key], "\(path).\(key)", "'\(key)' needs 'refers-to' beside it")
      }
      return ImportManifest.Column(name: name, property: property, role: .attribute(type))
    }
    if members["type"] != nil {
      fail(members["type"], "\(path).type", "'type' cannot be combined with 'refers-to'")
    }
    let isToMany = word(members, "many", path, Self.truth) ?? false
    let inverse = text(members, "inverse", path)
    let positionColumn = text(members, "position", path)
    if isToMany, positionColumn != nil {
      fail(members["position"], "\(path).position", "'position' cannot be combined with 'many'")
    }
    guard let destination = text(members, "refers-to", path) else { return nil }
    return ImportManifest.Column(
      name: name, property: property,
      role: .reference(
        .init(
          destination: destination, isToMany: isToMany, inverse: inverse,
          positionColumn: positionColumn)))
  }

  private mutating func links(_ node: Node, _ path: String) -> ImportManifest.LinkContent? {
    let required = Self.linkKeys.filter { $0 != "inverse" }
    guard let members = mapping(node, path, keys: Self.linkKeys, required: required) else {
      return nil
    }
    let inverse = text(members, "inverse", path)
    let texts = required.map { text(members, $0, path) }
    guard let entity = texts[0], let from = texts[1], let relationship = texts[2],
      let destination = texts[3], let to = texts[4]
    else { return nil }
    return ImportManifest.LinkContent(
      entity: entity, from: from, relationship: relationship, destination: destination, to: to,
      inverse: inverse)
  }

  private mutating func texts(
    _ members: [String: Node], _ key: String, _ path: String
  ) -> Set<String>? {
    guard let node = members[key] else { return nil }
    guard case .sequence(let nodes) = node else {
      fail(node, "\(path).\(key)", "expected a list of texts")
      return nil
    }
    var texts: Set<String> = []
    for (index, node) in nodes.enumerated() {
      if let text = node.scalar?.string {
        texts.insert(text)
      } else {
        fail(node, "\(path).\(key)[\(index)]", "expected a text")
      }
    }
    return texts
  }
}
