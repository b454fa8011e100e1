import Basics
import DatastoreCore
import TerminalUI

/// A list of the file's entities, to find one by a part of its name.
struct EntityPicker: PickListOverlay {
  static let scope = CommandScope(
    "entity-picker", title: "In the list to find an entity", traits: .picks)
  var list: PickList<EntityIndex>

  init(in state: BrowserState) {
    list = PickList(
      state.schema.entities.map { entity in
        let note =
          switch state.entities.counts[entity.index] {
          case .known(let count): CountText.grouped(count)
          case .estimated(let count): "~\(CountText.grouped(count))"
          case .unknown, .failed: ""
          }
        return PickList.Item(entity.index, text: entity.name, note: note)
      })
    if let cursor = state.entities.cursor { list.select(cursor) }
  }

  func picked(_ entity: EntityIndex, in state: inout BrowserState) { state.openEntity(entity) }

  var title: String { "Entities" }
}
