/// The contents of a `manifest.yaml`: how the files of a folder become objects.
///
/// The format is described in `sample-data/README.md`. Every instance is valid: each entity that is referred
/// to is filled by some file and has a key, and no property is filled twice.
package struct ImportManifest: Equatable, Sendable {
  /// The manifest's own path, as given.
  package let path: String
  /// The name of the compiled model for a new store; nil to infer the entities.
  package let model: String?
  /// The files, in loading order.
  package let files: [File]

  /// One file to load.
  package struct File: Equatable, Sendable {
    /// The path relative to the manifest's folder, and inside it.
    package let path: String
    /// The position of the file's entry in the manifest.
    package let position: SourcePosition
    /// How the file is to be read, as far as the manifest says.
    package let readingOptions: ReadingOptions
    package let content: Content
  }

  /// The meaning of the records of a file.
  package enum Content: Hashable, Sendable {
    /// Each record is an object.
    case entity(EntityContent)
    /// Each record links two existing objects.
    case links(LinkContent)
  }

  package struct EntityContent: Hashable, Sendable {
    package var entity: String
    /// The column by whose values other files refer to the objects.
    package let key: String?
    /// The settings of columns, in the order of the manifest. Other columns are attributes with their own
    /// name and an inferred type, except those that a `positionColumn` names.
    package let columns: [Column]
    /// Whether columns without settings are left out, and reported at the end.
    package var ignoresOthers = false

    package init(
      entity: String, key: String?, columns: [Column], ignoresOthers: Bool = false
    ) {
      self.entity = entity
      self.key = key
      self.columns = columns
      self.ignoresOthers = ignoresOthers
    }
  }

  package struct Column: Hashable, Sendable {
    /// The column's name in the file.
    package let name: String
    /// The attribute or relationship that it fills.
    package let property: String
    package let role: Role

    package init(name: String, property: String, role: Role) {
      self.name = name
      self.property = property
      self.role = role
    }
  }

  package enum Role: Hashable, Sendable {
    /// An attribute of this type; nil for the inferred type.
    case attribute(ColumnType?)
    case reference(Reference)
    /// Not loaded. The key column may be ignored: then it only identifies objects.
    case ignored
  }

  package struct Reference: Hashable, Sendable {
    /// The entity whose keys the column holds.
    package let destination: String
    /// Whether the column holds a list of keys.
    package let isToMany: Bool
    /// The name of the inverse relationship; nil if the manifest does not name it.
    package let inverse: String?
    /// The column with the object's position in the inverse, an ordered to-many relationship.
    package let positionColumn: String?
  }

  package struct LinkContent: Hashable, Sendable {
    /// The entity that has the relationship.
    package let entity: String
    /// The column with the key of that entity's object.
    package let from: String
    package let relationship: String
    package let destination: String
    /// The column with the key of the destination's object.
    package let to: String
    package let inverse: String?
    /// The columns that both columns refer to, if they are those of a table of pairs; nil if they hold the
    /// keys in the files.
    package var fromReferred: String?
    package var toReferred: String?
  }
}
