import DatastoreCore
import TerminalUI

extension BrowserState {
  /// Keeps the cursor of the detail pane on an existing item, and the item on the screen.
  mutating func settleDetail() {
    let body = layout.detailBody
    let count = detail.items.count
    guard count > 0 else { return }
    detail.cursor = min(max(0, detail.cursor), count - 1)
    let lines = DetailLines(
      detail, width: body.columns, marks: Marks(.unicode), name: { names[$0, $1] })
    detail.first = lines.firstVisible(
      item: detail.cursor, height: body.rows, previous: detail.first)
  }

  /// The entity whose objects the rows are grouped by, if they are grouped by a relationship.
  func groupDestination(of table: TableState) -> EntityIndex? {
    guard case .object(let entity) = groupFormat(of: table) else { return nil }
    return entity
  }

  /// The format of the values that the rows are grouped by.
  func groupFormat(of table: TableState) -> GroupFormat? {
    table.groupPath.flatMap { groupFormat(of: $0, table.query.entity) }
  }

  /// The format of the group values at a path.
  func groupFormat(of path: [String], _ entity: EntityIndex) -> GroupFormat? {
    guard let resolved = try? PredicatePath(path, from: schema.entities[entity], in: schema)
    else { return nil }
    switch resolved.destination {
    case .attribute(let attribute): return .attribute(ValueFormat(attribute))
    case .object(let entity): return path.isEmpty ? nil : .object(entity: entity.index)
    }
  }
}
