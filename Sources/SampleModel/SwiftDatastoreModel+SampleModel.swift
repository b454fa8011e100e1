public import SwiftDatastore

extension SwiftDatastoreModel {
  /// The model of the sample companies: `Company`, `Office`, `Employee` and `Task`.
  ///
  /// - Throws: `SchemaError`, if the classes were changed so that they do not fit any more.
  public static func sampleCompanies() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(from: Company.self, Office.self, Employee.self, Task.self)
  }
}
