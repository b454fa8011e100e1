import Basics
import DatastoreCore

/// The texts of the lines: what they are at first, and what they mean.
extension MeaningForm {
  /// Types to declare, and what they make of values. SQLite's storage of the values stays the same, so these
  /// are only types that can read what a column may hold.
  private static let types = [
    Choice(text: "BOOLEAN", note: "0 and 1 are false and true"),
    Choice(text: "INTEGER", note: "whole numbers"), Choice(text: "REAL", note: "numbers"),
    Choice(text: "DECIMAL", note: "exact numbers"), Choice(text: "TEXT", note: "texts"),
    Choice(text: "UUID", note: "identifiers"), Choice(text: "BLOB", note: "bytes"),
  ]

  /// The text for a column without dates.
  private static let noDates = "none"

  /// A line with its present text.
  ///
  /// - Parameter value: the value under the cursor, an example of dates.
  func entry(
    of line: Line, _ column: TableColumn, _ attribute: AttributeDescription?, _ value: Value,
    _ table: TableState, in state: BrowserState
  ) -> Entry {
    let said = state.annotations ?? SchemaAnnotations()
    let reason = Self.reasonNotToRead(column, attribute)
    switch line {
    case .type:
      let type = said.type(of: name, in: entity.name)
      let declared = type == nil ? attribute?.declaredType ?? "" : ""
      return Entry(
        line, present: type ?? "",
        otherwise: (declared.isEmpty ? "" : "\(declared), ") + "as the file declares it",
        choices: Self.types, reason: reason)
    case .dates:
      let dates = said.dates(of: name, in: entity.name)
      let found = dates == nil ? "\(attribute?.dateConvention?.title ?? "no dates"), " : ""
      return Entry(
        line, present: dates.map { Self.text($0) } ?? "",
        otherwise: found + "as found from name and values",
        choices: dateChoices(for: value), reason: reason)
    case .unit:
      let isNumber = attribute != nil && column.format?.isTrailing == true
      return Entry(
        line, present: said.unit(of: name, in: entity.name) ?? "", otherwise: "no unit",
        reason: isNumber ? nil : "This column holds no numbers.")
    case .refers:
      let target = said.relationship(of: name, in: entity.name)
      let accepted = target?.decision == .accepted ? target?.reference : nil
      return Entry(
        line, present: accepted.map { Self.text($0) } ?? "", otherwise: "no other column",
        choices: references.map { Choice(text: Self.text($0), note: "") }, reason: reason)
    case .names:
      let found = ObjectLabel(found: entity).parts.map { entity.properties[$0.slot].name }
      return Entry(
        line, present: (said.label(of: entity.name) ?? []).joined(separator: ", "),
        otherwise: found.isEmpty ? "their keys" : found.joined(separator: ", ") + ", as found",
        reason: nil)
    case .shown:
      return Entry(
        line, present: "yes", otherwise: "yes",
        choices: [
          Choice(text: "yes", note: ""), Choice(text: "no", note: "+ shows it again"),
        ],
        reason: table.arrangement.shown == [table.column]
          ? "No other column is shown, and one must stay." : nil)
    }
  }

  /// The ways to store dates, each with the value as it would be read.
  private func dateChoices(for value: Value) -> [Choice] {
    [Choice(text: Self.noDates, note: "values as stored")]
      + conventions.map { convention in
        Choice(
          text: convention.title, note: convention.moment(of: value).map { "\($0) UTC" } ?? "")
      }
  }

  /// Why the values of a column cannot be read as others: only third-party files leave that open.
  private static func reasonNotToRead(
    _ column: TableColumn, _ attribute: AttributeDescription?
  ) -> String? {
    if column.slot == nil { return "This column is computed." }
    guard let attribute else {
      return "This is a relationship; if it was set here, gm takes it back."
    }
    return attribute.declaredType == nil ? "This store declares what its columns hold." : nil
  }

  private static func text(_ dates: SchemaAnnotations.Dates) -> String {
    switch dates {
    case .plain: noDates
    case .stored(let convention): convention.title
    }
  }

  private static func text(_ reference: SchemaAnnotations.Reference) -> String {
    "\(reference.table).\(reference.column)"
  }

  /// The columns that others can refer to, since their values are unique.
  static func references(in schema: Schema) -> [SchemaAnnotations.Reference] {
    schema.entities.flatMap { entity in
      entity.properties.compactMap { property in
        guard let attribute = property.attribute, attribute.isUnique, attribute.declaredType != nil
        else { return nil }
        return SchemaAnnotations.Reference(table: entity.name, column: attribute.name)
      }
    }
  }

  /// The ways to store dates, with those that fit the value first.
  static func conventions(
    for value: Value, _ attribute: AttributeDescription
  ) -> [DateConvention] {
    var conventions = DateConvention.numeric
    if case .text(let text) = value, let style = DateTextStyle(text) {
      conventions.insert(.text(style), at: 0)
    } else if let present = attribute.dateConvention, present.isText {
      conventions.insert(present, at: 0)
    }
    let fitting = conventions.filter { $0.moment(of: value) != nil }
    return fitting + conventions.filter { !fitting.contains($0) }
  }
}

