/// Tables whose foreign keys have several columns, with rows as files and as statements: loading the files
/// gives the same rows as running the statements.
///
/// `tenants` ← `campaigns` ← `ads` ← `comments`. Keys share columns with primary keys and with each other.
package struct CompositeKeyTables {
  package struct File {
    package let entity: String
    package let csv: String
  }

  private struct Table {
    let name: String
    let columns: [String]
    let rows: [[String?]]

    var file: File {
      let lines = [columns] + rows.map { row in row.map { $0.map(Self.field) ?? "" } }
      return File(
        entity: name, csv: lines.map { $0.joined(separator: ",") }.joined(separator: "\n") + "\n")
    }

    private static func field(_ text: String) -> String {
      text.contains(",") ? "\"\(text)\"" : text
    }

    var inserts: String {
      rows.map { row in
        let values = row.map { value in
          value.map {
            "'\($0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
          }
            ?? "NULL"
        }
        return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES "
          + "(\(values.joined(separator: ", ")));\n"
      }.joined()
    }
  }

  /// Makes the tables, without rows.
  package let declarations: String
  private let tables: [Table]
  /// How many of the tables have their rows before the load.
  private let preparedCount: Int
  private let order: [Int]

  /// The rows of the tables that are there before the load.
  package var prepared: String { tables.prefix(preparedCount).map(\.inserts).joined() }
  /// All rows, as statements.
  package var inserts: String { tables.map(\.inserts).joined() }
  /// The rows that are loaded, in an order in which references lead forwards, too.
  package var files: [File] { order.map { tables[$0].file } }
  /// Asks for all rows.
  package var contents: String {
    tables.map { table in
      let columns = table.columns.sorted().joined(separator: ", ")
      return "SELECT '\(table.name)', \(columns) FROM \(table.name) ORDER BY \(columns);"
    }.joined(separator: "\n")
  }

  /// The form in which an ad refers to its campaign.
  private enum Shape: CaseIterable {
    /// All columns or none.
    case optional
    /// All columns, which are a part of the primary key.
    case keyed
    /// A tenant always, a campaign sometimes.
    case mixed
    /// The tenant is a foreign key of its own.
    case shared
  }

  package init(seed: UInt64, isServer: Bool) {
    var random = SeededRandom(seed: seed)
    let integer = isServer ? "int" : "INTEGER"
    let types = [
      Bool.random(using: &random) ? integer : "TEXT",
      Bool.random(using: &random) ? integer : "TEXT",
    ]
    func text(_ number: Int, _ type: String) -> String {
      type == "TEXT" ? ["a", "it's", "x, y", "Zoë", "b c"][number % 5] : String(number + 1)
    }
    let shape = Shape.allCases.randomElement(using: &random) ?? .optional
    let refersToTenants = shape == .shared || Bool.random(using: &random)
    let hasRegion = Bool.random(using: &random)
    let tenant = ["tenant", "tenant_id", "code"].randomElement(using: &random) ?? "tenant"
    let keys = [tenant, "number"] + (hasRegion ? ["region"] : [])
    let own =
      ["tenant_id", Bool.random(using: &random) ? "campaign_id" : "campaigns"]
      + (hasRegion ? ["area"] : [])
    let keyTypes = types + (hasRegion ? ["TEXT"] : [])
    let isKey = Bool.random(using: &random)
    let keyOrder = keys.indices.shuffled(using: &random)
    func withoutRowids() -> String {
      !isServer && Bool.random(using: &random) ? " WITHOUT ROWID" : ""
    }
    func declare(_ names: [String], _ isNotNull: (Int) -> Bool) -> String {
      names.indices.map { "\(names[$0]) \(keyTypes[$0])\(isNotNull($0) ? " NOT NULL" : "")" }
        .joined(separator: ", ")
    }
    func list(_ names: [String], _ order: [Int]) -> String {
      order.map { names[$0] }.joined(separator: ", ")
    }
    var sql = "CREATE TABLE tenants (code \(types[0]) PRIMARY KEY, title TEXT);\n"
    let foreign = refersToTenants ? ", FOREIGN KEY (\(tenant)) REFERENCES tenants (code)" : ""
    sql += "CREATE TABLE campaigns (\(declare(keys) { _ in true }), title TEXT, "
    sql +=
      isKey
      ? "PRIMARY KEY (\(list(keys, keyOrder)))\(foreign))\(withoutRowids());\n"
      : "id \(integer) PRIMARY KEY, UNIQUE (\(list(keys, keyOrder)))\(foreign));\n"
    // Without their names, the columns are those of the primary key in its order.
    let isNamed = !isKey || Bool.random(using: &random)
    let order = isNamed ? keys.indices.shuffled(using: &random) : keyOrder
    let reference =
      "FOREIGN KEY (\(list(own, order))) REFERENCES campaigns"
      + (isNamed ? " (\(list(keys, order)))" : "")
    let line = shape == .keyed ? "line" : "id"
    sql += "CREATE TABLE ads ("
    switch shape {
    case .keyed:
      sql +=
        "\(declare(own) { _ in true }), line \(integer) NOT NULL, PRIMARY KEY (\(list(own, Array(own.indices))), line), "
    case .optional: sql += "id \(integer) PRIMARY KEY, \(declare(own) { _ in false }), "
    case .mixed: sql += "id \(integer) PRIMARY KEY, \(declare(own) { $0 == 0 }), "
    case .shared:
      sql +=
        "id \(integer) PRIMARY KEY, \(declare(own) { _ in false }), FOREIGN KEY (tenant_id) REFERENCES tenants (code), "
    }
    sql += "\(reference))\(shape == .keyed ? withoutRowids() : "");\n"
    if shape == .keyed {
      sql += """
        CREATE TABLE comments (id \(integer) PRIMARY KEY, \(declare(own) { _ in false }), line \(integer),
          FOREIGN KEY (\(list(own, Array(own.indices))), line) REFERENCES ads);

        """
    }
    declarations = sql

    let tenants = (0..<3).map { text($0, types[0]) }
    var combinations: [[String]] = []
    for tenant in tenants {
      for number in 0..<4 {
        for region in hasRegion ? ["n", "s"] : [""] {
          combinations.append([tenant, text(number, types[1])] + (hasRegion ? [region] : []))
        }
      }
    }
    let campaigns = Array(combinations.shuffled(using: &random).prefix(9))
    var tables = [
      Table(name: "tenants", columns: ["code", "title"], rows: tenants.map { [$0, "t"] })
    ]
    tables.append(
      Table(
        name: "campaigns", columns: keys + ["title"] + (isKey ? [] : ["id"]),
        rows: campaigns.enumerated().map {
          $1.map { $0 } + ["c\($0)"] + (isKey ? [] : [String(50 + $0)])
        }))
    let ads: [[String?]] = (0..<14).map { index in
      var values: [String?] = campaigns[random.below(campaigns.count)]
      if shape != .keyed, random.below(4) == 0 {
        let kept = shape == .optional ? 0 : 1
        values = values.indices.map { $0 < kept ? values[$0] : nil }
      }
      return values + [String(index + 1)]
    }
    tables.append(Table(name: "ads", columns: own + [line], rows: ads))
    if shape == .keyed {
      tables.append(
        Table(
          name: "comments", columns: own + ["line", "id"],
          rows: (0..<10).map { index in
            let ad: [String?] =
              random.below(4) == 0 ? own.map { _ in nil } + [nil] : ads[random.below(ads.count)]
            return ad + [String(index + 1)]
          }))
    }
    self.tables = tables
    let preparedCount = random.below(3)
    self.preparedCount = preparedCount
    self.order = (preparedCount..<tables.count).shuffled(using: &random)
  }

  /// A manifest for the files, which are called by their tables.
  package var manifest: String {
    "files:\n" + files.map { "  - { file: \($0.entity).csv, entity: \($0.entity) }\n" }.joined()
  }
}
