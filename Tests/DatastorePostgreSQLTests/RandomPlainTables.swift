#if PostgreSQL
import DatastoreTestSupport

/// Tables of a file of another program, with rows, names and declarations of all kinds.
struct RandomPlainTables {
  private(set) var script = "PRAGMA foreign_keys = OFF; BEGIN;\n"
  /// The queries of a file for the sqlite3 program.
  private(set) var questions: [String] = []
  private(set) var rowCount = 0
  private var random: SeededRandom

  private enum Key: CaseIterable { case none, rowid, counted, text, pair }

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    let count = 1 + random.below(5)
    let tables = names(count)
    let keys = (0..<count).map { _ in Key.allCases[random.below(Key.allCases.count)] }
    let rows = (0..<count).map { _ in random.below(4) == 0 ? 0 : random.below(40) }
    for table in 0..<count { add(table, tables, keys, rows) }
    script += "COMMIT;"
    rowCount = rows.reduce(0, +)
  }

  /// Different ones, in whatever case of letters.
  private mutating func names(_ count: Int) -> [String] {
    var names: [String] = []
    while names.count < count {
      let name = HostileText.draw(most: 40, hasControls: false, using: &random)
      let isFree = !names.contains { $0.lowercased() == name.lowercased() }
      if !name.isEmpty, isFree { names.append(name) }
    }
    return names
  }

  private mutating func add(_ table: Int, _ tables: [String], _ keys: [Key], _ rows: [Int]) {
    let types = ["INTEGER", "REAL", "TEXT", "BLOB", "BOOLEAN", "VARCHAR(9)", "INT"]
    let columns = names(2 + random.below(6))
    var chosen = columns.map { _ in types[random.below(types.count)] }
    var lines: [String] = []
    var targets: [Int: Int] = [:]
    var required: Set<Int> = []
    switch keys[table] {
    case .none: break
    case .rowid, .counted: chosen[0] = "INTEGER"
    case .text: chosen[0] = "TEXT"
    case .pair: (chosen[0], chosen[1]) = ("INTEGER", "TEXT")
    }
    for column in columns.indices.dropFirst(keys[table] == .pair ? 2 : 1) {
      let target = random.below(tables.count)
      if random.below(3) == 0, keys[target] == .rowid || keys[target] == .counted {
        targets[column] = target
        chosen[column] = "INTEGER"
      } else if random.below(4) == 0 {
        required.insert(column)
      }
    }
    for (place, column) in columns.enumerated() {
      var line = "\(quoted(column)) \(chosen[place])"
      if place == 0 {
        switch keys[table] {
        case .none, .pair: break
        case .rowid: line += " PRIMARY KEY"
        case .counted: line += " PRIMARY KEY AUTOINCREMENT"
        case .text: line += " NOT NULL PRIMARY KEY"
        }
      }
      if required.contains(place) { line += " NOT NULL" }
      if let target = targets[place] {
        let rules = ["", " ON DELETE CASCADE", " ON DELETE SET NULL ON UPDATE CASCADE"]
        let rule = rules[random.below(rules.count)]
        line += " REFERENCES \(quoted(tables[target]))\(rule)"
      }
      lines.append(line)
    }
    if keys[table] == .pair {
      lines.append("PRIMARY KEY (\(quoted(columns[0])), \(quoted(columns[1])))")
    }
    let options = keys[table] == .pair && random.below(2) == 0 ? " WITHOUT ROWID" : ""
    let name = quoted(tables[table])
    script += "CREATE TABLE \(name) (\(lines.joined(separator: ", ")))\(options);\n"
    if random.below(2) == 0 {
      script += "CREATE INDEX \"index \(table)\" ON \(name) (\(quoted(columns[1])));\n"
    }
    for row in 0..<rows[table] {
      let values = columns.indices.map { place -> String in
        if let target = targets[place] {
          let isNull = rows[target] == 0 || random.below(4) == 0
          return isNull ? "NULL" : "\(random.below(rows[target]))"
        }
        if place == 0, keys[table] == .text { return "'key \(row)'" }
        if place == 0, keys[table] != .none { return "\(row)" }
        if place == 1, keys[table] == .pair { return "'\(row)'" }
        return value(chosen[place], isRequired: required.contains(place))
      }
      script += "INSERT INTO \(name) VALUES (\(values.joined(separator: ", ")));\n"
    }
    ask(about: tables[table], columns)
  }

  private mutating func ask(about table: String, _ columns: [String]) {
    let list = columns.map { "quote(\(quoted($0)))" }.joined(separator: ", ")
    let order = columns.indices.map { "\($0 + 1)" }.joined(separator: ", ")
    let text = literal(table)
    questions += [
      "SELECT \(list) FROM \(quoted(table)) ORDER BY \(order);",
      "SELECT name, \"notnull\" OR pk, pk FROM pragma_table_info(\(text)) ORDER BY cid;",
      "SELECT \"table\", \"from\", on_delete, on_update FROM pragma_foreign_key_list(\(text)) ORDER BY 1, 2, 3;",
      """
      SELECT (SELECT group_concat(name, '|') FROM pragma_index_info(list.name)) FROM pragma_index_list(\(text)) AS list
      WHERE origin = 'c' ORDER BY 1;
      """,
    ]
  }

  private mutating func value(_ type: String, isRequired: Bool) -> String {
    if !isRequired, random.below(5) == 0 { return "NULL" }
    switch type {
    case "INTEGER", "INT":
      let least = "(-9223372036854775807 - 1)"
      let numbers = ["0", "-1", "9223372036854775807", least, "\(random.below(1000))"]
      return numbers[random.below(numbers.count)]
    case "REAL":
      let some = "\(Double(random.below(1_000_000)) / 7)"
      let numbers = ["0.1", "-9e999", "9e999", "1e-300", some]
      return numbers[random.below(numbers.count)]
    case "BOOLEAN": return "\(random.below(2))"
    case "BLOB":
      let bytes = (0..<random.below(20)).map { _ in hexadecimal(random.below(256)) }
      return "x'\(bytes.joined())'"
    default: return literal(HostileText.draw(using: &random))
    }
  }

  private func hexadecimal(_ byte: Int) -> String {
    let text = String(byte, radix: 16)
    return text.count == 1 ? "0\(text)" : text
  }

  private func quoted(_ name: String) -> String { Self.doubled(name, "\"") }
  private func literal(_ text: String) -> String { Self.doubled(text, "'") }

  private static func doubled(_ text: String, _ quote: Unicode.Scalar) -> String {
    var result = String(Character(quote)).unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == quote { result.append(quote) }
      result.append(scalar)
    }
    result.append(quote)
    return String(result)
  }
}
#endif
