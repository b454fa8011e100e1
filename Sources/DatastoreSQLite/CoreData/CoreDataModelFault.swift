/// Why the model in a Core Data store cannot be read: the end of a sentence.
///
/// Never the fault of who opens the file: its tables are shown instead, and the reason with them.
struct CoreDataModelFault: Error, Equatable {
  let reason: String

  static let damagedCompression = CoreDataModelFault(reason: "its compressed bytes are damaged")
  static let notAPropertyList = CoreDataModelFault(reason: "it is no binary property list")
  static let damagedPropertyList = CoreDataModelFault(reason: "its property list is damaged")
  static let notAnArchive = CoreDataModelFault(reason: "it is no archive of a model")
  static let strange = CoreDataModelFault(reason: "none of its entities has a table in the file")
  static let tooGreat = CoreDataModelFault(reason: "it is larger than any model should be")
}
