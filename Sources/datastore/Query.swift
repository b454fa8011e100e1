import ArgumentParser
import Basics
import DatastoreCore
import DatastoreExport
import DatastoreImport
import Foundation
import Gates

/// `datastore query`: rows of a file, for scripts and for people.
struct Query: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write rows of a file as a table, CSV, JSON and more.",
    discussion: """
      Without an entity, lists the entities (tables and views) with their numbers of rows. The file is \
      only read, and rows are written while it is read.

      CSV, TSV, JSON and JSON Lines files, compressed (.gz, .xz, .zst, .bz2) or not, pipes, and - for \
      standard input are queried like stores, and so are archives (.zip, a table for each member), Excel (.xlsx, a \
      table for each sheet) and Parquet, which python3 reads: their rows are those of the table with the file's name (input, where it has \
      none), which is asked when no entity is named. Lists in JSON have the columns column_1 and so on, \
      other values the column value, and the members of an object of objects their names in the column \
      key. --with adds the tables of further files. Every record \
      is shown. Irregular ones (quotes where CSV has none, bytes that are not UTF-8, more or \
      fewer fields than the header) are read as well as possible, reported with their lines, and marked in \
      the column “irregular”; the exit code says so. With --limit, and without an order, groups or sums, \
      reading ends when there are enough rows; columns and types are then those of the part that was read.

        datastore query sales.csv --group-by region --columns 'region, sum(amount)'
        curl … | datastore query - --with customers.csv \\
          --sql 'SELECT name, total FROM input JOIN customers ON customers.id = input.customer'

      postgresql://user@host/database and service=name are databases in a PostgreSQL server, \
      ssh://user@host/path is a SQLite file on another machine, and --via says another way to one.

      Columns are paths (name, company.name), numbers and sums of related objects (tasks.@count, \
      tasks.@sum.estimate), calculations (salary * 12), * for all, and functions over groups: count, \
      count(x), sum(x), avg(x), min(x), max(x). AS names a column: avg(salary) AS mean. A \
      relationship to one object is shown as the key that is stored; in a store of SwiftDatastore, where this is \
      the number of a row, as the unique attribute of the object, if there is one, under the path to it \
      (country.code), which datastore load reads.

      Conditions are predicates in the NSPredicate format language.

        datastore query people.sqlite employee --where 'age > 30 AND name BEGINSWITH[cd] "t"'
        datastore query people.sqlite employee --group-by department.name \\
          --columns 'department.name, count, avg(salary)' --having 'count > 10' \\
          --order-by 'avg(salary) desc' --format json

      SEARCH looks for words in a text, in an index of words (FTS5) where there is one. @rank sorts the \
      best matches of such an index first: texts that have the words more often, are shorter, and have the \
      rarer words.

        datastore query notes.sqlite note --where 'text SEARCH "apple pie*"' --order-by @rank --limit 20

      Formats:
        table     aligned text. Widths are those of the first 200 rows; wider values push their row \
      out. Texts longer than 120 cells are cut. Control characters are shown as marks.
        csv, tsv  as in RFC 4180. NULL is nothing, empty text is "". Bytes are Base64.
        json      an array of objects; jsonl: one object a line. Bytes are Base64.
        markdown  a table of GitHub Flavored Markdown.
        sql       INSERT statements that store exactly the same values.

      Values of a CSV or JSON file are written to CSV, TSV and JSON as their text in the file: types decide \
      how they are compared, sorted and computed with. --typed writes the values instead \
      (1.50 as 1.5, 11/9/1995 as 1995-11-09).

      Dates are written as dates in UTC, even where another program stores them as numbers (datastore \
      schema shows which and how); --stored-dates and sql write what is stored. Conditions compare them \
      with dates (created >= 2024-01-31), and groups may be parts of them: --group-by created.@month. \
      payload.user.tags[0] is a place in the JSON of a column.
      """)

  @Argument(
    help: """
      The file: a SQLite file, CSV, TSV, JSON, a pipe, or - for standard input; or a database in a \
      server, postgresql://user@host/database.
      """, completion: .file())
  var file: String

  @Argument(help: "The entity: a table or view.", completion: .entities)
  var entity: String?

  @Option(help: "The columns, separated by commas.", completion: .columns)
  var columns: String?

  @Option(
    name: .customLong("where"),
    help: "Only objects that match a predicate: 'age >= 30 AND name BEGINSWITH[cd] \"T\"'.",
    completion: .columns)
  var predicate: String?

  @Option(
    help: "One row for all objects that share these values: 'department.name'.",
    completion: .columns)
  var groupBy: String?

  @Option(help: "Only groups that match a predicate: 'count > 10 AND avg(salary) >= 3000'.")
  var having: String?

  @Option(
    help: "The order of the rows: 'surname, age desc', 'tasks.@count desc' or @rank.",
    completion: .columns)
  var orderBy: String?

  @Option(help: "The greatest number of rows to write.")
  var limit: Int?

  @Option(help: "The number of rows to skip at the start.")
  var offset = 0

  @Option(help: "One statement of SQL that reads, instead of an entity.")
  var sql: String?

  @Flag(help: "Print the SQL of the query instead of the rows.")
  var showSql = false

  @OptionGroup var place: PlaceArguments

  @OptionGroup var ofCoreData: CoreDataModelArgument

  @OptionGroup var writing: WritingArguments

  @OptionGroup(title: "Reading CSV and JSON") var input: InputArguments

  func validate() throws {
    if sql != nil, entity != nil || asksForRows {
      throw ValidationError("Give --sql, or an entity with its options, not both.")
    }
    if sql == nil, entity == nil, asksForRows, !BrowsedRows.reads(file, input.reading, place) {
      throw ValidationError("Name an entity: datastore query FILE ENTITY …")
    }
    if let limit, limit < 0 { throw ValidationError("--limit counts rows; it cannot be negative.") }
    if offset < 0 { throw ValidationError("--offset counts rows; it cannot be negative.") }
  }

  func run() async throws {
    var status = ExitStatus.success
    try await BrowsedRows.withStore(
      of: file, input, in: place, for: sql == nil ? .rows : .statement, entity: entity,
      portion: portion
    ) { store, rows in
      try run(on: store, subject(among: rows), of: rows)
      status = rows?.status ?? .success
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// Whether an option selects or orders the rows of one entity.
  private var asksForRows: Bool {
    [columns, predicate, groupBy, having, orderBy].contains { $0 != nil } || limit != nil
      || offset > 0
  }

  /// The entity to query; nil to list all entities.
  private func subject(among rows: BrowsedRows?) throws -> String? {
    if entity != nil || sql != nil { return entity }
    guard let rows, ConvertedFormat(of: file) != nil, rows.sources.count > 1 else {
      return rows?.entity
    }
    if asksForRows {
      throw Failure(
        .usage,
        "\(file) has several tables; name one of them: datastore query \(file) "
          + "\(rows.entity) …")
    }
    return nil
  }

  /// The part of a file of rows to read first; nil if all rows count.
  private var portion: BrowsedRows.Portion? {
    guard let limit, sql == nil, groupBy == nil, having == nil, orderBy == nil, !showSql else {
      return nil
    }
    let (count, overflow) = limit.addingReportingOverflow(offset)
    if overflow { return nil }
    // A condition excludes some of them.
    return BrowsedRows.Portion(count: predicate == nil ? count : max(count, 10_000)) {
      store, rows in
      try isComplete(limit, in: store, of: entity ?? rows.entity)
    }
  }

  /// Whether the first rows of a file suffice for the answer.
  private func isComplete(_ limit: Int, in store: String, of name: String) throws -> Bool {
    var count = 0
    try OpenedFile.read(StoreAddress(store)) { store in
      let query = try query(OpenedFile.entity(named: name, in: store.schema), in: store.schema)
      // Aggregates without groups need all rows.
      if query.grouping != nil { return }
      try store.readTransaction {
        try $0.answer(
          query, includingGenerated: true, begin: { _ in }, row: { _, _ in count += 1 })
      }
      if limit == 0 { count = .max }
    }
    return count >= max(limit, 1)
  }

  private func run(on file: String, _ entity: String?, of rows: BrowsedRows?) throws {
    try OpenedFile.read(
      place.address(of: file), model: ofCoreData.read(), showsJoinTables: true, of: rows
    ) { store in
      if let sentence = SchemaDifferences.sentence(store.schemaDifferences) {
        Message.write(sentence)
      }
      for note in store.modelNotes { Message.write(note) }
      try writing.write { target in
        target.output.confirm = rows?.confirm
        if let sql {
          let hidden = rows == nil ? HiddenKeys() : HiddenKeys(of: sql, in: store)
          try answer(target, table: "result", hidden) { begin, row in
            try store.readTransaction { try $0.answer(sql: sql, begin: begin, row: row) }
          }
        } else if let name = entity {
          let entity = try OpenedFile.entity(named: name, in: store.schema)
          var query = try query(entity, in: store.schema)
          for sentence in query.advice { Message.write(sentence) }
          var hidden = HiddenKeys()
          if rows != nil {
            // A statement that inserts a row needs a column.
            if target.format != .sql { hidden = HiddenKeys(of: query, entity, in: store) }
            hideKeys(in: &query, of: entity, store.schema)
          } else if target.format != .sql {
            query.identifyObjects(of: entity, in: store)
          }
          if showSql {
            let sql = try store.readTransaction { try $0.sql(of: query) }
            // Names may contain characters that a terminal would obey.
            target.output.write((target.options.isForTerminal ? sql.markingHarmful() : sql) + "\n")
            return
          }
          var texts: SourceTexts?
          if target.format.keepsTexts, !writing.storedDates {
            texts = try rows?.texts(
              of: entity, for: &query, in: store.schema, areTyped: writing.typed)
          }
          let table = store.information(about: entity).table
          try answer(target, table: table, hidden, texts) { begin, row in
            try store.readTransaction {
              try $0.answer(
                query, includingGenerated: target.format != .sql || query.grouping != nil,
                begin: begin, row: row)
            }
          }
        } else {
          try EntityOverview(store).write(to: target)
        }
      }
    }
  }

  /// Selects all columns but the key, which only the queried copy has, not the file.
  private func hideKeys(in query: inout ValueQuery, of entity: Entity, _ schema: Schema) {
    if query.grouping != nil { return }
    let attributes = entity.properties.compactMap(\.attribute).map(\.name)
    let all = attributes.map { name in
      var column = QueryColumn(.value(.keyPath([name])), from: entity, in: schema)
      column.name = name
      return column
    }
    if all.isEmpty { return }
    query.columns =
      query.columns.isEmpty
      ? all : query.columns.flatMap { $0.term == .everything ? all : [$0] }
  }

  private func query(_ entity: Entity, in schema: Schema) throws -> ValueQuery {
    var text = ValueQueryText()
    text.columns = columns
    text.predicate = predicate
    text.groupBy = groupBy
    text.having = having
    text.order = orderBy
    var query = try ValueQuery(text, entity: entity, in: schema)
    query.limit = limit
    query.offset = offset
    return query
  }

  private func answer(
    _ target: WritingTarget, table: String, _ hidden: HiddenKeys, _ texts: SourceTexts? = nil,
    _ ask: (([AnswerColumn]) throws -> Void, (RowPage, Int) throws -> Void) throws -> Void
  ) throws {
    var hidden = hidden
    var texts = texts
    var writer: (any RowWriter)?
    try ask(
      { columns in
        let shown = hidden.begin(columns.dropLast(texts == nil ? 0 : 1))
        if target.format == .sql { try Self.requireDifferentNames(shown) }
        writer = target.makeWriter(
          shown.map {
            ExportColumn(
              name: target.format == .sql ? $0.storedName ?? $0.name : $0.name, type: $0.type,
              dates: $0.dates)
          }, table: table)
        try writer?.begin()
      },
      { page, row in
        // The key of the row follows the columns to write.
        let key = texts == nil ? nil : page.value(row: row, column: page.columnCount - 1).key
        try writer?.write(
          hidden.part(of: page), row: row,
          key.flatMap { try texts?.texts(of: $0, page, row: row) })
      })
    try writer?.end()
  }

  /// - Throws: `Failure` for columns of one name, which no table has.
  private static func requireDifferentNames(_ columns: [AnswerColumn]) throws {
    // A table in a server may have columns whose names differ only in their case.
    let areStored = columns.allSatisfy { $0.storedName != nil }
    var names: Set<String> = []
    for name in columns.map({ $0.storedName ?? $0.name })
    where !names.insert(areStored ? name.exactKey : name.caselessKey).inserted {
      throw Failure(
        .usage,
        "INSERT statements need columns of different names, and two are called “\(name.shownInMessage)”; "
          + "leave one out, or give it another name with AS.")
    }
  }
}
