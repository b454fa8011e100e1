import DatastoreCore

/// Core Data's own entities, in which it records what was changed, when, and by whom (persistent history).
/// Their tables begin with an A, and no model contains them.
extension CoreDataModel {
  /// Adds them, with their names in the file.
  ///
  /// - Parameter numbers: the numbers by which changes refer to entities, by entity name.
  mutating func addHistory(_ numbers: [String: Int64]) {
    let taken = Set(entities.map { $0.name.uppercased() })
    guard taken.isDisjoint(with: ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"]) else { return }
    let named = numbers.filter { $0.value < Self.firstOfFramework }.sorted { $0.value < $1.value }
    entities += [
      Entity(
        name: "CHANGE", isOfFramework: true,
        attributes: [
          Attribute(
            name: "changeType", type: .integer16,
            cases: ["insert", "update", "delete"].enumerated().map {
              EnumCase(name: $1, value: .integer(Int64($0)))
            }),
          Attribute(name: "columns", type: .binary),
          Attribute(
            name: "entity", type: .integer32,
            cases: named.map { EnumCase(name: $0.key, value: .integer($0.value)) }),
          Attribute(name: "entityPK", type: .integer64),
        ],
        relationships: [
          Relationship(name: "transactionID", destination: "TRANSACTION", inverse: "changes")
        ]),
      Entity(
        name: "TRANSACTION", isOfFramework: true,
        attributes: ["author", "bundleID", "contextName", "processID"].map {
          Attribute(name: $0, type: .string)
        } + [Attribute(name: "timestamp", type: .date)],
        relationships: ["authorTS", "bundleIDTS", "contextNameTS", "processIDTS"].map {
          Relationship(name: $0, destination: "TRANSACTIONSTRING")
        } + [
          Relationship(
            name: "changes", destination: "CHANGE", inverse: "transactionID", isToMany: true)
        ]),
      Entity(
        name: "TRANSACTIONSTRING", isOfFramework: true,
        attributes: [Attribute(name: "name", type: .string)]),
    ]
  }

  /// The first number of Core Data's own entities.
  static let firstOfFramework: Int64 = 16_001
}
