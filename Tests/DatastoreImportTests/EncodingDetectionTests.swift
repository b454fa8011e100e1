import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

/// The encoding of a file is detected from all the evidence at its beginning.
@Suite("Encodings told by their evidence")
struct EncodingDetectionTests {
  private static let western = [
    "Müller, Straße 5, schön größer übel", "Élève à l’école, garçon naïf, où ça",
    "niño año señor, ¿qué?", "Åse Øster, blåbær på ønsket", "coração, João, à noite",
    "Müller",
  ]
  private static let russian = [
    "Все люди рождаются свободными и равными в своем достоинстве и правах",
    "Иванов;Москва\nПетров;Казань",
  ]
  private static let japanese = [
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "名前,都市\n山田太郎,東京\n鈴木一郎,大阪", "商品,単価\nコーヒー,300\nサンドイッチ,500",
  ]

  /// Texts, and the encodings in which they are detected.
  private static let texts: [([String], [String])] = [
    (western, ["windows-1252", "mac-roman", "utf-8"]),
    (["Hver maður er borinn frjáls og jafn öðrum að virðingu; Þór"], ["windows-1252"]),
    (["Müller, Straße, schön", "Élève, garçon"], ["ibm850"]),
    (
      [
        "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności; żółć, Łódź",
        "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti; Žižkov, Třebíč, ť",
      ], ["windows-1250", "iso-8859-2"]
    ),
    (["Minden emberi lény szabadon születik és egyenlő méltósága van; fűző"], ["windows-1250"]),
    (russian, ["windows-1251", "koi8-u", "iso-8859-5", "ibm866", "mac-cyrillic"]),
    (["Всі люди народжуються вільними і рівними у своїй гідності"], ["windows-1251", "koi8-u"]),
    (["Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι"], ["windows-1253"]),
    (["Bütün insanlar hür, haklar bakımından eşit doğarlar; İstanbul, Şişli"], ["windows-1254"]),
    (["כל בני האדם נולדו בני חורין ושווים בערכם"], ["windows-1255"]),
    (["يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق"], ["windows-1256"]),
    (["Visi žmonės gimsta laisvi ir lygūs savo orumu; Šiauliai, Panevėžys"], ["windows-1257"]),
    (["มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์"], ["windows-874"]),
    (japanese, ["shift_jis", "euc-jp"]),
    (["人人生而自由,在尊严和权利上一律平等", "姓名,城市\n王小明,北京市\n李红,上海市"], ["gb18030"]),
    (["人人生而自由,在尊嚴和權利上一律平等", "姓名,城市\n王小明,臺北市\n李紅,高雄市"], ["big5"]),
    (["모든 인간은 태어날 때부터 자유로우며", "이름,도시\n김철수,서울\n이영희,부산"], ["euc-kr"]),
  ]

  private static func bytes(_ text: String, _ encoding: TextEncoding) -> [UInt8] {
    let bytes = encoding.bytes(of: text)
    #expect(bytes != nil, "\(encoding.title) lacks a letter of \(text)")
    return bytes ?? []
  }

  private static func detect(_ bytes: [UInt8], isWhole: Bool = true) -> TextEncoding {
    bytes.withUnsafeBufferPointer { TextEncoding.detect($0, isWhole: isWhole).encoding }
  }

  private static func names(_ bytes: [UInt8]) throws -> [ImportValue?] {
    var reader = try ByteInput(bytes, name: "t.csv").makeReader()
    var names: [ImportValue?] = []
    while let record = try reader.next() { names.append(record.fields.last?.value) }
    return names
  }

  // Promise: a file is written in an encoding of another part of the world → it is read as what it says,
  // without anyone naming the encoding.
  @Test("Languages are told apart", arguments: texts.indices)
  func languages(place: Int) throws {
    let (lines, names) = Self.texts[place]
    for (line, name) in lines.flatMap({ line in names.map { (line, $0) } }) {
      let encoding = try #require(TextEncoding(name: name))
      let bytes = Self.bytes("id,name\n1,\"\(line)\"\n", encoding)
      #expect(Self.detect(bytes).rawValue == name, "\(line)")
      #expect(try Self.names(bytes) == [.text(line)], "\(name)")
    }
  }

