#if PostgreSQL

/// A row of the table of results with PostgreSQL: the work, and its goal.
enum ServerWork: String, CaseIterable {
  case insertMany, createAndSave, fetchAll, filtered, keys, sortedKeys, firstFifty, sectionTable,
    together
  case updateAndSave, deleteAndSave, mixedSave

  var title: String {
    switch self {
    case .insertMany: "insert rows without objects, in one transaction"
    case .createAndSave: "create objects in a context and save, batches of 10,000"
    case .fetchAll: "fetch all as objects and read three properties of each"
    case .filtered: "predicate fetch, 5% match, as objects"
    case .keys: "all keys, in their own order"
    case .sortedKeys: "all keys in sort order, no index"
    case .firstFifty: "first 50 objects of an unindexed sort"
    case .sectionTable: "section table: the values of a property and how many have each, no index"
    case .together: "10% of the objects by identifier, in random order, asked for together"
    case .updateAndSave: "change one property of 10% of the objects and save"
    case .deleteAndSave: "delete 10% of the objects and save"
    case .mixedSave: "one save: 4,000 new objects, 4,000 changed in two ways, 2,000 deleted"
    }
  }

  /// The cheapest way with libpq, to which the figures are ratios.
  var rawWay: String {
    switch self {
    case .insertMany: "COPY, binary"
    case .createAndSave: "COPY, binary, a transaction for each batch"
    case .fetchAll, .filtered: "COPY (SELECT), binary"
    case .keys, .sortedKeys: "one `bytea`"
    case .firstFifty, .sectionTable: "the statement"
    case .together: "`= ANY`"
    case .updateAndSave: "`UPDATE … FROM unnest`, originals compared"
    case .deleteAndSave: "`DELETE … = ANY`"
    case .mixedSave: "four statements with arrays in a pipeline"
    }
  }

  /// How many times the processor time of that the library may take, server and client together.
  var goal: Double {
    switch self {
    case .insertMany, .together: 1.2
    case .createAndSave: 2
    case .fetchAll, .filtered, .deleteAndSave: 1.3
    case .keys, .sortedKeys: 1.1
    case .firstFifty, .sectionTable: 1.05
    case .updateAndSave, .mixedSave: 1.5
    }
  }

  /// The goal for the number of waits for the server; nil if that follows from the number of batches, or of
  /// pieces.
  var waits: Int? {
    switch self {
    case .createAndSave, .insertMany: nil
    // Once for the save, and for the keys of the new objects, which come in blocks.
    case .mixedSave: 4
    default: 1
    }
  }

  /// Whether it needs a copy of the database to write to.
  var writes: Bool {
    switch self {
    case .insertMany, .createAndSave, .updateAndSave, .deleteAndSave, .mixedSave: true
    default: false
    }
  }

  /// Whether it begins with an empty table.
  var fills: Bool { self == .insertMany || self == .createAndSave }
}
#endif
