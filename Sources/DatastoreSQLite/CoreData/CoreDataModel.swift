import DatastoreCore

/// The model that a Core Data store was made with, as plain values: what `NSManagedObjectModel` says of
/// entities and their properties.
///
/// Names are those of the model, as programs write them; how they become tables and columns is
/// `CoreDataMapping`'s to know.
package struct CoreDataModel: Sendable, Equatable {
  var entities: [Entity]
  /// Whether it is none that Core Data has written, but what tables and their names suggest.
  var isGuessed = false

  struct Entity: Sendable, Equatable {
    var name: String
    /// The name of the entity that it inherits from.
    var parent: String?
    var isAbstract = false
    /// Whether it is one of Core Data's own, in which it keeps its history, and not of the program.
    var isOfFramework = false
    /// What it declares itself, ordered by name; what it inherits is declared by its ancestors.
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    /// Requests that it keeps under a name; nothing of them is stored.
    var fetchedProperties: [String] = []
    /// Sets of properties whose values together are unique.
    var uniqueness: [[String]] = []
    /// Indexes of several properties.
    var indexes: [IndexDescription] = []
    /// What it was called in an older version.
    var renamedFrom: String?
  }

  struct Attribute: Sendable, Equatable {
    var name: String
    var type: AttributeKind
    var isOptional = true
    /// Whether it is kept in memory only.
    var isTransient = false
    var defaultValue = Value.null
    /// What it is computed from by the store, as a key path.
    var derivation: String?
    /// Whether great values lie in files of their own; each value begins with a byte that says where it is.
    var mayBeExternal = false
    /// The meaning of its numbers, where that is known.
    var cases: [EnumCase]?
    var isIndexed = false
    /// What its values must be like, as far as a source model says it.
    var rules: [ValidationRule] = []
    /// The name of what turns its values into bytes.
    var transformer: String?
    var renamedFrom: String?
  }

  struct Relationship: Sendable, Equatable {
    var name: String
    var destination: String
    /// The name of the relationship of the destination that leads back.
    var inverse: String?
    var isToMany = false
    var isOrdered = false
    var isOptional = true
    var isTransient = false
    var minimumCount = 0
    /// The most objects that it leads to; 0 for no limit.
    var maximumCount = 0
    var deleteRule = DeleteRule.nullify
    var renamedFrom: String?
  }

  /// `NSAttributeType`, by its raw values.
  enum AttributeKind: Int64, Sendable, Equatable {
    case undefined = 0
    case integer16 = 100
    case integer32 = 200
    case integer64 = 300
    case decimal = 400
    case double = 500
    case float = 600
    case string = 700
    case boolean = 800
    case date = 900
    case binary = 1000
    case uuid = 1100
    case uri = 1200
    case transformable = 1800
    case objectID = 2000
    case composite = 2100
  }
}

extension CoreDataModel.AttributeKind {
  /// The type that means the same values, stored in the same way.
  var type: AttributeType {
    switch self {
    case .integer16: .integer16
    case .integer32: .integer32
    case .integer64: .integer64
    case .decimal: .decimal
    case .double: .double
    case .float: .float
    case .string: .string
    case .boolean: .boolean
    case .date: .date
    case .uuid: .uuid
    case .uri: .url
    // What a transformer makes of a value is its own.
    case .binary, .transformable: .data
    case .undefined, .objectID, .composite: .undefined
    }
  }
}
