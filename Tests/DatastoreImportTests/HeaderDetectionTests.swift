import DatastoreTestSupport
import Testing

@testable import DatastoreImport

@Suite("Header rows told from data")
struct HeaderDetectionTests {
  private static func detect(_ text: String) throws -> (rows: Int, finding: ReadingFinding) {
    var options = ReadingOptions()
    options.csv.header = .detect
    options.csv.repairsHeader = true
    var reader = try ByteInput(Array(text.utf8), name: "t.csv").makeReader(options)
    var rows = 0
    while try reader.next() != nil { rows += 1 }
    return (rows, try #require(reader.findings.first { $0.subject == .header }))
  }

  @Test(
    "A first row of data is not lost",
    arguments: [
      ("1,Ada,\n2,Bo,x\n", "“1” is a value like those below it"),
      ("Ada,Paris,\nBo,Rome,x\n", "nothing distinguishes"),
      ("Ada,Paris\nBo,Rome\nCy,Paris\n", "“Paris” occurs again below"),
      ("x,x\ny,z\n", "“x” is there twice"),
      ("Main Street,5 km\nPark Lane,7 km\n", "nothing distinguishes"),
      ("unknown,5,2024-01-01\n3,6,2024-01-02\n4,7,2024-01-03\n", "“5” is a value"),
      ("1,2\n", "“1” is a value, not a name"),
      ("NA,1.5\n2,2.5\n", "“1.5” is a value"), ("2024-01-01;a\n2024-01-02;b\n", "“2024-01-01”"),
    ])
  func data(text: String, reason: String) throws {
    let (rows, finding) = try Self.detect(text)
    #expect(rows == text.split(separator: "\n").count, "\(finding)")
    #expect(finding.value == "no")
    #expect(finding.reason?.contains(reason) == true, "\(finding)")
  }

  @Test(
    "Names are told, with the reason",
    arguments: [
      ("id,x\n1,2\n", "“id” is above numbers"),
      (",name,age\n0,Ada,36\n1,Bo,20\n", "“age” is above numbers"),
      ("name,2019,2020\nx,1,2\ny,3,4\n", "“name” is a common column name"),
      ("Country,2020-01-22,2020-01-23\nA,1,2\nB,3,4\n", "“2020-01-22” is above numbers"),
      ("first_seen,flavour\nParis,Sweet\nRome,Sour\n", "“first_seen” is written differently"),
      ("Kürzel,Hauptstadt\nDE,Berlin\nFR,Paris\nIT,Rom\n", "“Kürzel” is written differently"),
      ("name,city\n", "“name” is a common column name"),
      ("when,seen\n2024-01-01,x\n", "above dates"),
    ])
  func names(text: String, reason: String) throws {
    let (rows, finding) = try Self.detect(text)
    #expect(rows == text.split(separator: "\n").count - 1, "\(finding)")
    #expect(finding.value == "yes")
    #expect(finding.reason?.contains(reason) == true, "\(finding)")
  }

  @Test("What was said is given, and what was found has its reason")
  func findings() throws {
    var options = ReadingOptions()
    options.csv.header = .absent
    options.encoding = .macRoman
    let reader = try ByteInput(Array("a;1,5;\\N\nb;2,5;3\nc;3;4\n".utf8), name: "t.csv")
      .makeReader(options)
    #expect(
      reader.findings.map(\.description) == [
        "encoding: Mac Roman (given)",
        "delimiter: semicolon (found: each of the first 3 records has 3 fields)",
        "header row: no (given)", "decimals: comma (found: columns have numbers such as 3,5)",
        "no value: nothing, \\N (found: columns of numbers or dates have it, too)",
      ])
  }
}
