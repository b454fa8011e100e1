/// A row of the table of results: the work, and its goal.
enum Work: String, CaseIterable {
  case createAndSave, insertMany, fetchAll, sortedKeys, firstFifty, filtered, sectionTable
  case controllerList, controllerMerge, updateAndSave, deleteAndSave, updateMany, deleteMany
  case oneByOne, together, transactions, findOrCreate, importObjects, importMore, upsert

  var title: String {
    switch self {
    case .createAndSave: "create objects in a context and save, batches of 10,000"
    case .insertMany: "insert rows without objects, in one transaction"
    case .fetchAll: "fetch all as objects and read three properties of each"
    case .sortedKeys: "fetch all keys in sort order, no index"
    case .firstFifty: "first 50 objects of an unindexed sort"
    case .filtered: "predicate fetch, 5% match, as objects"
    case .sectionTable: "section table: the values of a property and how many have each, no index"
    case .controllerList: "controller: key list and sections of the whole table, no index"
    case .controllerMerge: "controller: merge of one changed object"
    case .updateAndSave: "change one property of 10% of the objects and save"
    case .deleteAndSave: "delete 10% of the objects and save"
    case .updateMany: "`updateMany` of 10%, all contexts informed"
    case .deleteMany: "`deleteMany` of 10%, all contexts informed"
    case .oneByOne: "10% of the objects by identifier, in random order, one at a time"
    case .together: "the same, asked for together"
    case .transactions: "1,000 transactions, each of which reads and changes one value"
    case .findOrCreate:
      "look for each of 20,000 objects by a unique key, and create it, in one save"
    case .importObjects: "import 40,000 objects by a unique key, in one save"
    case .importMore: "the same of 400,000"
    case .upsert: "`upsert` all rows by a unique key, half of them there, without objects"
    }
  }

  /// How many times the time of the raw C API the library may take.
  var goal: Double {
    switch self {
    case .createAndSave: 2
    case .insertMany: 1.2
    case .fetchAll: 1.3
    case .sortedKeys, .sectionTable: 1.05
    case .firstFifty, .filtered: 1.1
    case .controllerList: 1.15
    case .controllerMerge: 4
    case .updateAndSave: 1.5
    case .updateMany: 1.7
    case .deleteAndSave, .deleteMany, .together: 1.2
    case .oneByOne: 3
    case .transactions: 4
    case .findOrCreate: 40
    case .importObjects, .importMore: 12
    case .upsert: 1.5
    }
  }

  /// Whether it needs a copy of the file to write to.
  var writes: Bool {
    switch self {
    case .createAndSave, .insertMany, .controllerMerge, .updateAndSave, .deleteAndSave, .updateMany,
      .deleteMany, .transactions, .findOrCreate, .importObjects, .importMore, .upsert:
      true
    case .fetchAll, .sortedKeys, .firstFifty, .filtered, .sectionTable, .controllerList, .oneByOne,
      .together:
      false
    }
  }

  /// Whether it begins with an empty table.
  var fills: Bool {
    switch self {
    case .createAndSave, .insertMany, .findOrCreate, .importObjects, .importMore, .upsert: true
    default: false
    }
  }

  /// The transactions of `transactions`, and the objects of `findOrCreate`.
  static let transactionCount = 1_000
  static let badgeCount = 20_000

  /// The objects of `importObjects` and `importMore`.
  var importCount: Int { self == .importMore ? 400_000 : 40_000 }
}
