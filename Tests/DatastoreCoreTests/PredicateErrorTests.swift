import Testing

@testable import DatastoreCore

@Suite struct PredicateErrorTests {
  static func error(
    _ text: String, _ arguments: [PredicateArgument] = []
  ) -> PredicateSyntaxError? {
    do {
      _ = try PredicateParsingTests.parse(text, arguments)
      return nil
    } catch {
      return error
    }
  }

  /// Text, place and length in characters, the sentence.
  @Test(arguments: [
    ("", 0, 0, "Expected a property or a value, found the end."),
    ("age", 3, 0, "Expected a comparison such as == or CONTAINS after “age”, found the end."),
    (
      "active", 6, 0,
      "Expected a comparison such as == or CONTAINS after “active”, found the end; write “active == TRUE”."
    ),
    ("age 30", 4, 2, "Expected a comparison such as == or CONTAINS after “age”, found “30”."),
    ("age IS NULL", 4, 2, "Expected a comparison after “age”, found “IS”; write == or !=."),
    ("age >", 5, 0, "Expected a number, found the end."),
    ("active == ", 10, 0, "Expected TRUE or FALSE, found the end."),
    ("agee > 3", 0, 4, "Employee has no property “agee”; did you mean “age”?"),
    ("AGE > 3", 0, 3, "Employee has no property “AGE”; did you mean “age”?"),
    ("boss.nmae == 'x'", 5, 4, "Employee has no property “nmae”; did you mean “name”?"),
    ("zzz == 1", 0, 3, "Employee has no property “zzz”."),
    ("age.x == 1", 4, 1, "“age” is an attribute, so a path cannot continue after it."),
    ("tasks. == 1", 7, 2, "Expected a property of Task after the dot, found “==”."),
    (
      "tasks == 1", 0, 5,
      "“tasks” leads to many objects: write “ANY tasks” to compare each, or “tasks.@count” for their number."
    ),
    ("age == tasks.@sum", 17, 0, "@sum needs an attribute after it, as in tasks.@sum.estimate."),
    (
      "tasks.@summ.estimate > 1", 6, 5,
      "“@summ” is unknown; there are @count, @sum, @avg, @min and @max."
    ),
    (
      "company.@count > 1", 8, 6,
      "@count needs a path to many objects before it, as in tasks.@count."
    ),
    ("name.@month == 1", 5, 6, "“name” is not known to hold dates, so it has no @month."),
    (
      "tasks.@sum.title > 1", 0, 16,
      "“tasks.@sum.title” does not hold numbers, so it has no sum; it has count, min and max."
    ),
    ("tasks.@count.x > 1", 13, 1, "A path cannot continue after @count."),
    (
      "ANY tasks.done == tasks.done", 18, 10,
      "“tasks.done” leads to many objects, so it can only appear alone to the left of a comparison."
    ),
    (
      "tasks.estimate + 1 > 2", 0, 14,
      "“tasks.estimate” leads to many objects, so it can only appear alone to the left of a comparison."
    ),
    (
      "name == 30", 8, 2,
      "“name” is compared with text in quotes, found 30; put it in quotes: \"30\"."
    ),
    ("age == '30'", 7, 4, "“age” is compared with a number, found '30'; write it without quotes."),
    ("age IN {1, 'x'}", 11, 3, "“age” is compared with a number, found 'x'."),
    (
      "hired > 'soon'", 8, 6,
      "“hired” is compared with a date such as \"2024-01-31\" or \"2024-01-31T12:00:00Z\", found 'soon'."
    ),
    ("badge == 'x'", 9, 3, "“badge” is compared with a UUID in quotes, found 'x'."),
    (
      "company == 'x'", 11, 3,
      "“company” is compared with NULL or the number of an object, found 'x'."
    ),
    ("rate > 'x'", 7, 3, "“rate” is compared with a number, found 'x'."),
    ("rate CONTAINS '3'", 0, 4, "CONTAINS compares text, but “rate” does not hold text."),
    ("name CONTAINS 3", 14, 1, "CONTAINS compares text; found 3; put it in quotes: \"3\"."),
    ("age CONTAINS '3'", 0, 3, "CONTAINS compares text, but “age” does not hold text."),
    ("name MATCHES '('", 13, 3, "This is not a valid regular expression."),
    (
      "name MATCHES '\\d'", 13, 4,
      "Unknown escape: write \\n \\t \\r \\\" \\' \\\\ or \\u with four digits."
    ),
    ("name == 'x", 8, 2, "This text has no closing quote."),
    ("`x == 1", 0, 7, "This name has no closing backtick."),
    ("name == “x”", 8, 1, "Write text between straight quotes: \"…\" or '…'."),
    ("photo == x'0'", 9, 4, "A blob needs two hexadecimal digits for each byte."),
    ("age == 1 & age == 2", 9, 1, "Write AND or && to join conditions."),
    ("age == 1 age == 2", 9, 3, "Expected AND, OR or the end, found “age”."),
    ("age == 1 AND", 12, 0, "Expected a property or a value, found the end."),
    ("(age == 1", 9, 0, "Expected AND, OR or “)”, found the end."),
    ("age == 1)", 8, 1, "Expected AND, OR or the end, found “)”."),
    ("age IN 3", 7, 1, "Expected a list such as {1, 2} after IN."),
    ("age IN {1 2}", 10, 1, "Expected “,” or “}”, found “2”."),
    ("age BETWEEN {1}", 12, 3, "Expected two bounds after BETWEEN: {lower, upper}."),
    ("name + 1 > 2", 0, 4, "“name” does not hold numbers, so it cannot be calculated with."),
    ("age + 'x' > 2", 6, 3, "Expected a number to calculate with, found 'x'."),
    (
      "any == 5", 4, 2,
      "Expected a property or a value, found “==”. “any” is a keyword; write `any` in backticks for the property of that name."
    ),
    (
      "name BEGINSWITH[x] 'a'", 16, 1,
      "“x” is not an option; write c to ignore case, d to ignore accents."
    ),
    (
      "age == 99999999999999999999", 7, 20,
      "This number does not fit 64 bits; write it with a decimal point."
    ),
    (
      "age == 3x", 7, 2,
      "A number cannot continue with letters; put names that begin with digits in backticks."
    ),
    (
      "CAST('2024', 'NSDate') < hired", 5, 6,
      "Expected a date such as \"2024-01-31\" or \"2024-01-31T12:00:00Z\", found '2024'."
    ),
    (
      "CAST('2024-01-01', 'Date') < hired", 19, 6,
      "Expected \"NSDate\", found “'Date'”; CAST makes dates only."
    ),
    ("age == %@", 7, 2, "There is no argument for this placeholder; 0 were given."),
    (
      "(age == 1) + 2 == 3", 11, 1,
      "A condition cannot be calculated with; expected AND, OR or the end."
    ),
    (
      "SUBQUERY(tasks, $t, $t.done == NO).@count > 0", 0, 8,
      "There is no SUBQUERY; write a condition on related objects as in ANY tasks.isDone == NO, and their number as in tasks.@count > 1."
    ),
    ("größe > 'a' ", 8, 3, "“größe” is compared with a number, found 'a'."),
  ])
  func tellsWhatIsWrongAndWhere(text: String, offset: Int, length: Int, message: String) throws {
    let error = try #require(Self.error(text))
    #expect(error.message == message)
    #expect(error.offset == offset)
    #expect(error.length == length)
  }

