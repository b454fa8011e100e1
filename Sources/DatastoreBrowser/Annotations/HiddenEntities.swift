import DatastoreCore
import TerminalUI

/// A list of the hidden entities, to show one again.
struct HiddenEntityPicker: PickListOverlay {
  static let scope = CommandScope(
    "hidden-entities", title: "In the list of hidden entities", traits: .picks)
  var list: PickList<String>

  init(_ state: BrowserState) {
    list = PickList(
      state.schema.entities.filter { state.entities.isHidden($0.index) }.map {
        PickList.Item($0.name, text: $0.name)
      })
    list.notice = "No entity is hidden. Press - on one to hide it."
  }

  func picked(_ name: String, in state: inout BrowserState) { state.setHidden(false, name) }

  var title: String { "Hidden entities" }
}

extension BrowserState {
  /// Hides the entity under the cursor of the list.
  mutating func hideEntity() {
    guard let entity = entities.cursor else { return }
    guard entities.shown.count > 1 else {
      return tell("At least one entity must stay in the list.", .warning)
    }
    let name = schema.entities[entity].name
    tell("\(name) is hidden. Press + to show it again.", .information)
    setHidden(true, name)
  }

  /// Hides an entity in the list, or shows it again.
  mutating func setHidden(_ isHidden: Bool, _ entity: String) {
    var said = annotations ?? SchemaAnnotations()
    said.setHidden(isHidden, entity)
    say(said)
  }
}
