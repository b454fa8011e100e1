import DatastoreCore

/// Guesses which table a column refers to, by their names: `customer_id`, `customerId`, `customer` and
/// `CustomerRef` for a table `customer` or `customers`.
package struct RelationshipNames {
  /// By the words of a table's name, joined, and by its singular.
  private let tables: [String: [Int]]

  /// - Parameter tables: the tables that can be referred to.
  package init(_ tables: [some DescribedTable]) {
    var found: [String: [Int]] = [:]
    for (index, table) in tables.enumerated() where table.kind.isTable && table.key != .wholeRow {
      let name = DateNames.words(of: table.name).joined()
      for form in Set([name] + Self.singulars(of: name)) where form.utf8.count > 1 {
        found[form, default: []].append(index)
      }
    }
    self.tables = found
  }

  /// A table that a column may refer to, and the word of the column's name that indicates the referenced
  /// column.
  package struct Guess: Hashable {
    package let table: Int
    /// `id` of `customer_id`; empty if the column has the name of the table.
    package let key: String
  }

  /// Words after the name of a table in that of a column which refers to it.
  private static let endings: Set<String> = [
    "id", "ids", "ref", "fk", "key", "no", "nr", "number", "code", "uuid", "guid", "pk", "uid",
  ]

  /// The guesses for a column, the most specific first; `parent` refers to the column's own table.
  package func guesses(for column: String, in table: Int) -> [Guess] {
    var words = DateNames.words(of: column)
    if words.first == "fk" || words.first == "id", words.count > 1 { words.removeFirst() }
    var key = ""
    if let last = words.last, words.count > 1, Self.endings.contains(last) {
      key = last
      words.removeLast()
    } else if words.count == 1, let (stem, ending) = Self.split(words[0]) {
      // `customerid`, as in programs that ignore case.
      if tables[words[0]] == nil, tables[stem] != nil { (words, key) = ([stem], ending) }
    }
    var guesses: [Guess] = []
    if words == ["parent"], !key.isEmpty { guesses.append(Guess(table: table, key: key)) }
    // The last words name the table, those before them the role: `home_city_id`.
    for start in words.indices {
      let name = words[start...].joined()
      for found in tables[name] ?? [] where start == 0 || !key.isEmpty {
        guesses.append(Guess(table: found, key: key))
      }
    }
    return guesses
  }

  /// Columns that others seem to refer to by their names and that are not declared unique: each table with a
  /// column.
  package static func referencedColumns<Table: DescribedTable>(
    _ tables: [Table]
  ) -> [(table: Table, column: String)] {
    let names = RelationshipNames(tables)
    var seen: Set<[String]> = []
    var found: [(table: Table, column: String)] = []
    for (index, table) in tables.enumerated() {
      for column in table.columns {
        for guess in names.guesses(for: column.name, in: index) {
          let target = tables[guess.table]
          for key in [column.name, guess.key].compactMap(target.column)
          where target.name != table.name && seen.insert([target.name, key.name]).inserted
            && !target.isUnique([key.name])
          {
            found.append((target, key.name))
          }
        }
      }
    }
    return found
  }

  private static func split(_ word: String) -> (stem: String, ending: String)? {
    for ending in ["id", "ref", "fk", "key"] where word.hasSuffix(ending) {
      let stem = word.dropLast(ending.utf8.count)
      if stem.utf8.count > 2 { return (String(stem), ending) }
    }
    return nil
  }

  /// `customer` of `customers`, `city` of `cities`, `box` of `boxes`.
  static func singulars(of name: String) -> [String] {
    var forms: [String] = []
    if name.hasSuffix("ies") { forms.append(name.dropLast(3) + "y") }
    if name.hasSuffix("es") { forms.append(String(name.dropLast(2))) }
    if name.hasSuffix("s"), !name.hasSuffix("ss") { forms.append(String(name.dropLast())) }
    if name == "people" { forms.append("person") }
    if name == "children" { forms.append("child") }
    return forms
  }
}
