import Basics
import DatastoreCore
import TerminalUI

enum PaletteEntry: Hashable, Sendable {
  /// A command, by its name.
  case command(String)
  /// A row by its number, counted from 0.
  case row(Int)
  case entity(EntityIndex)
  /// The index of a column of the table.
  case column(Int)
  case filter(SavedFilter)
  /// A saved view, by its name.
  case view(String)
}

/// The command palette: commands, entities, columns, saved filters and views, found by words of their names;
/// commands also by their titles and synonyms.
struct PaletteState: PickListOverlay, PathCompleting {
  static let scope = CommandScope(
    "palette", title: "In the list of commands", traits: .picks.union([.completes]),
    labels: ["accept": "run", "close": "close"])

  /// The panel that had the focus when the palette was opened.
  let panel: CommandScope
  var list = PickList<PaletteEntry>(isSearchedByOwner: true)
  /// The possible completions of a path.
  private var completions: String?

  private let commands: CommandTable

  init(over panel: CommandScope, in state: BrowserState) {
    self.panel = panel
    commands = state.keymap.commands
    list.notice = "No command has that name. “help WORD” searches the help of all commands."
    search(in: state)
  }

  /// The command under the cursor.
  var command: Command? {
    guard case .command(let name)? = list.current?.id else { return nil }
    return commands.named(name)
  }

  /// The area of the palette: in the upper half, as wide as names and sentences need.
  func area(in size: Size) -> Rectangle {
    let box = size.box(columns: 84, rows: 20)
    return Rectangle(
      column: box.left, row: min(1, box.top), columns: box.columns, rows: box.rows)
  }

  /// The rows for the sentence about the command under the cursor, if the list leaves room for it.
  private static func footRows(in size: Size) -> Int { size.rows < 12 ? 0 : 2 }

