import DatastoreCore
import TerminalUI

extension TableState {
  /// The place in the list of the row under the cursor; on a header, of the section's first row.
  var currentRow: Int? {
    switch currentLine {
    case .row(let index): index
    case .header(let section): list.starts.indices.contains(section) ? list.starts[section] : nil
    case nil: nil
    }
  }

  /// The keys of related objects, by entity, whose names are needed for the visible lines and for a screen
  /// above and below.
  func visibleReferences(height: Int, groupDestination: EntityIndex?) -> [EntityIndex: Set<RowKey>]
  {
    var references: [EntityIndex: Set<RowKey>] = [:]
    let related = arrangement.shown.map { ($0, columns[$0]) }
      .filter { $0.1.destination != nil && !$0.1.isToMany }
    let visible = scroll.visible(count: lines.count, height: height)
    let near = max(0, visible.lowerBound - height)..<min(lines.count, visible.upperBound + height)
    for line in near {
      switch lines[line] {
      case .header(let section):
        if let groupDestination, let key = list.sections[section].value.key {
          references[groupDestination, default: []].insert(key)
        }
      case .row(let index):
        guard let key = list.keys.readKey(at: index), let row = rows[key] else { continue }
        for (column, entry) in related {
          guard case .reference(let key) = row.cells[column].kind,
            let destination = entry.destination
          else { continue }
          references[destination, default: []].insert(key)
        }
      case nil: continue
      }
    }
    return references
  }
}
