import DatastoreCore

/// The Swift names of entities and properties: their own names if Swift allows them.
struct SwiftNames {
  private var types: [String: String] = [:]
  /// The names of the properties, by entity and property.
  private var properties: [String: [String: String]] = [:]

  init(_ outline: SchemaOutline) {
    var taken = Self.reservedTypes
    for entity in outline.entities where Self.isIdentifier(entity.name) {
      // Names that need no change go first, so that no changed name takes them.
      let name = Self.capitalised(entity.name)
      if name == entity.name, taken.insert(name).inserted { types[entity.name] = name }
    }
    for entity in outline.entities where types[entity.name] == nil {
      types[entity.name] = Self.free(
        Self.capitalised(Self.identifier(entity.name)), suffix: "Object", in: &taken)
    }
    // A property with the name of a type would hide the type in the declarations of the class.
    let typeNames = Self.reservedTypes.union(types.values)
    for entity in outline.entities {
      var taken = Self.reservedProperties.union(typeNames)
      var names: [String: String] = [:]
      for property in entity.description.properties
      where Self.isIdentifier(property.name) && taken.insert(property.name).inserted {
        names[property.name] = property.name
      }
      for property in entity.description.properties where names[property.name] == nil {
        var name = Self.identifier(property.name)
        if typeNames.contains(name) { name = name.prefix(1).lowercased() + name.dropFirst() }
        names[property.name] = Self.free(name, suffix: "Value", in: &taken)
      }
      properties[entity.name] = names
    }
  }

  func type(of entity: String) -> String { types[entity] ?? entity }

  /// The name of a property without backticks, as after `$`.
  func property(_ name: String, of entity: String) -> String {
    properties[entity]?[name] ?? name
  }

  /// The declared name, with backticks if it is a keyword.
  static func declared(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  private static func free(
    _ name: String, suffix: String, in taken: inout Set<String>
  ) -> String {
    var candidate = name
    var number = 1
    while !taken.insert(candidate).inserted {
      candidate = name + suffix + (number > 1 ? String(number) : "")
      number += 1
    }
    return candidate
  }

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, isLetter(first) else { return false }
    return name != "_" && name.unicodeScalars.allSatisfy { isLetter($0) || isDigit($0) }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    // Beyond ASCII, Swift and Unicode disagree about the characters of identifiers.
    scalar == "_" || scalar.isASCII && scalar.properties.isAlphabetic
      || (0xC0...0x24F).contains(scalar.value) && scalar != "×" && scalar != "÷"
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }

  /// `unit price (€)` becomes `unitPrice`.
  private static func identifier(_ name: String) -> String {
    var result = ""
    var startsWord = false
    for scalar in name.unicodeScalars {
      guard isLetter(scalar) || isDigit(scalar) else {
        startsWord = !result.isEmpty
        continue
      }
      if result.isEmpty, isDigit(scalar) { result = "_" }
      result += startsWord ? String(scalar).uppercased() : String(scalar)
      startsWord = false
    }
    return result.isEmpty || result == "_" ? "unnamed" : result
  }

  private static func capitalised(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Types that the generated code uses, or that readers expect under these names.
  private static let reservedTypes: Set<String> = [
    "Any", "AnyKeyPath", "Array", "Attribute", "Bool", "Character", "Data", "DatastoreObject",
    "Date",
    "Decimal", "Double", "Error", "Float", "Foundation", "Int", "Int16", "Int32", "Int64", "Int8",
    "Optional", "Protocol", "Relationship", "Self", "Set", "String", "SwiftDatastore",
    "SwiftDatastoreModel", "Type", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID",
    "Value", "Void",
  ]

  /// Members that every object has.
  private static let reservedProperties: Set<String> = [
    "changedValues", "committedValues", "entity", "graph", "hasChanges", "hash", "hashValue",
    "init",
    "isDeleted", "isFault", "isInserted", "isUpdated", "key", "objectDidCreate", "objectID",
    "observeChanges", "self", "willBeDeleted", "Type", "Protocol",
  ]

  private static let keywords: Set<String> = [
    "actor", "as", "associatedtype", "async", "await", "break", "case", "catch", "class",
    "continue",
    "default", "defer", "deinit", "do", "dynamic", "else", "enum", "extension", "fallthrough",
    "false",
    "fileprivate", "final", "for", "func", "guard", "if", "import", "in", "indirect", "infix",
    "inout",
    "internal", "is", "lazy", "let", "mutating", "nil", "nonisolated", "open", "operator",
    "optional",
    "override", "package", "postfix", "precedencegroup", "prefix", "private", "protocol", "public",
    "repeat", "required", "rethrows", "return", "some", "static", "struct", "subscript", "super",
    "switch", "throw", "throws", "true", "try", "typealias", "unowned", "var", "weak", "where",
    "while",
    "Self", "Any",
  ]
}