  @Test(
    "Every letter is what Python takes it for",
    arguments: [
      ("windows-1252", "cp1252"), ("mac-roman", "mac_roman"), ("windows-1250", "cp1250"),
      ("windows-1251", "cp1251"), ("koi8-u", "koi8_u"), ("iso-8859-5", "iso8859_5"),
      ("windows-1253", "cp1253"), ("windows-1254", "cp1254"), ("windows-1257", "cp1257"),
      ("shift_jis", "cp932"), ("euc-jp", "euc_jp"), ("gb18030", "gbk"), ("big5", "big5hkscs"),
      ("euc-kr", "cp949"), ("utf-32be", "utf_32_be"), ("utf-16le", "utf_16_le"),
    ])
  func letters(name: String, python: String) throws {
    let encoding = try #require(TextEncoding(name: name))
    let directory = try TemporaryDirectory()
    let (file, answer) = (directory.path("letters"), directory.file("answer"))
    let program = """
      import sys
      letters = [c for c in map(chr, range(0x80, 0xD7FF)) if c.isalpha() and c != "\\u02cd"]
      def known(c):
        try: return c.encode("\(python)").decode("\(python)") == c
        except UnicodeError: return False
      text = "\\n".join(filter(known, letters))
      open(sys.argv[1], "wb").write(text.encode("\(python)"))
      print(text, end="")
      """
    let status = try spawn("/usr/bin/env", ["python3", "-c", program, file], output: answer)
    #expect(status == 0)
    let transcoder = try #require(Transcoder(encoding))
    let read = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
      .withUnsafeBufferPointer { transcoder.bytes(of: $0, isAtEnd: true) }
    let expected = try [UInt8](Data(contentsOf: answer))
    #expect(expected.count > 100)
    let lines = String(decoding: read, as: UTF8.self).split(separator: "\n")
    let others = zip(lines, String(decoding: expected, as: UTF8.self).split(separator: "\n"))
      .filter { $0 != $1 }
    #expect(others.isEmpty, "\(others)")
  }

  @Test("What comes in pieces is read as one, and what is no character is told")
  func pieces() throws {
    let text = "東京都,大阪\n"
    let bytes = try #require(TextEncoding(name: "shift_jis")?.bytes(of: text))
    let transcoder = try #require(TextEncoding(name: "sjis").flatMap { Transcoder($0) })
    let read = bytes.flatMap { byte in
      [byte].withUnsafeBufferPointer { transcoder.bytes(of: $0, isAtEnd: false) }
    }
    #expect(String(decoding: read, as: UTF8.self) == text)
    let end = [0x93 as UInt8].withUnsafeBufferPointer { transcoder.bytes(of: $0, isAtEnd: true) }
    #expect(end == [0x93] && transcoder.faultCount == 1)
    #expect(TextEncoding.windows1252.bytes(of: "Ж") == nil)
    for name in ["", "utf-8//translit", "no such", "a/b"] {
      #expect(TextEncoding(name: name) == nil, "\(name)")
    }
    #expect(TextEncoding(name: "IBM037")?.bytes(of: "A") == [0xC1])
  }

  @Test("One sequence that is UTF-8 by accident does not make a file UTF-8")
  func accident() throws {
    // “Ã©” in Windows-1252 is “é” in UTF-8.
    var bytes = Self.bytes("name\nCAFÃ©\n", .windows1252)
    for index in 0..<40 { bytes += Self.bytes("M\u{FC}ller \(index)\n", .windows1252) }
    #expect(Self.detect(bytes) == .windows1252)
    #expect(try Self.names(bytes).last == .text("Müller 39"))
    #expect(try Self.names(bytes).first == .text("CAFÃ©"))
  }

  @Test("A few bad bytes in UTF-8 stay a fault, and the sentence names the encodings")
  func damaged() throws {
    var bytes: [UInt8] = Array("id,name\n".utf8)
    for index in 0..<40 { bytes += Array("\(index),Zoë\n".utf8) }
    bytes += [0x31, 0x2C, 0xE9, 0x0A]
    #expect(Self.detect(bytes) == .utf8)
    do {
      _ = try Self.names(bytes)
      Issue.record("the fault was read")
    } catch {
      #expect("\(error)".contains("t.csv, line 42, column 3"), "\(error)")
      #expect(
        "\(error)".contains("--encoding (\(TextEncoding.examples) or another"),
        "\(error)")
    }
  }

  @Test("A character that is cut at the end of what is looked at is no evidence", arguments: 1...3)
  func cut(length: Int) {
    let bytes = Array(Array("name\n€€€ 👩".utf8).dropLast(length))
    #expect(Self.detect(bytes, isWhole: false) == .utf8)
    let one = Array(Array("name\nab👩".utf8).dropLast(length))
    #expect(Self.detect(one, isWhole: false) == .utf8)
    #expect(Self.detect(one, isWhole: true) != .utf8)
  }

  @Test("What follows the first 64 kB counts")
  func late() throws {
    let bytes =
      Array("name\n".utf8)
      + Array(String(repeating: "Mueller\n", count: 12_000).utf8)
      + Self.bytes("Müller\n", .windows1252)
    #expect(try Self.names(bytes).last == .text("Müller"))
  }
}
