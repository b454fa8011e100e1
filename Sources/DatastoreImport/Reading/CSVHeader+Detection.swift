import Basics

extension CSVHeader {
  /// Whether the first of some records names the columns, with the reason.
  ///
  /// The cells above values that are not text decide: a word there is a name, and a value of the same kind as
  /// those below is data. If everything is text, names are words that are usual in column names, or are
  /// written differently from the cells below; a text that occurs again below is no name. If nothing decides,
  /// the record is data: the user sees and corrects a name among the data, but would not miss a record that
  /// was taken for names.
  ///
  /// - Parameter names: the columns of the table that the file fills; nil if they are not known.
  static func detect(
    in records: [[String]], _ reading: ValueReading, names known: Set<String>? = nil
  ) -> (isPresent: Bool, reason: String) {
    guard let first = records.first else { return (true, "the file has no records") }
    let keys = known.map { Set($0.map(\.caselessKey)) }
    if let keys, let name = first.first, Set(first).count == first.count,
      first.allSatisfy({ keys.contains($0.caselessKey) })
    {
      return (true, "“\(name.shownInMessage)” is a column of the table")
    }
    let columns = first.enumerated().map { index, cell in
      HeaderColumn(
        cell, over: records.dropFirst().compactMap { index < $0.count ? $0[index] : nil }, reading)
    }
    let names = columns.filter(\.isAboveOtherKind)
    let values = columns.filter(\.isAboveSameKind)
    if !values.isEmpty, values.count > names.count + columns.count(where: \.isUsualName) {
      return (false, "“\(values[0].shown)” is a value like those below it")
    }
    if let name = names.first {
      return (true, "“\(name.shown)” is above \(name.below?.pluralWord ?? "values")")
    }
    if let value = columns.first(where: \.isValue), records.count == 1 {
      return (false, "“\(value.shown)” is a value, not a name")
    }
    if let double = firstDouble(first) {
      return (false, "“\(double.shownInMessage)” is there twice, unlike column names")
    }
    if let value = columns.first(where: \.comesAgain) {
      return (false, "“\(value.shown)” occurs again below")
    }
    let usual = columns.filter(\.hasUsualWord)
    if let name = columns.first(where: \.isUsualName)
      ?? (usual.count * 2 > columns.count ? usual.first : nil)
    {
      return (true, "“\(name.shown)” is a common column name")
    }
    let gaps = columns.dropFirst().filter { $0.isEmpty && $0.hasValuesBelow }
    if gaps.isEmpty, let name = columns.first(where: \.isWrittenOtherwise) {
      return (true, "“\(name.shown)” is written differently from the values below it")
    }
    if records.count == 1, columns.allSatisfy({ !$0.isEmpty }) {
      return (true, "it is the only record, and all of it is words")
    }
    return (
      false, "nothing distinguishes the first record from the others, so it is data"
    )
  }

  private static func firstDouble(_ cells: [String]) -> String? {
    var seen: Set<String> = []
    return cells.first { !$0.isEmpty && !seen.insert($0.lowercased()).inserted }
  }
}

/// The first cell of a column compared with those below it.
private struct HeaderColumn {
  let cell: String
  /// The type of the cells below; nil if they do not determine one.
  let below: ColumnType?
  private let own: ColumnType?
  private let texts: [String]

  init(_ cell: String, over cells: [String], _ reading: ValueReading) {
    func type(_ cells: [String]) -> ColumnType? {
      ColumnTypeInference.type(of: cells.lazy.map(ImportValue.text), reading)
    }
    self.cell = cell
    texts = cells.filter { !$0.isEmpty }
    below = type(texts)
    own = reading.marks.contains(cell) ? nil : type([cell])
  }

  var shown: String { cell.shownInMessage }
  var isEmpty: Bool { cell.isEmpty }
  var hasValuesBelow: Bool { !texts.isEmpty }
  var isValue: Bool { own != nil && own != .string && !isYear }

  /// Years count as names, since tables have them as columns.
  private var isYear: Bool {
    own == .integer && Int(cell).map { (1800...2200).contains($0) } ?? false
  }

