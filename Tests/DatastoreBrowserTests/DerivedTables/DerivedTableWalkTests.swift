import DatastoreCore
import DatastoreTestSupport
import Foundation
import GRDB
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Random commands of a table on each derived table. After each of them it shows the rows of a model in
/// memory.
@MainActor
@Suite struct DerivedTableWalkTests {
  /// The commands of each walk: 12, unless `make monkey` asks for more.
  private static let steps =
    ProcessInfo.processInfo.environment["DATASTORE_MONKEY_KEYS"].flatMap { Int($0) }
    .map { max(12, $0 / 1000) } ?? 12

  // Promise: any command of a table is pressed in a derived table → its rows, columns and selection, what is
  // found and what is written are those of a model in memory.
  @Test(arguments: DerivedSample.allCases)
  func rowsAreThoseOfAModel(_ sample: DerivedSample) async throws {
    let seed = RandomCases.seed(DerivedSample.allCases.firstIndex(of: sample) ?? 0)
    print("derived tables: \(sample.rawValue), seed \(seed)")
    let browser = try await sample.open(Size(columns: 120, rows: 40))
    var walk = try DerivedTableWalk(browser, seed: seed)
    for step in 0..<Self.steps {
      try await walk.step()
      let different = walk.differences()
      #expect(
        different.isEmpty,
        "\(sample.rawValue), step \(step), seed \(seed): \(walk.done.joined(separator: " | "))")
      if !different.isEmpty { return }
    }
    #expect(Set(walk.done.map { $0.prefix { $0 != " " } }).count > 3)
    await browser.press("esc")
    #expect(browser.browser.levels.count == 1, "esc leaves it")
  }
}

/// One walk.
@MainActor
private struct DerivedTableWalk {
  private let browser: BrowserDriver
  private var model: TableModel
  private var random: SeededRandom
  private let folder: TemporaryDirectory
  private(set) var done: [String] = []

