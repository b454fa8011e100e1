import Basics
import DatastoreCore
import TerminalUI

/// The lines of the detail pane: one for each property, or more if its text is long.
struct DetailLines {
  struct Line: Hashable {
    /// The index of the line's item.
    var item: Int
    var name = ""
    var type = ""
    var value = ""
    var role = StyleRole.text
    /// Whether the line continues the item of the line above.
    var isContinuation = false
    /// The property of the line; nil for members of a relationship.
    var slot: Slot?
    var isMissing = false
  }

  private(set) var lines: [Line] = []
  let nameWidth: Int
  let typeWidth: Int

  /// The most lines that one value takes.
  private static let most = 8

  init(
    _ detail: DetailState, width: Int, marks: Marks,
    name: (_ entity: EntityIndex, _ key: RowKey) -> NameCache.Entry?
  ) {
    let fields = detail.snapshot?.fields ?? []
    let widestName = fields.map { $0.name.displayWidth(upTo: 40) }.max() ?? 0
    func type(_ field: DetailSnapshot.Field) -> String {
      detail.units[field.slot].map { "\(field.type), \($0)" } ?? field.type
    }
    let widestType = fields.map { type($0).displayWidth(upTo: 40) }.max() ?? 0
    nameWidth = Self.nameWidth(of: fields.map(\.name), widest: widestName, width: width)
    typeWidth = min(widestType, max(6, width / 4))
    let valueWidth = max(1, width - nameWidth - typeWidth - 4)
    var item = 0
    for field in fields {
      let first = Line(
        item: item, name: field.name, type: type(field), slot: field.slot,
        isMissing: field.isMissing)
      if let content = field.content {
        var value = Self.value(content, field, marks, name)
        if value.1 == .number, let format = detail.numbers[field.name] {
          value.0 = format.text(of: value.0)
        }
        append(value, to: first, width: valueWidth)
        if let stored = field.stored {
          lines.append(
            Line(
              item: item, value: stored, role: .dim, isContinuation: true, slot: field.slot))
        }
        item += 1
      } else {
        appendMembers(detail.members[field.slot], to: first, item: &item, marks)
      }
    }
  }

  /// A third of the width, or up to a half if cut names would otherwise look alike.
  private static func nameWidth(of names: [String], widest: Int, width: Int) -> Int {
    let least = min(widest, max(8, width / 3))
    let most = min(widest, max(8, width / 2))
    guard least < most else { return least }
    return (least...most).first { width in
      // Names are cut in the middle.
      let shown = names.map { name in
        name.count <= width ? name : "\(name.prefix(width / 2))…\(name.suffix((width - 1) / 2))"
      }
      return Set(shown).count == Set(names).count
    } ?? most
  }

  private static func value(
    _ content: CellContent, _ field: DetailSnapshot.Field, _ marks: Marks,
    _ name: (EntityIndex, RowKey) -> NameCache.Entry?
  ) -> (String, StyleRole) {
    switch content.kind {
    case .value: return (content.text, content.role)
    case .null where field.isMissing: return ("\(marks.null) needs a value", .error)
    case .null: return (marks.null, .null)
    case .emptyText: return (marks.emptyText, .dim)
    case .reference(let key):
      guard let destination = field.destination, let entry = name(destination, key) else {
        return ("\(marks.leadsTo) \(DisplayName.placeholder(key: key))", .dim)
      }
      let (text, role) = entry.shown
      return ("\(marks.leadsTo) \(text)", role)
    }
  }

  private mutating func append(
    _ value: (text: String, role: StyleRole), to first: Line, width: Int
  ) {
    var line = first
    line.role = value.role
    // Half a number on a line would be another number; a long number is cut with a mark instead.
    let isLong =
      value.role != .number
      && (value.text.hasLineEnd || value.text.displayWidth(upTo: width) > width)
    // Blank lines would only push the next properties off the screen.
    let wrapped =
      isLong ? value.text.wrapped(to: width).filter { !$0.allSatisfy(\.isWhitespace) } : []
    var parts = wrapped.isEmpty ? [value.text] : Array(wrapped.prefix(Self.most))
    if isLong, parts.count == Self.most, parts.joined().count < value.text.count - 2 * Self.most {
      parts[Self.most - 1] = "… press V to see all of it"
    }
    for (index, part) in parts.enumerated() {
      line.value = part
      line.isContinuation = index > 0
      if index > 0 {
        line.name = ""
        line.type = ""
      }
      lines.append(line)
    }
  }

  private mutating func appendMembers(
    _ state: DetailState.MemberState?, to first: Line, item: inout Int, _ marks: Marks
  ) {
    var line = first
    switch state {
    case .failed(let message): (line.value, line.role) = (message, .error)
    case nil, .reading(nil): (line.value, line.role) = ("reading…", .dim)
    case .read(let members), .reading(let members?):
      line.value = members.count == 0 ? "none" : "\(CountText.grouped(members.count))"
      line.role = members.count == 0 ? .dim : .number
    }
    lines.append(line)
    item += 1
    for member in state?.members?.first ?? [] {
      lines.append(
        Line(
          item: item, value: "\(marks.leadsTo) \(member.name)", role: .relationship))
      item += 1
    }
    if let members = state?.members, members.count > members.first.count {
      let more = members.count - members.first.count
      lines.append(
        Line(
          item: item - 1, value: "and \(CountText.grouped(more)) more", role: .dim,
          isContinuation: true))
    }
  }

  func lines(ofItem item: Int) -> Range<Int> {
    guard let start = lines.firstIndex(where: { $0.item == item && !$0.isContinuation }) else {
      return 0..<0
    }
    let end = lines[(start + 1)...].firstIndex { !$0.isContinuation } ?? lines.count
    return start..<end
  }

  /// The first visible line that shows an item, moving as little as possible from `previous`.
  func firstVisible(item: Int, height: Int, previous: Int) -> Int {
    let range = lines(ofItem: item)
    guard height > 0, !range.isEmpty else { return 0 }
    var first = ScrollState.firstVisible(
      cursor: range.upperBound - 1, count: lines.count, height: height, previous: previous)
    first = min(first, range.lowerBound)
    return first
  }
}