extension MeaningForm {
  /// The annotations with the changed lines.
  func annotations(changing present: SchemaAnnotations?) throws(Fault) -> SchemaAnnotations {
    var said = present ?? SchemaAnnotations()
    for entry in entries where entry.isChanged { try apply(entry, to: &said) }
    return said
  }

  private func apply(_ entry: Entry, to said: inout SchemaAnnotations) throws(Fault) {
    let table = entity.name
    switch entry.line {
    case .type: said.setType(try choice(of: entry), of: name, in: table)
    case .dates:
      var dates: SchemaAnnotations.Dates?
      if let choice = try choice(of: entry) {
        let convention = conventions.first { $0.title == choice }
        dates = convention.map { SchemaAnnotations.Dates.stored($0) } ?? .plain
      }
      said.setDates(dates, of: name, in: table)
    case .unit:
      guard entry.text.count <= 12 else {
        throw Fault(
          line: .unit,
          sentence:
            "A unit is shown beside the name of its column; it has at most 12 characters.")
      }
      said.setUnit(entry.text, of: name, in: table)
    case .refers: apply(reference: try choice(of: entry), to: &said)
    case .names:
      let names = Self.properties(in: entry.text)
      if let sentence = reasonNotToCall(by: names) {
        throw Fault(line: .names, sentence: sentence)
      }
      said.setLabel(names, of: table)
    case .shown: _ = try choice(of: entry)
    }
  }

  private func apply(reference text: String?, to said: inout SchemaAnnotations) {
    let target = references.first { Self.text($0) == text }
    let present = said.relationship(of: name, in: entity.name)?.reference
    guard let reference = target ?? present else { return }
    said.setRelationship(
      target == nil ? nil : .accepted, of: name, in: entity.name, to: reference)
  }

  /// The choice that the text of a line stands for: the marked one while it is typed; nil for no text.
  private func choice(of entry: Entry) throws(Fault) -> String? {
    let text = entry.text
    if text.isEmpty { return nil }
    let itself = "\(entity.name).\(name)"
    if entry.line == .refers, text.lowercased() == itself.lowercased() {
      throw Fault(line: .refers, sentence: "\(itself) cannot refer to itself.")
    }
    if let choice = entry.choices(for: text).first { return choice.text }
    let all = entry.choices.map(\.text).joined(separator: ", ")
    let sentence =
      switch entry.line {
      case .refers:
        "There is no column “\(text)” whose values are unique; name it as TABLE.COLUMN."
      case .type: "There is no type “\(text)”; there are \(all)."
      case .dates: "There is no date format “\(text)”; tab goes through those that there are."
      case .shown, .unit, .names: "“\(text)” is not a choice; there are \(all)."
      }
    throw Fault(line: entry.line, sentence: sentence)
  }

  /// The names in a text such as `name, surname`.
  private static func properties(in text: String) -> [String] {
    text.split { $0 == "," || $0 == "+" }
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  /// Why properties cannot name objects, as a sentence; nil if they can.
  private func reasonNotToCall(by names: [String]) -> String? {
    for name in names {
      guard let slot = entity.slot(named: name) else {
        let closest = Suggestion.closest(to: name, in: entity.properties.map(\.name))
        let hint = closest.map { " Did you mean “\($0)”?" } ?? ""
        return "\(entity.name) has no property “\(name)”.\(hint)"
      }
      if entity.links[slot]?.kind.isToMany ?? false {
        return "\(name) leads to many objects; only one can be part of a name."
      }
    }
    return nil
  }

  private func changed(_ line: Line) -> Entry? { entries.first { $0.line == line && $0.isChanged } }

  /// Whether the column is to be hidden.
  var hidesColumn: Bool {
    guard let entry = changed(.shown) else { return false }
    return entry.choices(for: entry.text).first?.text == "no"
  }

  /// What has changed besides the picture of the column, in sentences.
  var summary: String {
    var sentences: [String] = []
    if let entry = changed(.refers) {
      let choice = entry.text.isEmpty ? nil : entry.choices(for: entry.text).first?.text
      let target = references.first { Self.text($0) == choice }
      sentences.append(
        target.map {
          "\(entity.name).\(name) is a relationship to \($0.table) now. Press gm to undo it."
        } ?? "\(entity.name).\(name) refers to no column now.")
    }
    if let names = changed(.names).map({ Self.properties(in: $0.text) }) {
      sentences.append(
        names.isEmpty
          ? "Objects of \(entity.name) are shown by a name that the browser finds."
          : "Objects of \(entity.name) are named by \(names.joined(separator: " and ")).")
    }
    if hidesColumn { sentences.append("\(name) is hidden. Press + to show it again.") }
    return sentences.joined(separator: " ")
  }
}

extension BrowserState {
  /// The stored value of the cell under the cursor, as far as the screen shows it.
  func valueUnderCursor(of attribute: AttributeDescription) -> Value {
    guard let table, let key = table.currentKey,
      let cell = table.rows[key]?.cells[table.column]
    else { return .null }
    let text = Quoting.substituting(" (no date)", with: "", in: cell.text)
    if let integer = Int64(text) { return .integer(integer) }
    if let real = Double(text) { return .real(real) }
    if let moment = Moment(text), let convention = attribute.dateConvention {
      return convention.value(of: moment) ?? .null
    }
    return .text(text)
  }
}