  init(_ browser: BrowserDriver, seed: UInt64) throws {
    self.browser = browser
    random = SeededRandom(seed: seed)
    folder = try TemporaryDirectory()
    let store = try #require(browser.browser.level.above as? DerivedStore)
    let entity = try #require(store.datastore.schema.entities.first)
    model = try TableModel(of: #require(store.datastore.url), table: entity.name)
    model.hidden = Set(model.columns).subtracting(browser.columnNames)
    let query = browser.browser.state.table?.query
    try #require(query?.order == [] && query?.filter == nil)
  }

  private var table: TableState? { browser.browser.state.table }

  private mutating func pick<Element>(_ items: [Element]) -> Element? {
    items.isEmpty ? nil : items[random.below(items.count)]
  }

  /// The number of the row under the cursor.
  private var row: Int? { table?.currentKey.map { Int($0.rawValue) } }

  /// Does something, and the same with the model.
  mutating func step() async throws {
    await browser.press("home")
    for _ in 0..<random.below(8) { await browser.press("down") }
    guard let column = pick(model.shownColumns) else { return }
    await browser.go(to: column)
    switch random.below(12) {
    case 0, 1: await sort(column)
    case 2: await sortFurther(column)
    case 3: await filter(column)
    case 4: await clearFilter()
    case 5: await hide(column)
    case 6: await showAll()
    case 7: await group(column)
    case 8, 9: await select()
    case 10: await resize()
    default: if random.below(2) == 0 { await search(column) } else { try await export() }
    }
  }

  // MARK: - Commands

  private mutating func sort(_ column: String) async {
    done.append("sort \(column)")
    await browser.press("s")
    let present = model.order.first
    model.order =
      present?.column != column
      ? [.init(column: column, ascending: true)]
      : present?.ascending == true ? [.init(column: column, ascending: false)] : []
  }

  private mutating func sortFurther(_ column: String) async {
    done.append("sort-further \(column)")
    await browser.press("S")
    guard let place = model.order.firstIndex(where: { $0.column == column }) else {
      return model.order.append(.init(column: column, ascending: true))
    }
    if model.order[place].ascending {
      model.order[place].ascending = false
    } else {
      model.order.remove(at: place)
    }
  }

  private mutating func filter(_ column: String) async {
    guard let row else { return }
    let isExcluded = random.below(2) == 0
    done.append("filter \(column) of \(row)\(isExcluded ? ", excluded" : "")")
    let value = model.value(column, of: row)
    await browser.press(isExcluded ? "F" : "f")
    let isThere = model.conditions.contains {
      $0.column == column && $0.value == value && $0.isExcluded == isExcluded
    }
    if !isThere { model.conditions.append((column, value, isExcluded)) }
  }

  private mutating func clearFilter() async {
    done.append("clear-filter")
    await browser.press("x")
    model.conditions = []
  }

  private mutating func hide(_ column: String) async {
    done.append("hide \(column)")
    await browser.press("-")
    if model.shownColumns.count > 1 { model.hidden.insert(column) }
  }

  private mutating func showAll() async {
    done.append("show-all")
    await browser.press(":")
    await browser.type("show-all-columns")
    await browser.press("enter")
    model.hidden = []
  }

  private mutating func group(_ column: String) async {
    // For dates, a question asks how to group them.
    guard table?.currentColumn?.hasDateParts == false else { return }
    done.append("group \(column)")
    await browser.press("gb")
    model.group = model.group == column ? nil : column
  }

  private mutating func select() async {
    guard let row else { return }
    done.append("select \(row)")
    await browser.press("space")
    if model.selected.remove(row) == nil { model.selected.insert(row) }
  }

  private mutating func resize() async {
    guard let key = pick(["{", "}", "_", "!"]) else { return }
    done.append("width \(key)")
    await browser.press(key)
  }

  /// Searches for a text of the column; the cursor goes from its place to the first row that shows it.
  private mutating func search(_ column: String) async {
    let texts = model.shown.compactMap { row -> String? in
      guard case .string(let text) = model.value(column, of: row).storage else { return nil }
      return text.count > 2 && text.allSatisfy { $0.isASCII && $0.isLetter } ? text : nil
    }
    guard let text = pick(texts), let start = row else { return }
    done.append("search \(text)")
    await browser.press("/")
    await browser.type(text)
    await browser.press("enter")
    let shown = model.shown
    let from = shown.firstIndex(of: start) ?? 0
    let found = (shown[from...] + shown[..<from]).first { row in
      model.shownColumns.contains { column in
        guard case .string(let cell) = model.value(column, of: row).storage else { return false }
        // Typed capitals count.
        return text == text.lowercased() ? cell.lowercased().contains(text) : cell.contains(text)
      }
    }
    #expect(row == found, "\(text) is found from \(start) on")
  }

  /// Exports the shown rows, or the selected ones, and compares the columns of texts.
  private mutating func export() async throws {
    let path = folder.path("rows-\(done.count).csv")
    done.append("export")
    await browser.press(":")
    await browser.type("export \(path)")
    await browser.press("enter")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let records = Self.records(text)
    #expect(records.first == model.shownColumns)
    let shown = model.shown
    let others = model.selected.subtracting(shown).sorted()
    let rows = model.selected.isEmpty ? shown : shown.filter(model.selected.contains) + others
    #expect(records.count == rows.count + 1)
    for (record, row) in zip(records.dropFirst(), rows) {
      for (field, column) in zip(record, model.shownColumns) {
        switch model.value(column, of: row).storage {
        case .string(let text): #expect(field == text)
        case .null: #expect(field.isEmpty)
        default: #expect(!field.isEmpty)
        }
      }
    }
  }

  /// The fields of a CSV file.
  private static func records(_ text: String) -> [[String]] {
    var records: [[String]] = [[""]]
    var isQuoted = false
    for scalar in text.unicodeScalars where scalar != "\r" {
      let last = records.count - 1
      switch scalar {
      case "\"":
        isQuoted.toggle()
        // Two of them are one that is meant.
        if isQuoted, records[last][records[last].count - 1].hasSuffix("\u{0}") {
          records[last][records[last].count - 1].removeLast()
          records[last][records[last].count - 1] += "\""
        } else if !isQuoted {
          records[last][records[last].count - 1] += "\u{0}"
        }
      case "," where !isQuoted: records[last].append("")
      case "\n" where !isQuoted: records.append([""])
      default: records[last][records[last].count - 1].unicodeScalars.append(scalar)
      }
    }
    if records.last == [""] { records.removeLast() }
    return records.map { $0.map { $0.filter { $0 != "\u{0}" } } }
  }

  // MARK: - Comparing

  /// The differences from the model.
  func differences() -> [String] {
    guard let table else { return ["there is no table"] }
    var different: [String] = []
    let rows = table.list.keys.map { Int($0.rawValue) }
    if rows != model.shown { different.append("rows \(rows), not \(model.shown)") }
    if browser.columnNames != model.shownColumns {
      different.append("columns \(browser.columnNames), not \(model.shownColumns)")
    }
    let selection = browser.browser.state.editing.selection
    let selected = rows.filter { selection.contains(RowKey(Int64($0)), in: table.query) }
    if selected != model.shown.filter(model.selected.contains) {
      different.append("selected \(selected), not \(model.selected.sorted())")
    }
    if table.isGrouped != (model.group != nil) { different.append("grouped otherwise") }
    let sections = table.list.sections.map(\.count)
    if model.group != nil, sections.reduce(0, +) != rows.count {
      different.append("sections have \(sections) rows")
    }
    if browser.browser.levels.count != 2 || browser.hasOverlay {
      different.append("something else is shown")
    }
    return different
  }
}
