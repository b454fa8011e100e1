import DatastoreCore
import Foundation
import Testing

@Suite("Dates in predicates")
struct DatePredicateTests {
  private let schema: Schema
  private var entity: Entity { schema.entities[0] }

  init() throws {
    func column(_ name: String, _ convention: DateConvention?) -> PropertyDescription {
      var attribute = AttributeDescription(name: name, type: .integer64, declaredType: "INTEGER")
      attribute.dateConvention = convention
      return .attribute(attribute)
    }
    schema = try Schema([
      EntityDescription(
        name: "log",
        properties: [
          column("created", .unixMilliseconds), column("seen", .webKit),
          column("written", .text(try #require(DateTextStyle("2024-01-01 00:00:00")))),
          column("number", nil),
          .attribute(AttributeDescription(name: "own", type: .date)),
          .attribute(AttributeDescription(name: "day", type: .calendarDate)),
          .attribute(
            AttributeDescription(name: "at", type: .date, declaredType: "timestamp with time zone")),
          .attribute(AttributeDescription(name: "on", type: .calendarDate, declaredType: "date")),
          .attribute(AttributeDescription(name: "code", type: .uuid, declaredType: "uuid")),
          .relationship(
            RelationshipDescription(
              name: "next", kind: .toMany, destination: "log", inverse: nil)),
        ])
    ])
  }

  private func parse(_ text: String) throws -> DatastoreCore.Predicate {
    try DatastoreCore.Predicate.parse(text, entity: entity, in: schema)
  }

  private func value(_ text: String) throws -> Value {
    guard case .comparison(let comparison) = try parse(text),
      case .value(let value) = comparison.right
    else { return .null }
    return value
  }

  @Test("A date beside a column means what the column stores")
  func constants() throws {
    #expect(try value("created > 2024-01-01") == .integer(1_704_067_200_000))
    #expect(try value("created > \"2024-01-01 00:00:01\"") == .integer(1_704_067_201_000))
    #expect(try value("created > 2024-01-01T00:00:00.0005Z") == .real(1_704_067_200_000.5))
    #expect(try value("seen > 2024-01-01") == .integer(13_348_540_800_000_000))
    #expect(try value("created > 17") == .integer(17))
    #expect(
      try value("created > CAST(\"2024-01-01\", \"NSDate\")") == .integer(1_704_067_200_000))
    #expect(try value("own > 2024-01-01") == .real(725_760_000))
    #expect(try value("day > 2024-01-01") == .text("2024-01-01"))
    #expect(try value("written > 2024-01-01T10:00Z") == .text("2024-01-01 10:00:00"))
    // The beginning of a date compares with dates like text.
    #expect(try value("written > \"2024-01\"") == .text("2024-01"))
  }

  @Test(
    "A date in quotes is the date without them, in the style of the column",
    arguments: [
      ("2024-01-15T08:00:00Z", "2024-01-15 08:00:00"), ("2024-01-16", "2024-01-16 00:00:00"),
      ("2024-01-15T08:00:00+02:00", "2024-01-15 06:00:00"),
      // As the column may hold it.
      ("2024-01-15 08:00:00.500", "2024-01-15 08:00:00.500"),
    ])
  func quoted(written: String, stored: String) throws {
    #expect(try value("written >= \"\(written)\"") == .text(stored))
    for text in ["IN {\"\(written)\"}", "BETWEEN {\"\(written)\", \"\(written)\"}"] {
      guard case .comparison(let comparison) = try parse("written " + text),
        case .list(let members) = comparison.right
      else {
        Issue.record("\(text) is not a comparison with a list")
        continue
      }
      #expect(members.allSatisfy { $0 == .value(.text(stored)) }, "\(members)")
    }
  }

  @Test("A moment beside a column of days is between two of them")
  func moments() throws {
    let noon = Value.text("2024-02-01 12:00:00")
    #expect(try value("day == \"2024-02-01T12:00:00Z\"") == noon)
    #expect(try value("day == 2024-02-01T12:00:00Z") == noon)
    #expect(try value("day == \"2024-02-01T00:00:00Z\"") == .text("2024-02-01"))
    #expect(Value.compare(.text("2024-02-01"), noon) == .ascending)
    #expect(Value.compare(.text("2024-02-02"), noon) == .descending)
  }

  @Test("A column of a server is compared as what it holds")
  func ofServers() throws {
    for date in ["2024-01-15", "\"2024-01-15\"", "\"2024-01-15T02:00:00+02:00\""] {
      #expect(try value("at >= \(date)") == .real(726_969_600))
      #expect(try value("on >= \(date)") == .text("2024-01-15"))
    }
    let code = try value("code == \"00112233-4455-6677-8899-aabbccddeeff\"")
    guard case .blob(let bytes) = code else {
      Issue.record("\(code) is not a UUID")
      return
    }
    #expect(bytes.count == 16)
  }

  @Test("What is printed reads back as the same")
  func roundTrips() throws {
    for text in [
      "created > 2024-01-01", "created IN {2024-01-01, 17}", "created.@month == \"2024-05\"",
      "created.@year >= 2020", "ANY next.created.@day == 2024-01-01", "own.@year == 2024",
      "created BETWEEN {2024-01-01, 2024-02-01T12:30:00Z}", "written.@month == \"2024-01\"",
      "created == 1704067200000.5",
    ] {
      let predicate = try parse(text)
      let printed = predicate.formatted(entity: entity, in: schema)
      #expect(try parse(printed) == predicate, "\(text) became \(printed)")
    }
    #expect(
      try parse("created > 2024-01-01").formatted(entity: entity, in: schema)
        == "created > \"2024-01-01T00:00:00Z\"")
  }

  @Test("Sentences for dates that there are not, and parts of what is not a date")
  func faults() throws {
    func fault(_ text: String) -> String {
      do {
        _ = try parse(text)
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(fault("created > 2024-02-30").contains("There is no date 2024-02-30"))
    #expect(fault("number > 2024-01-31").contains("2024-01-31") == false)
    for text in ["created == \"soon\"", "written > \"15.1.2023\"", "written == 17"] {
      #expect(fault(text).contains("is compared with a date such as"), "\(text)")
    }
    #expect(fault("created == seen").contains("stores dates as"))
    #expect(
      fault("created.@moth == 1").contains(
        "@year, @month, @day, @quarter, @week, @weekday and @hour"))
    #expect(fault("number.@month == 1") != "")
    let completion = PredicateCompletion(of: "created.", at: 8, entity: entity, in: schema)
    #expect(
      completion.items.map(\.text)
        == ["@year", "@month", "@day", "@quarter", "@week", "@weekday", "@hour"])
  }

  @Test("Arithmetic stays what it is")
  func arithmetic() throws {
    guard case .comparison(let comparison) = try parse("number == 2024 - 1") else { return }
    #expect(comparison.right == .arithmetic(.value(2024), .subtract, .value(1)))
    #expect(try parse("number == 2024-1") == parse("number == 2024 - 1"))
  }
}
