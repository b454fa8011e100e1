import SwiftDatastore

extension Member: ImportableUniqueObject {
  typealias ImportSource = (number: Int, values: EmployeeValues)
  static let uniqueIDKeyPath = UniqueIDKeyPath(\Member.$number)

  static func uniqueID(from source: ImportSource, in context: any ObjectContext) -> Int? {
    source.number
  }

  func update(from source: ImportSource, in context: any ObjectContext) {
    name = source.values.name
    surname = source.values.surname
    age = source.values.age
    salary = source.values.salary
    email = source.values.email
  }
}

extension LibraryContender {
  static func importMembers(
    _ count: Int, in context: SwiftDatastoreContext.Closure
  ) throws -> Double {
    let sources = (0..<count).map { (number: $0, values: EmployeeValues(row: $0)) }
    var watch = Stopwatch()
    try watch.time {
      try context.importUniqueObjects(Member.self, from: sources)
      try context.saveChanges()
    }
    return watch.seconds
  }

  /// With rows that are made while they are written, as those of a file are.
  static func upsertMembers(
    _ count: Int, in context: SwiftDatastoreContext.Closure
  ) throws -> Double {
    func upsert(_ count: Int, of kind: Int) throws {
      try context.upsert(Member.self, from: 0..<count, key: \.$number) { number in
        let values = EmployeeValues(row: number + kind)
        return [
          .init(\.$number, number), .init(\.$name, values.name), .init(\.$surname, values.surname),
          .init(\.$age, values.age), .init(\.$salary, values.salary), .init(\.$email, values.email),
        ]
      }
    }
    try upsert(count / 2, of: 0)
    var watch = Stopwatch()
    try watch.time { try upsert(count, of: 1) }
    return watch.seconds
  }
}
