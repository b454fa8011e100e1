public import SwiftDatastore

extension SwiftDatastoreModel {
  /// The model of the sample companies: `Company`, `Office`, `Employee` and `Task`.
  ///
  /// - Throws: `SchemaError` if edited classes no longer fit together.
  public static func sampleCompanies() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(from: Company.self, Office.self, Employee.self, Task.self)
  }
}
