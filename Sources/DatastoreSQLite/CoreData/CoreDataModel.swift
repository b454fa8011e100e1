import DatastoreCore

/// The model of a Core Data store, as plain values: the content of `NSManagedObjectModel` about entities and
/// their properties.
///
/// Names are those of the model, as in programs; `CoreDataMapping` translates them to tables and columns.
package struct CoreDataModel: Sendable, Equatable {
  var entities: [Entity]
  /// Whether it was not written by Core Data, but guessed from tables and their names.
  var isGuessed = false

  struct Entity: Sendable, Equatable {
    var name: String
    /// The name of the entity that it inherits from.
    var parent: String?
    var isAbstract = false
    /// Whether it is one of Core Data's own, for its history, and not of the program.
    var isOfFramework = false
    /// Its own properties, ordered by name; inherited ones are declared by its ancestors.
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    /// The names of its fetched properties; nothing of them is stored.
    var fetchedProperties: [String] = []
    /// Sets of properties whose values together are unique.
    var uniqueness: [[String]] = []
    /// Indexes of several properties.
    var indexes: [IndexDescription] = []
    /// Its name in an older version.
    var renamedFrom: String?
  }

  struct Attribute: Sendable, Equatable {
    var name: String
    var type: AttributeKind
    var isOptional = true
    /// Whether it is kept in memory only.
    var isTransient = false
    var defaultValue = Value.null
    /// The key path from which the store computes it.
    var derivation: String?
    /// Whether great values are in separate files; each value then begins with a byte that tells where it is.
    var mayBeExternal = false
    /// The meaning of its numbers, if known.
    var cases: [EnumCase]?
    var isIndexed = false
    /// Rules for its values, if a source model has them.
    var rules: [ValidationRule] = []
    /// The name of the transformer of its values.
    var transformer: String?
    var renamedFrom: String?
  }

  struct Relationship: Sendable, Equatable {
    var name: String
    var destination: String
    /// The name of the inverse in the destination.
    var inverse: String?
    var isToMany = false
    var isOrdered = false
    var isOptional = true
    var isTransient = false
    var minimumCount = 0
    /// The greatest number of its objects; 0 for no limit.
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
  /// The type with the same values and the same stored form.
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
    // Only a transformer understands its output.
    case .binary, .transformable: .data
    case .undefined, .objectID, .composite: .undefined
    }
  }
}
