import DatastoreCore
import Foundation
import TerminalUI

/// The schema of the file: entities with attributes, relationships and indexes, or their graph.
struct SchemaScreen: SearchableLines, LineListOverlay {
  static let scope = CommandScope(
    "schema", title: "In the schema",
    traits: [
      .scrolls, .accepts, .closes, .hasColumns, .hasSections, .hasForms, .searchesLines, .saves,
      .stages,
    ],
    labels: ["accept": "open", "left": "scroll", "previous-section": "entity"],
    openedBy: "show-schema")
  var searchedThing: String { "the schema" }
  var searchedPlace: String { "the schema" }
  var searchStart: Int { scroll.cursor }

  /// Nil while the schema is being read.
  private(set) var text: Result<SchemaText, EffectFailure>?
  private(set) var form = SchemaText.Form.outline
  var scroll = ScrollState()
  /// The number of cells that the lines are scrolled sideways.
  private(set) var left = 0
  var search = ""
  var message = ""
  /// The entity to put the cursor on when the schema has been read.
  private var wanted: EntityIndex?

  /// - Parameter entity: the initial entity of the cursor.
  init(at entity: EntityIndex?) {
    wanted = entity
  }

  static func area(in size: Size) -> Rectangle { Rectangle.aboveStatus(size) }

  static func body(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1)
  }

  private var schema: SchemaText? { try? text?.get() }

  private var count: Int { schema?.lines(form, .unicode).count ?? 0 }

  /// The entity under the cursor.
  var entity: EntityIndex? { schema?.entity(ofLine: scroll.cursor, form) }

  /// Applies the schema.
  mutating func apply(_ text: Result<SchemaText, EffectFailure>, size: Size) {
    self.text = text
    if let wanted { go(to: wanted, size: size) }
    // After an edit, the cursor stays where it is.
    wanted = nil
    settle(size)
  }

  /// The subject of a schema edit: the entity under the cursor, and its property if the cursor is on one.
  var place: (entity: String, property: String?)? { schema?.place(ofLine: scroll.cursor, form) }

  /// Switches between outline and graph; the cursor stays on its entity.
  mutating func changeForm(size: Size) {
    let entity = entity
    form = form == .outline ? .graph : .outline
    (scroll, left) = (ScrollState(), 0)
    if let entity { go(to: entity, size: size) }
  }

  /// Puts the cursor on the title of an entity, and shows as much of the entity as fits.
  private mutating func go(to entity: EntityIndex, size: Size) {
    guard let schema, schema.titles(form).indices.contains(entity) else { return }
    let line = schema.titles(form)[entity]
    scroll = ScrollState(cursor: line, first: form == .graph ? line - 1 : line)
    settle(size)
  }

  /// Goes to the title of another entity; backwards, first to the title of the current one.
  mutating func moveEntity(by step: Int, size: Size) {
    guard let schema, let entity else { return }
    let isInside = schema.titles(form)[entity] < scroll.cursor
    let target = step < 0 && isInside ? entity : entity.advanced(by: step)
    let last = schema.titles(form).endIndex.advanced(by: -1)
    go(to: min(max(0, target), last), size: size)
  }

  mutating func scrollSideways(by cells: Int, size: Size) {
    let most = max(0, (schema?.width(form) ?? 0) - Self.body(in: size).columns)
    left = min(max(0, left + cells), most)
  }

  private mutating func settle(_ size: Size) {
    scroll.settle(count: count, height: Self.body(in: size).rows)
    scrollSideways(by: 0, size: size)
  }
}

extension SchemaScreen {
  func matches(of text: String) -> [Int]? {
    guard let schema else { return nil }
    let wanted = SearchText(text)
    return schema.lines(form, .unicode).indices.filter {
      wanted.range(in: schema.lines(form, .unicode)[$0]) != nil
    }
  }

  mutating func go(toMatch line: Int, size: Size) {
    scroll.move(to: line, count: count, height: Self.body(in: size).rows)
  }

  func lineCount(in state: BrowserState) -> Int { count }

  func body(in state: BrowserState) -> Rectangle { Self.body(in: state.size) }

  mutating func cursorMoved(in state: inout BrowserState) {
    message = ""
  }

  func pick(in state: inout BrowserState) { state.openEntity(of: self) }

  func changeForm(_ state: inout BrowserState) {
    state.changeSchema { $0.changeForm(size: $1) }
  }

  func moveColumn(_ movement: ColumnMovement, _ state: inout BrowserState) {
    state.changeSchema { $0.scrollSideways(by: movement.cells, size: $1) }
  }

  func moveSection(by step: Int, _ state: inout BrowserState) {
    state.changeSchema { $0.moveEntity(by: step, size: $1) }
  }

  mutating func resize(in state: BrowserState) { settle(state.size) }
}

extension BrowserState {
  /// Shows the schema of the file, beginning at the entity of the table.
  mutating func openSchema() {
    let entity = focus == .entities ? entities.cursor : table?.query.entity
    open(SchemaScreen(at: entity))
    request(.readSchema(schemaEditing.edits))
  }

  mutating func changeSchema(_ change: (inout SchemaScreen, Size) -> Void) {
    let size = size
    changeOverlay(as: SchemaScreen.self) { change(&$0, size) }
  }

  /// Closes the schema and shows the table of the entity under the cursor.
  mutating func openEntity(of screen: SchemaScreen) {
    guard let entity = screen.entity else {
      return tell("There is no entity here.", .warning)
    }
    closeOverlay()
    openEntity(entity)
  }
}
