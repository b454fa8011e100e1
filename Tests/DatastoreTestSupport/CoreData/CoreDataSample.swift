package import DatastoreCore

/// A Core Data store for tests: a model, objects, and the way they are written.
///
/// It is made from knowledge of the format, without any code of the reader: which tables and columns there
/// are is worked out here once more.
package struct CoreDataSample {
  package struct Entity {
    package var name: String
    package var parent: String?
    package var isAbstract = false
    package var attributes: [Attribute] = []
    package var relationships: [Relationship] = []
    package var fetchedProperties: [String] = []
    package var uniqueness: [[String]] = []

    package init(
      _ name: String, parent: String? = nil, isAbstract: Bool = false,
      _ attributes: [Attribute] = [], _ relationships: [Relationship] = [],
      fetchedProperties: [String] = [], uniqueness: [[String]] = []
    ) {
      self.name = name
      self.parent = parent
      self.isAbstract = isAbstract
      self.attributes = attributes
      self.relationships = relationships
      self.fetchedProperties = fetchedProperties
      self.uniqueness = uniqueness
    }
  }

  package struct Attribute {
    package var name: String
    /// The number that Core Data gives the type, and the declaration of its columns.
    package var type: (number: Int64, declared: String)
    package var isOptional = true
    package var isTransient = false
    package var fallback: KeyedArchiveWriter.Member?
    package var flags: Int64 = 0
    package var derivation: String?

    package init(
      _ name: String, _ type: (number: Int64, declared: String), isOptional: Bool = true,
      isTransient: Bool = false, fallback: KeyedArchiveWriter.Member? = nil, flags: Int64 = 0,
      derivation: String? = nil
    ) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
      self.isTransient = isTransient
      self.fallback = fallback
      self.flags = flags
      self.derivation = derivation
    }
  }

  package struct Relationship {
    package var name: String
    package var destination: String
    package var inverse: String?
    package var isToMany = false
    package var isOrdered = false
    package var deleteRule: Int64 = 1
    package var isOptional = true

    package init(
      _ name: String, to destination: String, inverse: String? = nil, isToMany: Bool = false,
      isOrdered: Bool = false, deleteRule: Int64 = 1, isOptional: Bool = true
    ) {
      self.name = name
      self.destination = destination
      self.inverse = inverse
      self.isToMany = isToMany
      self.isOrdered = isOrdered
      self.deleteRule = deleteRule
      self.isOptional = isOptional
    }
  }

  /// The content of `Z_MODELCACHE`.
  package enum Cache {
    case model
    case null
    /// The table is not there, as before 2015.
    case absent
    case bytes([UInt8])
  }

  package enum Writing {
    /// Dictionaries with shared keys, and proxies for inherited properties, instead of plain dictionaries
    /// with copies.
    case withProxies
    case plain
  }

  package enum JoinNaming { case byLowerNumber, byHigherNumber }

  package var entities: [Entity]
  package var cache = Cache.model
  package var writing = Writing.plain
  package var joinNaming = JoinNaming.byLowerNumber
  package var frameworkVersion = 1509
  package var hasHistory = false
  private(set) var rows: [(entity: String, key: Int64, values: [String: Value])] = []
  private(set) var links: [(entity: String, relationship: String, owner: Int64, members: [Int64])] =
    []

  package init(_ entities: [Entity]) { self.entities = entities }

  /// An object; to-one relationships hold the key of the one that they lead to.
  package mutating func insert(_ entity: String, _ key: Int64, _ values: [String: Value] = [:]) {
    rows.append((entity, key, values))
  }

  /// Members of a many-to-many relationship, or of one that has no way back.
  package mutating func link(
    _ entity: String, _ relationship: String, _ owner: Int64, to members: [Int64]
  ) {
    links.append((entity, relationship, owner, members))
  }
}

extension CoreDataSample.Attribute {
  package typealias Kind = (number: Int64, declared: String)
  package static let integer16: Kind = (100, "INTEGER")
  package static let integer32: Kind = (200, "INTEGER")
  package static let integer64: Kind = (300, "INTEGER")
  package static let decimal: Kind = (400, "DECIMAL")
  package static let double: Kind = (500, "FLOAT")
  package static let float: Kind = (600, "FLOAT")
  package static let string: Kind = (700, "VARCHAR")
  package static let boolean: Kind = (800, "INTEGER")
  package static let date: Kind = (900, "TIMESTAMP")
  package static let binary: Kind = (1000, "BLOB")
  package static let uuid: Kind = (1100, "BLOB")
  package static let uri: Kind = (1200, "VARCHAR")
  package static let transformable: Kind = (1800, "BLOB")
  package static let undefined: Kind = (0, "")
}
