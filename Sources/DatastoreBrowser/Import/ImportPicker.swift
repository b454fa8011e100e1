import DatastoreCore
import TerminalUI

/// A list of the choices for a line of the import form.
struct ImportPicker: PickListOverlay {
  static let scope = CommandScope(
    "import-list", title: "In a list of the import", traits: .picks)
  let title: String
  private let choices: [ImportChoice]
  var list: PickList<Int>

  init(_ title: String, _ choices: [ImportChoice], present: ImportChoice?, in schema: Schema) {
    self.title = title
    self.choices = choices
    list = PickList(
      choices.enumerated().map { index, choice in
        PickList.Item(
          index, text: choice.title(in: schema), note: choice == present ? "now" : "")
      })
    if let place = choices.firstIndex(where: { $0 == present }) { list.select(place) }
  }

  func area(in size: Size) -> Rectangle {
    size.box(columns: 50, rows: min(choices.count + 3, max(5, size.rows - 6)))
  }

  /// Applies the choice to the form.
  func picked(_ place: Int, in state: inout BrowserState) {
    state.applyToImport(choices[place])
  }
}
