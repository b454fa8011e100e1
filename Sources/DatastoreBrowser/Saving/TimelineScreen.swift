import Basics
import DatastoreCore
import Foundation
import TerminalUI

/// The saves of this session, the last one first, each with what it has written.
struct TimelineScreen: LineListOverlay {
  /// A line of the list.
  enum Line: Hashable, Sendable {
    case save(Int)
    case object(Int, Int)
    case more(Int, Int)
  }

  var scope: CommandScope { .timeline }
  var scroll = ScrollState()
  private let entries: [SaveTimeline.Entry]
  private let lines: [Line]

  /// Objects of a save that are listed.
  private static let mostObjects = 20

  init(_ timeline: SaveTimeline) {
    let entries = Array(timeline.entries.reversed())
    self.entries = entries
    lines = entries.indices.flatMap { index -> [Line] in
      let count = entries[index].objects.count
      let objects = (0..<min(count, Self.mostObjects)).map { Line.object(index, $0) }
      let more = count > Self.mostObjects ? [Line.more(index, count - Self.mostObjects)] : []
      return [.save(index)] + objects + more
    }
  }

  /// The save that the cursor is on or in.
  var current: SaveTimeline.Entry? {
    guard lines.indices.contains(scroll.cursor) else { return nil }
    switch lines[scroll.cursor] {
    case .save(let index), .object(let index, _), .more(let index, _): return entries[index]
    }
  }

  func lineCount(in state: BrowserState) -> Int { lines.count }
  func box(in state: BrowserState) -> Rectangle? { area(in: state.size) }
  func body(in state: BrowserState) -> Rectangle {
    area(in: state.size).inset(horizontal: 2, vertical: 1)
  }

  private func area(in size: Size) -> Rectangle {
    size.box(columns: 100, rows: max(3, lines.count + 2))
  }

  func pick(in state: inout BrowserState) { state.undoListedSave() }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: state.size)
    buffer.fill(area)
    Box(
      title: "Saves of this session", note: CountText.counted(entries.count, "save"),
      isFocused: true
    ).draw(into: &buffer, in: area)
    let marks = Marks(buffer.glyphs)
    drawLines(into: &buffer, in: state) { index, buffer, line in
      let (text, role): (String, StyleRole) =
        switch lines[index] {
        case .save(let save): (Self.title(entries[save]), .heading)
        case .object(let save, let object):
          (
            Self.text(of: entries[save].objects[object], in: state, marks, width: line.columns),
            .text
          )
        case .more(_, let count): ("   and \(CountText.grouped(count)) more", .dim)
        }
      buffer.draw(text, at: line.origin, width: line.columns, role: role)
    }
    return nil
  }

  private static func title(_ entry: SaveTimeline.Entry) -> String {
    "Save \(entry.number)  \(entry.date.timeOfDay)  \(entry.text)"
  }

  /// An object and its changes; those that have no room are counted, for a part of a value would be another one.
  private static func text(
    of object: StagedObject, in state: BrowserState, _ marks: Marks, width: Int
  ) -> String {
    let entity = state.schema.entities[object.entity]
    let name =
      state.names[object.entity, object.key]?.shown.text
      ?? DisplayName.placeholder(key: object.key)
    func shown(_ slot: Slot, _ value: Value) -> String {
      guard let attribute = entity.properties[slot].attribute else {
        return value.key.map { DisplayName.placeholder(key: $0) } ?? marks.null
      }
      return value.isNull ? marks.null : ValueFormat(attribute).cell(value).text
    }
    let changes = object.changes.map { change in
      let property = entity.properties[change.slot].name
      return object.kind == .inserted
        ? "\(property) \(shown(change.slot, change.new))"
        : "\(property) \(shown(change.slot, change.old)) \(marks.leadsTo) "
          + shown(change.slot, change.new)
    }
    let related = object.members.map { "\(entity.properties[$0.slot].name) has other members" }
    let parts = changes + related
    func text(_ shown: Int) -> String {
      let rest = shown < parts.count ? ["and \(parts.count - shown) more"] : []
      return "   \(StagingMarks.Mark(object).sign) \(entity.name) \(name)  "
        + (parts.prefix(shown) + rest).joined(separator: ", ")
    }
    var shown = parts.count
    while shown > 0, text(shown).displayWidth(upTo: width + 1) > width { shown -= 1 }
    return text(shown)
  }
}

extension Date {
  /// `14:02:31 UTC`.
  var timeOfDay: String {
    let text = ISODate.format(timeIntervalSinceReferenceDate) ?? ""
    return "\(text.dropFirst(11).prefix(8)) UTC"
  }
}

extension BrowserState {
  /// Stages the opposite of the save under the cursor of the list.
  mutating func undoListedSave() {
    guard let save = overlay(as: TimelineScreen.self)?.current else { return }
    if let reason = DisabledReason.cannotStage.reason(self) {
      message = Message(text: reason, severity: .warning)
      return
    }
    closeOverlay()
    request(.undo(save))
  }
}

extension TimelineScreen: StagingOverlay {
  func perform(_ action: StagingAction, _ state: inout BrowserState) { state.undoListedSave() }
  func reasonNot(to action: StagingAction, in state: BrowserState) -> String? { nil }
}

extension DisabledReason {
  static let nothingSaved = DisabledReason {
    $0.timeline.entries.isEmpty ? "Nothing was saved in this session." : nil
  }
}

extension CommandTable {
  static let timelineCommands: [Command] = [
    Command(
      "saves", titled: "Earlier saves", synonyms: ["timeline", "history"], keys: ["gU"],
      label: "saves",
      help: "List the saves of this session, and undo any of them.", in: CommandScope.panels,
      unless: .nothingSaved
    ) { state in
      state.open(TimelineScreen(state.timeline))
    },
  ]
}

extension CommandScope {
  static let timeline = CommandScope(
    "timeline", title: "In the list of saves", traits: [.scrolls, .accepts, .closes],
    labels: ["accept": "undo"], openedBy: "saves")
}
