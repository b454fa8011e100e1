import Testing

@testable import DatastoreImport

@Suite("Manifests")
struct ImportManifestTests {
  private func faults(_ yaml: String) -> [String] {
    do {
      _ = try ImportManifest(yaml: yaml, path: "m.yaml")
      return []
    } catch ImportError.invalidManifest(_, let faults) {
      return faults.map { "\($0)" }
    } catch {
      return ["\(error)"]
    }
  }

  @Test("Everything that can be said")
  func everything() throws {
    let manifest = try ImportManifest(
      yaml: """
        files:
          - file: a/b.txt
            entity: Book
            key: isbn
            format: csv
            delimiter: "\\t"
            missing: ["", NO]
            columns:
              pages: { type: integer, attribute: pageCount }
              author: { refers-to: Author, inverse: books, position: rank }
              junk: { ignore: true }
              note: {}
          - file: authors.json
            entity: Author
            key: id
            columns:
              friends: { refers-to: Author, many: true }
          - file: links.csv
            links:
              entity: Book
              from: book
              relationship: editors
              destination: Author
              to: author
              inverse: edited
        """, path: "m.yaml")
    let book = try #require(manifest.files.first)
    #expect(book.path == "a/b.txt")
    #expect(book.readingOptions.format == .csv)
    #expect(book.readingOptions.csv.delimiter == UInt8(ascii: "\t"))
    #expect(book.position == SourcePosition(file: "m.yaml", line: 2, column: 5))
    #expect(book.readingOptions.csv.missing == ["", "NO"])
    #expect(
      book.content
        == .entity(
          .init(
            entity: "Book", key: "isbn",
            columns: [
              .init(name: "pages", property: "pageCount", role: .attribute(.integer)),
              .init(
                name: "author", property: "author",
                role: .reference(
                  .init(
                    destination: "Author", isToMany: false, inverse: "books",
                    positionColumn: "rank"))),
              .init(name: "junk", property: "junk", role: .ignored),
              .init(name: "note", property: "note", role: .attribute(nil)),
            ])))
    #expect(
      manifest.files.last?.content
        == .links(
          .init(
            entity: "Book", from: "book", relationship: "editors", destination: "Author",
            to: "author", inverse: "edited")))
  }

  @Test("All faults of form are told at once, with their places")
  func form() {
    let yaml = """
      files:
        - file: /etc/passwd
          entity: A
          kye: id
        - entity: B
          key: id
          columns:
            x: { type: number, refers-to: B }
            y: { inverse: z }
            w: { ignore: maybe }
            v: { ignore: true, type: string }
            u: { refers-to: B, many: true, position: p }
            t: [1]
        - file: c.json
          links: { entity: A, form: b }
          key: id
          delimiter: "^"
          format: xml
        - file: d.json
          format: json
          missing: [""]
      version: 1
      """
    let known =
      "file, entity, key, columns, links, format, encoding, delimiter, header, decimal, missing, "
      + "dates, path, flatten"
    #expect(
      faults(yaml) == [
        "line 2, column 11 (files[0].file): the file must lie in the manifest's folder",
        "line 4, column 5 (files[0]): unknown key 'kye'; the known keys are \(known)",
        "line 5, column 5 (files[1]): the key 'file' is missing",
        "line 8, column 18 (files[1].columns.x.type): expected one of string, integer, double, "
          + "decimal, boolean, date, day, data, uuid, url, but found 'number'",
        "line 8, column 18 (files[1].columns.x.type): 'type' cannot be combined with 'refers-to'",
        "line 9, column 21 (files[1].columns.y.inverse): 'inverse' needs 'refers-to' beside it",
        "line 10, column 20 (files[1].columns.w.ignore): expected one of true, false, but found "
          + "'maybe'",
        "line 11, column 10 (files[1].columns.v): 'ignore' cannot be combined with other keys",
        "line 12, column 48 (files[1].columns.u.position): 'position' cannot be combined with "
          + "'many'",
        "line 13, column 10 (files[1].columns.t): expected a mapping with the keys type, "
          + "attribute, refers-to, many, inverse, position, ignore",
        "line 15, column 12 (files[2].links): the key 'from' is missing",
        "line 15, column 12 (files[2].links): the key 'relationship' is missing",
        "line 15, column 12 (files[2].links): the key 'destination' is missing",
        "line 15, column 12 (files[2].links): the key 'to' is missing",
        "line 15, column 25 (files[2].links): unknown key 'form'; the known keys are entity, from, "
          + "relationship, destination, to, inverse",
        "line 16, column 10 (files[2].key): 'key' cannot be combined with 'links'",
        "line 17, column 16 (files[2].delimiter): expected one of ,, ;, a tab (\"\\t\"), "
          + "|, but found '^'",
        "line 18, column 13 (files[2].format): expected one of csv, json, jsonlines, but found "
          + "'xml'",
        "line 19, column 5 (files[3]): expected the key 'entity' or the key 'links'",
        "line 21, column 14 (files[3].missing): 'missing' is for CSV files only",
        "line 22, column 1: unknown key 'version'; the known keys are files, model",
      ])
  }

  @Test("All faults of meaning are told at once, with their places")
  func meaning() {
    let yaml = """
      files:
        - file: a.csv
          entity: A
          columns:
            x: { refers-to: Nowhere }
            y: { refers-to: A, inverse: z }
            z: { type: integer }
            w: { attribute: z }
            v: { refers-to: B, many: true }
            u: { refers-to: B, position: u }
        - file: a.csv
          entity: B
          key: id
        - file: b.json
          entity: B
          key: code
        - file: ab.csv
          links: { entity: A, from: a, relationship: bs, destination: B, to: a }
      """
    #expect(
      faults(yaml) == [
        "line 5, column 23 (files[0].columns.x.refers-to): no file fills the entity 'Nowhere'",
        "line 6, column 23 (files[0].columns.y.refers-to): the entity 'A' needs a 'key' to be "
          + "referred to",
        "line 7, column 7 (files[0].columns.z): 'z' of 'A' is filled by its own column and by the "
          + "inverse of A.y",
        "line 8, column 7 (files[0].columns.w): two columns fill 'z' of 'A'",
        "line 9, column 32 (files[0].columns.v.many): a CSV file has no lists; use a file with "
          + "'links'",
        "line 10, column 36 (files[0].columns.u.position): a column cannot hold both a reference "
          + "and its position",
        "line 11, column 11 (files[1].file): the file 'a.csv' is named twice",
        "line 15, column 13 (files[2].entity): another file fills 'B' with a different key ('id')",
        "line 18, column 22 (files[3].links.entity): the entity 'A' needs a 'key' to be "
          + "referred to",
        "line 18, column 72 (files[3].links.to): 'from' and 'to' must be two different columns",
      ])
  }

  @Test("One entity may be filled by several files, in the same way")
  func severalFiles() {
    let yaml = """
      files:
        - { file: 1.csv, entity: A, key: id, columns: { b: { refers-to: A, inverse: c } } }
        - { file: 2.csv, entity: A, key: id, columns: { b: { refers-to: A, inverse: c } } }
      """
    #expect(faults(yaml) == [])
  }

  @Test(
    "What is not a manifest",
    arguments: [
      ("", "line 1, column 1: the manifest is empty; expected the key 'files'"),
      ("files: []", "line 1, column 8 (files): the list of files is empty"),
      ("files: a.csv", "line 1, column 8 (files): expected a list of files"),
      ("[1]", "line 1, column 1: expected a mapping with the keys files, model"),
      ("{}", "line 1, column 1: the key 'files' is missing"),
    ])
  func noManifest(yaml: String, message: String) {
    #expect(faults(yaml) == [message])
  }

  @Test("Faults of YAML are told with their places")
  func notYAML() throws {
    let unclosed = try #require(faults("files:\n  - file: [\n").first)
    #expect(unclosed.hasPrefix("line 3, column 1: this is not YAML: "))
    let twice = try #require(faults("files: []\nfiles: []\n").first)
    #expect(twice.contains("the same key is here twice: files"))
  }

  @Test("The error says that nothing is loaded, and lists the faults line by line")
  func sentence() {
    let error = #expect(throws: ImportError.self) {
      try ImportManifest(yaml: "a: 1\nb: 2\n", path: "m.yaml")
    }
    #expect(
      error.map { "\($0)" } == """
        m.yaml has 3 faults; nothing is loaded until it is corrected:
          line 1, column 1: unknown key 'a'; the known keys are files, model
          line 1, column 1: the key 'files' is missing
          line 2, column 1: unknown key 'b'; the known keys are files, model
        """)
  }
}
