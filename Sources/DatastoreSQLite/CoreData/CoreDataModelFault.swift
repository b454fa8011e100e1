/// The reason why the model in a Core Data store cannot be read: the end of a sentence.
///
/// Never an error for the person who opens the file: its tables are shown instead, with the reason.
package struct CoreDataModelFault: Error, Equatable {
  package let reason: String

  package init(reason: String) { self.reason = reason }

  static let damagedCompression = CoreDataModelFault(reason: "its compressed bytes are damaged")
  static let notAPropertyList = CoreDataModelFault(reason: "it is not a binary property list")
  static let damagedPropertyList = CoreDataModelFault(reason: "its property list is damaged")
  static let notAnArchive = CoreDataModelFault(reason: "it is not an archive of a model")
  static let strange = CoreDataModelFault(reason: "none of its entities has a table in the file")
  static let tooGreat = CoreDataModelFault(reason: "it is larger than any model should be")
  static let notXML = CoreDataModelFault(reason: "it is not XML, or its XML is damaged")
  static let notAModel = CoreDataModelFault(
    reason: "it is XML, but not that of a model, which has entities with names")
}
