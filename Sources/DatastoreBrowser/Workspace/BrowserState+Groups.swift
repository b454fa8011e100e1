import DatastoreCore
import TerminalUI

extension BrowserState {
  /// Keeps the cursor of the detail pane on a thing that is there, and that on the screen.
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

  /// The entity whose objects make the sections, when a relationship does.
  func groupDestination(of table: TableState) -> Int? {
    guard case .object(let entity) = groupFormat(of: table) else { return nil }
    return entity
  }

  /// How the values that make the sections are shown.
  func groupFormat(of table: TableState) -> GroupFormat? {
    guard let path = table.groupPath else { return nil }
    var entity = schema.entities[table.query.entity]
    for (index, name) in path.enumerated() {
      guard let slot = entity.slot(named: name) else { return nil }
      if let attribute = entity.properties[slot].attribute {
        return .attribute(ValueFormat(attribute))
      }
      guard let link = entity.links[slot] else { return nil }
      if index == path.count - 1 { return .object(entity: link.destination) }
      entity = schema.entities[link.destination]
    }
    return nil
  }
}