  @Test func showsTheLineAndThePlace() throws {
    let error = try #require(Self.error("age > 1 AND\n\tnaem == \"x\" OR\nage == 2"))
    #expect(
      error.description == """
        Employee has no property “naem”; did you mean “name”?
          \tnaem == "x" OR
          \t^~~~
        """)
    #expect(error.found == "naem")
    #expect(error.expected == "a property of Employee")
    #expect(error.suggestion == "name")
    let end = try #require(Self.error("größe >"))
    #expect(end.description == "Expected a number, found the end.\n  größe >\n         ^")
    #expect(end.offset == 7)
    #expect(end.utf8Offset == 9)
    #expect(end.utf8Length == 0)
  }

  @Test func argumentsMustFit() {
    #expect(Self.error("age > 3", [.value(1)])?.message.contains("0 placeholders") == true)
    #expect(Self.error("age > %d", [.value("x")])?.message.contains("write %@") == true)
    #expect(Self.error("age > %@", [.keyPath(["age"])])?.message.contains("%K") == true)
    #expect(Self.error("%K > 1", [.value(1)])?.message.contains("key path") == true)
    #expect(Self.error("%K > 1", [.keyPath(["agee"])])?.suggestion == "age")
    #expect(Self.error("age > %x", [.value(1)])?.message.contains("Unknown placeholder") == true)
    #expect(Self.error("age == %@", [.values([1])])?.message.contains("list") == true)
  }

  @Test func hostileNestingIsAnError() {
    let count = 20_000
    for text in [
      String(repeating: "(", count: count), String(repeating: "NOT ", count: count),
      "age == " + String(repeating: "-", count: count) + "1",
      "age == 1" + String(repeating: " + 1", count: count),
      "age IN " + String(repeating: "{", count: count),
      "age == " + String(repeating: "CAST(", count: count),
    ] {
      #expect(Self.error(text) != nil)
    }
    let deep = String(repeating: "(", count: 99) + "age == 1" + String(repeating: ")", count: 99)
    #expect(Self.error(deep) == nil)
    #expect(Self.error("(((" + deep + ")))")?.message.contains("nested too deeply") == true)
  }
}
