/// A row of the table of results: what is done, and how fast it is meant to be.
enum Work: String, CaseIterable {
  case createAndSave, fetchAll, sortedKeys, firstFifty, filtered, controllerList, controllerMerge
  case updateAndSave, deleteAndSave, oneByOne, together

  var title: String {
    switch self {
    case .createAndSave: "create objects and save, batches of 10,000"
    case .fetchAll: "fetch all as objects and read three properties of each"
    case .sortedKeys: "fetch all keys in sort order, no index"
    case .firstFifty: "first 50 objects of an unindexed sort"
    case .filtered: "predicate fetch, 5% match, as objects"
    case .controllerList: "controller: key list and sections of the whole table, no index"
    case .controllerMerge: "controller: merge of one changed object"
    case .updateAndSave: "change one property of 10% of the objects and save"
    case .deleteAndSave: "delete 10% of the objects and save"
    case .oneByOne: "10% of the objects by identifier, in random order, one at a time"
    case .together: "the same, asked for together"
    }
  }

  /// How many times the time of the raw C API the library may take.
  var goal: Double {
    switch self {
    case .createAndSave: 2
    case .fetchAll: 1.3
    case .sortedKeys: 1.05
    case .firstFifty, .filtered: 1.1
    case .controllerList: 1.15
    case .controllerMerge: 4
    case .updateAndSave: 1.5
    case .deleteAndSave, .together: 1.2
    case .oneByOne: 3
    }
  }

  /// Whether it needs a copy of the file to write to.
  var writes: Bool {
    switch self {
    case .createAndSave, .controllerMerge, .updateAndSave, .deleteAndSave: true
    case .fetchAll, .sortedKeys, .firstFifty, .filtered, .controllerList, .oneByOne, .together:
      false
    }
  }

  /// Work that the goals name and that this program does not measure.
  static let notMeasured = [
    "insert rows without objects (`insertMany`): goal 1.2",
    "section table of a grouped controller: goal 1.05; the library has no public call for it alone",
    "`updateMany` / `deleteMany` of 10%: goals 1.7 / 1.2",
  ]
}
