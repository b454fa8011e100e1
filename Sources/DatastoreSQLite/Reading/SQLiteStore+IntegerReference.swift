import DatastoreCore
import DatastoreSQL
import GRDB

extension SQLiteStore {
  /// The foreign key of a path that is one relationship, if its column holds only integers: an index on it
  /// then gives the order, while otherwise every value must be examined. Checking costs a walk through that
  /// index, which is a fraction of the cost of sorting.
  func integerReference(
    _ path: [String], of entity: Entity, in database: Database
  ) throws -> ForeignKey? {
    guard path.count == 1, let slot = entity.slot(named: path[0]),
      case .toOne(let foreign) = mapping.entities[entity.index].slots[slot],
      foreign.reference == .rowid, foreign.isIndexed, !mapping.isNative,
      !foreign.columns[0].isStrict
    else { return nil }
    let column = foreign.columns[0].name
    if let isInteger = try holdsIntegers(column, of: entity, in: database) {
      return isInteger ? foreign : nil
    }
    let others: SQLFragment = """
      SELECT EXISTS (SELECT 1 FROM \(name: mapping.entities[entity.index].table) \
      WHERE typeof(\(name: column)) NOT IN ('integer', 'null'))
      """
    return try RawStatement(others, in: database).firstInteger() == 0 ? foreign : nil
  }

  /// Whether an indexed column with integer affinity holds only integers and NULL, according to its distinct
  /// values, each of which the index finds; nil when there are too many of them.
  ///
  /// With that affinity no number with a fraction part equals an integer, so none is hidden behind one.
  private func holdsIntegers(
    _ column: String, of entity: Entity, in database: Database
  ) throws -> Bool? {
    let table = mapping.entities[entity.index].table
    let most = 2048
    let values: SQLFragment = """
      WITH RECURSIVE found(value, number) AS (\
      SELECT min(\(name: column)), 1 FROM \(name: table) UNION ALL \
      SELECT (SELECT min(\(name: column)) FROM \(name: table) \
      WHERE \(name: column) > found.value), number + 1 \
      FROM found WHERE value IS NOT NULL AND number <= \(number: most)) \
      SELECT max(typeof(value) NOT IN ('integer', 'null')), max(number) FROM found
      """
    let statement = try RawStatement(values, in: database)
    guard try statement.step() else { return nil }
    if statement.value(at: 0) == .integer(1) { return false }
    return statement.value(at: 1).wholeNumber > most ? nil : true
  }
}
