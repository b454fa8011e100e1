import DatastoreTestSupport
import Foundation
import SwiftDatastore
import SwiftDatastoreTerminal
import TerminalUI
import Testing

/// Random changes and keys: compares the selection with a model in memory, and the picture with a list that
/// is fetched afresh.
@MainActor
@Suite struct ReplayTests {
  /// The names that are there, in order, and the one that is selected.
  private struct Model {
    var names: [String]
    var selected: String?

    mutating func remove(_ gone: Set<String>) {
      if let name = selected, gone.contains(name), let index = names.firstIndex(of: name) {
        selected =
          names[index...].first { !gone.contains($0) }
          ?? names[..<index].last { !gone.contains($0) }
      }
      names.removeAll { gone.contains($0) }
    }

    mutating func rename(_ name: String, to new: String) {
      names.removeAll { $0 == name }
      add([new])
      if selected == name { selected = new }
    }

    mutating func add(_ new: [String]) {
      names = (names + new).sorted()
      if selected == nil { selected = names.first }
    }

    mutating func move(by rows: Int) {
      guard let selected, let index = names.firstIndex(of: selected) else { return }
      self.selected = names[min(max(0, index + rows), names.count - 1)]
    }
  }

  // Promise: objects come, go and move while a list is on the screen → the selected one stays selected and
  // in its row; where it goes, the next that stayed.
  // Also: (random changes against a model in memory and a fresh fetch), `FollowingTests`
  @Test(arguments: RandomCases.rounds(of: 40), [false, true])
  func selectionAndPictures(_ round: Int, inSections: Bool) async throws {
    var random = SeededRandom(seed: RandomCases.seed(round))
    let people = try await People()
    let query = inSections ? People.inSections : People.plain
    let view = PeopleView(people, query, title: nil)
    let application = TerminalApplication(view)
    let terminal = MemoryTerminal(size: Size(columns: 20, rows: 9))
    try application.start(on: terminal)
    await application.settled()
    var model = Model(names: [])
    for step in 0..<40 {
      let place = placeOfSelected(terminal)
      let former = model
      switch random.below(6) {
      case 0, 1:
        let new = (0..<random.below(6)).map { _ in name(&random) }
        let unique = Set(new).subtracting(model.names)
        try await people.add(Array(unique))
        model.add(Array(unique))
      case 2:
        let gone = model.names.filter { _ in random.below(4) == 0 }
        try await people.delete(gone)
        model.remove(Set(gone))
      case 3:
        let new = name(&random)
        guard let old = model.names.randomElement(using: &random), !model.names.contains(new) else {
          continue
        }
        try await people.rename(old, to: new)
        model.rename(old, to: new)
      case 4:
        terminal.press(["up", "down", "pgup", "pgdn"].randomElement(using: &random) ?? "up")
        await application.settled()
        // Pages depend on the screen; the model adopts their selection.
        if let name = view.$people.selected?.$name { model.selected = name }
      default:
        let down = random.below(2) == 0
        terminal.press(down ? "down" : "up")
        model.move(by: down ? 1 : -1)
      }
      await application.settled()
      let what: Comment = "seed \(random.seed), step \(step), sections: \(inSections)"
      #expect(view.$people.selected?.$name == model.selected, what)
      let lines = try lines(of: people, query, inSections)
      try check(terminal, shows: lines, model.selected, what)
      if former.selected == model.selected, former.names != model.names, let place {
        expectStill(terminal, place, lines, former.names.count, what)
      }
    }
    application.quit()
  }

  private func name(_ random: inout SeededRandom) -> String {
    "\(["A", "B", "C", "D"][random.below(4)])\(random.below(30) + 10)"
  }

  /// The lines of a list that is fetched afresh.
  private func lines(
    of people: People, _ query: From<Person>, _ inSections: Bool
  ) throws -> [String] {
    var lines: [String] = []
    var letter: String?
    for person in try people.view.fetch(query) {
      if inSections, person.letter != letter { lines.append(person.letter) }
      letter = person.letter
      lines.append(person.name)
    }
    return lines
  }

  /// The picture is a part of the lines without a gap, with the selected one highlighted.
  private func check(
    _ terminal: MemoryTerminal, shows lines: [String], _ selected: String?, _ what: Comment
  ) throws {
    let height = terminal.size.rows - 1
    let shown = Array(texts(terminal).prefix(min(height, lines.count)))
    guard let selected else {
      #expect(shown.isEmpty && terminal.picture[0] == "Nobody.", what)
      return
    }
    let line = try #require(lines.firstIndex(of: selected), what)
    let first = line - (placeOfSelected(terminal) ?? 0)
    try #require(first >= 0 && first + shown.count <= lines.count, what)
    #expect(shown == Array(lines[first..<first + shown.count]), what)
    let buffer = try #require(terminal.lastBuffer)
    let highlighted = (0..<height).filter { row in
      buffer.styleRuns(ofRow: row).contains { $0.backdrop == .selection }
    }
    #expect(highlighted == [line - first], what)
  }

  /// The selected one is in its row, unless that would leave rows empty above or below.
  private func expectStill(
    _ terminal: MemoryTerminal, _ place: Int, _ lines: [String], _ formerCount: Int, _ what: Comment
  ) {
    guard let now = placeOfSelected(terminal), formerCount > 0 else { return }
    let height = terminal.size.rows - 1
    let first = texts(terminal).first.flatMap { lines.firstIndex(of: $0) } ?? 0
    let isAtEnd = first == 0 || first + height >= lines.count
    // The title of its section may have come above it.
    #expect(now == place || isAtEnd || abs(now - place) == 1 && place == 0, what)
  }

  private func placeOfSelected(_ terminal: MemoryTerminal) -> Int? {
    guard let buffer = terminal.lastBuffer else { return nil }
    return (0..<terminal.size.rows - 1).first { row in
      buffer.styleRuns(ofRow: row).contains { $0.backdrop == .selection }
    }
  }

  /// The rows without the scrollbar.
  private func texts(_ terminal: MemoryTerminal) -> [String] {
    terminal.picture.dropLast().map { line in
      String(line.prefix(19)).trimmingCharacters(in: .whitespaces)
    }
  }
}
