import DatastoreCore

/// A class of a model, with the model's declarations about it.
package struct ModelEntity {
  package let type: DatastoreObject.Type
  /// The name in the model, which must be that of the class; nil if the model gives none.
  package var name: String?
  /// Whether it is abstract even if the class does not say so.
  package var isAbstract = false
  /// Replaces the modifier of the class.
  package var hashModifier: String?
  /// Added to those of the class.
  package var indexes: [Index] = []
  /// Added to those of the class.
  package var uniqueConstraints: [[AnyKeyPath]] = []
  /// The names of the configurations that it is in.
  package var configurations: Set<String> = []

  package init(_ type: DatastoreObject.Type) { self.type = type }

  /// Queries know a class by its own name, so no model can give it another one.
  var nameFault: SchemaFault? {
    guard let name, name != type.entityName else { return nil }
    return .invalidClass(
      "The model calls the class \(type) “\(name)”, but its `entityName` is “\(type.entityName)”; let the "
        + "class say `override class var entityName: String { \"\(name)\" }`.")
  }
}

extension ModelEntity {
  /// The properties of each index, by their names.
  package var indexNames: [[String]] { indexes.map { names(of: $0.columns.map(\.property)) } }

  /// The properties of each unique set, by their names.
  package var uniqueNames: [[String]] { uniqueConstraints.map { names(of: $0) } }

  /// Leaves out key paths that are not properties of the class.
  private func names(of keyPaths: [AnyKeyPath]) -> [String] {
    let reflection = ClassReflection.of(type)
    return keyPaths.compactMap { reflection.slot(ofAny: $0).map { reflection.names[$0] } }
  }
}
