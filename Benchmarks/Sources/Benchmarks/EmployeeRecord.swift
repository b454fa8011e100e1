import GRDB

/// The same row as a record of GRDB, decoded and encoded by hand: by column index on the way in, which
/// is its fastest way.
struct EmployeeRecord: FetchableRecord, PersistableRecord {
  static let databaseTableName = "Employee"

  var id: Int64
  var name: String
  var surname: String
  var age: Int
  var salary: Double
  var position: Int
  var department: Int64?
  var hired: Double
  var email: String

  static var databaseSelection: [any SQLSelectable] {
    [
      Column("_id"), Column("name"), Column("surname"), Column("age"), Column("salary"),
      Column("position"), Column("department"), Column("hired"), Column("email"),
    ]
  }

  init(id: Int64, _ values: EmployeeValues) {
    self.id = id
    name = values.name
    surname = values.surname
    age = values.age
    salary = values.salary
    position = values.position
    department = values.department
    hired = values.hired
    email = values.email
  }

  init(row: Row) {
    id = row[0]
    name = row[1]
    surname = row[2]
    age = row[3]
    salary = row[4]
    position = row[5]
    department = row[6]
    hired = row[7]
    email = row[8]
  }

  func encode(to container: inout PersistenceContainer) {
    container["_id"] = id
    container["name"] = name
    container["surname"] = surname
    container["age"] = age
    container["salary"] = salary
    container["position"] = position
    container["department"] = department
    container["hired"] = hired
    container["email"] = email
  }
}

struct BadgeRecord: FetchableRecord, PersistableRecord {
  static let databaseTableName = "Badge"

  let number: Int

  init(number: Int) { self.number = number }

  init(row: Row) { number = row["number"] }

  func encode(to container: inout PersistenceContainer) { container["number"] = number }
}
