import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreCore

/// Values at places in JSON texts: the syntax of places, and the values.
@Suite struct JSONPlaceTests {
  private let entity = PredicateFixture.entity()
  private let schema = PredicateFixture.schema

  private func operand(_ text: String) throws -> DatastoreCore.Predicate.Operand {
    try DatastoreCore.Predicate.Operand.parse(text, entity: entity, in: schema)
  }

  @Test(
    arguments: [
      (#"{"user": {"name": "Ann"}}"#, "name.user.name", "Ann"),
      (#"{"tags": ["a", "b"]}"#, "name.tags[1]", "b"), (#"[[1, 2], [3]]"#, "name[0][1]", 2),
      (#"{"a": 1.5e3}"#, "name.a", 1500.0), (#"{"a": -7}"#, "name.a", -7),
      (#"{"a": true, "b": false}"#, "name.a", 1), (#"{"a": true, "b": false}"#, "name.b", 0),
      (#"{"a": null}"#, "name.a", .null), (#"{"a": {"b" : [ 1 ]} }"#, "name.a", #"{"b" : [ 1 ]}"#),
      (#"{"a b": {"in": 3}}"#, "name.`a b`.`in`", 3), (#"{"x\"y\u00e9": 4}"#, "name.`x\"yé`", 4),
      (#"{"a": "\ud83d\ude00\n\/"}"#, "name.a", "😀\n/"),
      (#"{"a": "\ud83d"}"#, "name.a", "\u{FFFD}"),
      (#"{"a": 1, "a": 2}"#, "name.a", 1),
      (#"{"a": 12345678901234567890}"#, "name.a", 1.2345678901234567e19),
      // Texts that are not JSON, or have nothing at the place.
      ("Ann", "name.a", .null), (#"{"a": 1"#, "name.b", .null), (#"{"a": }"#, "name.a", .null),
      (#"{"a" 1}"#, "name.a", .null), (#"{"a": [1, 2]}"#, "name.a[2]", .null),
      (#"{"a": {"b": 1}}"#, "name.a[0]", .null), (#"[1]"#, "name.a", .null), ("", "name.a", .null),
      (#"{"a": "open"#, "name.a", .null), (#"{"a\"#, "name.a", .null), ("]", "name[0]", .null),
    ] as [(String, String, Value)])
  func values(json: String, path: String, expected: Value) throws {
    let operand = try operand(path)
    #expect(operand.value(of: Subject(1, ["name": .text(json)])) == expected)
    #expect(operand.value(of: Subject(1, ["name": .blob(Data(json.utf8))])) == expected)
    // Both ways to write it read back as the same.
    let again = try self.operand(operand.description)
    #expect(again == operand)
    #expect(operand.formatted(entity: entity, in: schema) == path)
  }

  @Test func pathsLeadThroughObjects() throws {
    let ofCompany = try operand("company.name.a")
    #expect(ofCompany == .function(.json, [.keyPath(["company", "name"]), .value("a")]))
    let ofBoss = try operand("boss.name[3]")
    #expect(ofBoss.description == #"json(manager.name, 3)"#)
    let condition = try DatastoreCore.Predicate.parse(
      "name.age > 30 AND name.tags[0] CONTAINS[c] 'x'", entity: entity, in: schema)
    #expect(
      condition.formatted(entity: entity, in: schema)
        == #"name.age > 30 AND name.tags[0] CONTAINS[c] "x""#)
    // Text comes after numbers, as SQLite has it.
    for (age, holds) in [("31", true), ("30", false), (#""31""#, true), ("null", false)] {
      let json = #"{"age": \#(age), "tags": ["XY"]}"#
      #expect(try condition.evaluate(with: Subject(1, ["name": .text(json)])) == holds)
    }
  }

  @Test(arguments: [
    ("age.x == 1", "“age” is an attribute, so a path cannot continue after it."),
    ("hired.x == 1", "“hired” is an attribute, so a path cannot continue after it."),
    ("tasks.title.x == 1", "“title” is an attribute, so a path cannot continue after it."),
    ("name. == 1", "Expected the name of a member after the dot, found “==”."),
    ("name.a. == 1", "Expected the name of a member after the dot, found “==”."),
    ("name[1.5] == 1", "Elements have whole numbers, counted from 0."),
    ("json(age, \"x\") == 1", "json takes JSON, but “age” does not hold text."),
    ("json(name) == 1", "Write json(text, member, …)."),
    (
      "json(name, age) == 1",
      "A step in JSON is the name of a member in quotes or the number of an element, not “age”."
    ),
  ])
  func faults(text: String, message: String) {
    let error = #expect(throws: PredicateSyntaxError.self) {
      try DatastoreCore.Predicate.parse(text, entity: entity, in: schema)
    }
    #expect(error?.message == message)
  }

  @Test func aPropertyWithTheNameOfAPathComesFirst() throws {
    let schema = CompanySchema.with(["Employee": [CompanySchema.attribute("name.x", .integer64)]])
    let entity = try #require(schema.entity(named: "Employee"))
    let operand = try DatastoreCore.Predicate.Operand.parse("name.x", entity: entity, in: schema)
    #expect(operand == .keyPath(["name.x"]))
  }

  @Test func membersAreOffered() {
    let completion = PredicateCompletion(of: "name.user.na", at: 99, entity: entity, in: schema)
    #expect(completion.range == 10..<12)
    #expect(completion.values?.path == ["name"])
    let members = completion.values?.members(in: [
      #"{"user": {"name": 1, "nation": 2, "x y": 3}}"#, "no JSON",
      #"{"user": {"Name": 1, "name": 2}}"#,
    ])
    #expect(members == ["name", "nation", "Name"])
    #expect(completion.values?.item(for: "x y")?.text == "`x y`")
  }

  /// Python's `json` is the witness: random documents, and every place in them.
  @Test func placesAreThoseOfPython() throws {
    struct Case: Decodable {
      let text: String
      let steps: [Step]
      let expected: String
    }
    enum Step: Decodable {
      case name(String)
      case number(Int64)
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int64.self) {
          self = .number(number)
        } else {
          self = .name(try value.decode(String.self))
        }
      }
    }
    let seed = RandomCases.seed()
    let cases: [Case] = try PythonProgram.answer(
      to: [String(seed), String(RandomCases.count)],
      #"""
      import json, random, sys
      seed, count = json.load(sys.stdin)
      draw = random.Random(int(seed))
      texts = ['', 'a', 'a b', 'é', '"', '\\', '\n', '😀', '[0]', '{', 'x.y', '\u0000', '/', "it's"]
      def value(depth):
          kind = draw.randrange(8 if depth else 5)
          if kind == 0: return None
          if kind == 1: return draw.random() < 0.5
          if kind == 2: return draw.choice([0, -1, 7, 2**63 - 1, -2**63, 1.5, -2.5e-7, 1e300])
          if kind < 5: return draw.choice(texts) + draw.choice(texts)
          if kind == 5: return [value(depth - 1) for _ in range(draw.randrange(4))]
          return {draw.choice(texts) + str(i): value(depth - 1) for i in range(draw.randrange(4))}
      def told(v):
          if v is None: return 'null'
          if isinstance(v, bool): return 'i:%d' % v
          if isinstance(v, int): return 'i:%d' % v
          if isinstance(v, float): return 'r:%r' % v
          if isinstance(v, str): return 't:' + v
          return 'j:' + json.dumps(v, sort_keys=True)
      def places(v, steps):
          yield steps, v
          for k, w in (v.items() if isinstance(v, dict) else enumerate(v) if isinstance(v, list) else []):
              yield from places(w, steps + [k])
      out = []
      for i in range(int(count)):
          document = value(4)
          text = json.dumps(document, ensure_ascii=draw.random() < 0.5, indent=draw.choice([None, 1]))
          for steps, found in places(document, []):
              if len(out) < 20 * int(count): out.append(dict(text=text, steps=steps, expected=told(found)))
      print(json.dumps(out))
      """#)
    #expect(cases.count >= RandomCases.count)
    for test in cases {
      let steps = test.steps.map { step -> Value in
        switch step {
        case .name(let name): .text(name)
        case .number(let number): .integer(number)
        }
      }
      let found = Value.text(test.text).json(at: steps)
      switch (found, test.expected.prefix(2)) {
      case (.null, "nu"): break
      case (.integer(let integer), "i:"): #expect("i:\(integer)" == test.expected)
      case (.real(let real), "r:"):
        #expect(Double(test.expected.dropFirst(2)) == real, "seed \(seed): \(test)")
      case (.text(let text), "t:"):
        #expect("t:" + text == test.expected, "seed \(seed): \(test)")
      case (.text(let text), "j:"):
        let plain = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSObject
        let wanted =
          try JSONSerialization.jsonObject(
            with: Data(test.expected.dropFirst(2).utf8)) as? NSObject
        #expect(plain == wanted, "seed \(seed): \(test)")
      default: Issue.record("seed \(seed): \(found) at \(test)")
      }
    }
  }
}