  func body(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1).split(bottom: Self.footRows(in: size)).rest
  }

  mutating func searchChanged(in state: BrowserState) {
    completions = nil
    search(in: state)
  }

  var typedPath: String? {
    guard let (command, argument) = commandLine, command.argument?.isPath == true else {
      return nil
    }
    return argument
  }

  /// Completes the name of the command, or the path after it.
  func complete(_ state: inout BrowserState) {
    if let typedPath { return state.request(.completePath(typedPath)) }
    if commandLine != nil { return }
    state.change(Self.self) { $0.completeName(in: $1) }
  }

  mutating func pick(in state: inout BrowserState) {
    guard let entry = list.current?.id else { return }
    switch entry {
    case .command:
      if needsMore {
        completeName(in: state)
        return
      }
      state.performFromPalette(command, commandLine?.argument ?? "", over: panel)
    case .row(let row):
      state.closeOverlay()
      state.focus = .table
      state.changeTable { $0.moveCursor(toRow: row, height: $1) }
    case .entity(let entity):
      state.closeOverlay()
      state.openEntity(entity)
    case .column(let column):
      state.closeOverlay()
      state.goToColumn(column)
    case .filter(let filter):
      state.closeOverlay()
      state.apply(filter)
    case .view(let name):
      state.closeOverlay()
      state.openView(name)
    }
  }

  /// Whether enter only writes the name of the command, which must be typed in full.
  private var needsMore: Bool {
    guard let command, command.needsWholeName else { return false }
    return WordQuery(list.search.text).fit(command) == .last
  }

  /// Finds the entries that match the search, the best first. Commands of the focused panel come before the
  /// others, in the order of the help; a number leads to its row.
  private mutating func search(in state: BrowserState) {
    if let (command, _) = commandLine {
      return list.setFound([item(command, in: state)])
    }
    if let number = rowNumber(in: state) { return list.setFound(number) }
    let query = WordQuery(list.search.text)
    typealias Found = (fit: WordQuery.Fit, isElsewhere: Int, item: PickList<PaletteEntry>.Item)
    let found: [Found] =
      commands.all.filter(\.isInPalette).compactMap { command in
        query.fit(command).map {
          ($0, command.scopes.contains(panel) ? 0 : 1, item(command, in: state))
        }
      } + places(query, in: state).map { ($0.fit, 2, $0.item) }
    if found.isEmpty { return list.setFound(nearest(query, in: state)) }
    let sorted = found.enumerated().sorted { left, right in
      (left.element.fit, left.element.isElsewhere, left.offset)
        < (right.element.fit, right.element.isElsewhere, right.offset)
    }
    list.setFound(sorted.map(\.element.item))
  }

  /// The commands that match some of the typed words, those with most matches first. Offered if no entry
  /// matches all words.
  private func nearest(
    _ query: WordQuery, in state: BrowserState
  ) -> [PickList<PaletteEntry>.Item] {
    let found = commands.all.filter(\.isInPalette).enumerated().map { place, command in
      // Commands whose very name was typed come first, then those of the focused panel.
      (
        command: command, count: query.wordCount(command),
        rank: (query.hasName(of: command) ? 0 : 1, command.scopes.contains(panel) ? 0 : 1, place)
      )
    }
    return found.filter { $0.count > 0 }
      .sorted { $0.count == $1.count ? $0.rank < $1.rank : $0.count > $1.count }
      .map { item($0.command, in: state) }
  }

  /// The row of a typed number; nil if something else was typed.
  private func rowNumber(in state: BrowserState) -> [PickList<PaletteEntry>.Item]? {
    let text = list.search.text
    guard let first = text.first,
      first.isNumber || first == "-" && text.dropFirst().first?.isNumber == true,
      let table = state.table
    else { return nil }
    guard let row = RowNumberPrompt.row(text, count: table.list.keys.count) else { return [] }
    return [PickList.Item(.row(row), text: "row \(CountText.grouped(row + 1))", note: "go there")]
  }

  /// The entities, columns and saved filters that match the search.
  private func places(
    _ query: WordQuery, in state: BrowserState
  ) -> [(fit: WordQuery.Fit, item: PickList<PaletteEntry>.Item)] {
    typealias Item = PickList<PaletteEntry>.Item
    var items: [Item] = state.schema.entities.map { entity in
      Item(.entity(entity.index), text: entity.name, note: "entity", role: .relationship)
    }
    if let table = state.table, let entity = state.entity {
      items += table.columns.indices.map { index in
        Item(
          .column(index), text: table.columns[index].name, note: "column of \(entity.name)",
          role: .columnHeader)
      }
      items += state.filters.filters(entity: entity.name).map { filter in
        Item(.filter(filter), text: filter.name, note: "filter: \(filter.text)", role: .heading)
      }
    }
    items += state.viewMemory.names.map { name in
      Item(
        .view(name), text: name,
        note: "view of \(state.viewMemory.named[name].map { $0.sql ?? $0.entity } ?? "")",
        role: .heading)
    }
    return items.compactMap { item in query.fit(name: item.text).map { ($0, item) } }
  }

  private func item(_ command: Command, in state: BrowserState) -> PickList<PaletteEntry>.Item {
    let name = command.name + (command.argument.map { " \($0.name)" } ?? "")
    let keys =
      state.keymap.keys(of: command).map(\.description) + command.aliases.map { ":" + $0 }
    return PickList.Item(
      .command(command.name), text: command.title, note: ([name] + keys).joined(separator: "  "),
      role: command.reasonIfDisabled(state) == nil ? .text : .dim)
  }

  /// The command of a name that was typed in full, and its argument; nil while the search is for names.
  var commandLine: (command: Command, argument: String)? {
    let text = list.search.text
    guard let space = text.firstPlace(of: " "),
      let command = commands.named(String(text[..<space])), command.argument != nil
    else { return nil }
    let argument = text[space...].drop { $0 == " " }
    return (command, String(argument.reversed().drop { $0 == " " }.reversed()))
  }

  /// Writes the full name of the command under the cursor.
  mutating func completeName(in state: BrowserState) {
    guard let command else { return }
    list.setSearch(command.name + (command.argument == nil ? "" : " "))
    search(in: state)
  }

  /// Applies the completion of the path, unless the path has changed since the request.
  mutating func apply(_ completion: PathCompletion, of path: String) {
    guard let (command, argument) = commandLine, argument == path else { return }
    list.setSearch("\(command.name) \(completion.path)")
    completions = completion.names.count > 1 ? completion.names.joined(separator: "  ") : nil
  }

  var title: String { "Commands" }
  var note: String { "enter runs it, esc closes" }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let cursor = drawList(into: &buffer, in: state)
    let foot = area(in: state.size).inset(horizontal: 2, vertical: 1)
      .split(bottom: Self.footRows(in: state.size)).bottom
    command?.drawSentence(
      completions, needsMore ? " Enter writes its name; enter again does it." : "", into: &buffer,
      in: foot, state)
    return cursor
  }
}

extension Command {
  /// Draws why the command is disabled, or else its help, below a list of commands.
  ///
  /// - Parameters:
  ///   - other: the text in place of the help.
  ///   - more: the text after the help.
  func drawSentence(
    _ other: String? = nil, _ more: String = "", into buffer: inout ScreenBuffer,
    in foot: Rectangle, _ state: BrowserState
  ) {
    let reason = reasonIfDisabled(state)
    let sentence = reason ?? other ?? help + more
    buffer.draw(wrapped: sentence, in: foot, role: reason == nil ? .dim : .warning)
  }
}

extension BrowserState {
  /// Shows the rows of a saved filter.
  mutating func apply(_ filter: SavedFilter) {
    guard let entity else { return }
    do {
      let predicate = try Predicate.parse(filter.text, entity: entity, in: schema)
      focus = .table
      setFilter(predicate, text: filter.text)
    } catch {
      tell("The filter “\(filter.name)” does not fit this table: \(error)", .error)
    }
  }

  /// Runs the command under the palette's cursor, in the panel of the palette.
  mutating func performFromPalette(
    _ command: Command?, _ argument: String = "", over panel: CommandScope
  ) {
    guard let command else { return }
    closeOverlay()
    if overlays.isEmpty {
      if !command.scopes.contains(panel) {
        focusPanel(of: command)
      } else if command.reasonIfDisabled(self) != nil {
        session.idlePresent()
      }
    }
    perform(command, argument)
  }
}