  /// Whether it is text, or of another kind, above values that are not text.
  var isAboveOtherKind: Bool {
    guard let own, let below, below != .string else { return false }
    return own != below && !(own == .integer && below == .double)
      && !(own == .day && below == .date)
  }

  /// Whether it is not text, above values of its kind.
  var isAboveSameKind: Bool {
    guard let own, let below, below != .string, own != .string, !isYear else { return false }
    return !isAboveOtherKind
  }

  var comesAgain: Bool { !cell.isEmpty && texts.contains(cell) }

  /// Whether one of its words is usual in column names.
  var hasUsualWord: Bool {
    own == .string && cell.utf8.count <= 40
      && Self.words(cell).contains(where: Self.usualWords.contains)
  }

  /// Whether all of its words are usual in column names.
  var isUsualName: Bool {
    hasUsualWord && Self.words(cell).allSatisfy(Self.usualWords.contains)
  }

  /// Whether all cells below are written alike, in length or in letters, and this one is not; or this one is
  /// written like a name in a program and none of those below is.
  var isWrittenOtherwise: Bool {
    guard own == .string, cell.utf8.count <= 40, texts.count > 1 else { return false }
    let lengths = Set(texts.map(\.count))
    if texts.count > 2, lengths.count == 1, lengths.first != cell.count { return true }
    let shapes = Set(texts.map(Self.shape))
    if shapes.count == 1, shapes.first != Self.shape(cell) { return true }
    return Self.isIdentifier(cell) && !texts.contains(where: Self.isIdentifier)
  }

  /// Lower-case letters, digits and underscores only.
  private static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, !Byte.isDigit(first) else { return false }
    return text.utf8.allSatisfy {
      Byte.isDigit($0) || $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= $0
    }
  }

  /// The kinds of characters in a text.
  private static func shape(_ text: String) -> Set<Int> {
    Set(
      text.unicodeScalars.map { scalar in
        let properties = scalar.properties
        if properties.isUppercase { return 0 }
        if properties.isLowercase { return 1 }
        if properties.numericType != nil { return 2 }
        return properties.isAlphabetic ? 3 : properties.isWhitespace ? 4 : 5
      })
  }

  private static func words(_ text: String) -> [String] {
    // camelCase has words, too.
    var spaced = ""
    for character in text {
      if character.isUppercase, spaced.last?.isLowercase ?? false { spaced.append(" ") }
      spaced.append(character)
    }
    return spaced.lowercased().split { !$0.isLetter }.map(String.init)
  }

  private static let usualWords: Set<String> = [
    "id", "uuid", "key", "code", "no", "nr", "number", "index", "name", "names", "title", "label",
    "type", "kind", "category", "class", "status", "state", "country", "city", "region", "address",
    "street", "zip", "postcode", "phone", "email", "mail", "url", "link", "date", "day", "month",
    "year", "time", "timestamp", "created", "updated", "price", "amount", "value", "values",
    "count",
    "total", "sum", "quantity", "size", "length", "width", "height", "weight", "area", "population",
    "age", "sex", "gender", "first", "last", "surname", "description", "comment", "comments",
    "note",
    "notes", "text", "author", "language", "currency", "unit", "source", "latitude", "longitude",
    "lat", "lon", "lng", "score", "rank", "rating", "company", "department", "user", "username",
    "column", "col", "field", "nom", "prénom", "ville", "pays", "datum", "ort", "land", "vorname",
    "nachname", "straße", "plz", "preis", "anzahl", "betrag", "titel", "nombre", "fecha", "ciudad",
    "precio", "data", "nome", "città", "prezzo", "bezeichnung",
  ]
}

extension ColumnType {
  /// The plural name of its values.
  var pluralWord: String {
    switch self {
    case .string: "texts"
    case .integer, .double, .decimal: "numbers"
    case .boolean: "booleans"
    case .date, .day: "dates"
    case .data: "bytes"
    case .uuid: "UUIDs"
    case .url: "URLs"
    }
  }
}
