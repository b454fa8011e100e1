import DatastoreCore

/// The type of an attribute in a word.
enum TypeText {
  static func describe(_ attribute: AttributeDescription) -> String { attribute.typeWord }
}
