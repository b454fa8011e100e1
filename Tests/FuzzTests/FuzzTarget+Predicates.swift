import DatastoreCore
import DatastoreTestSupport

extension FuzzTarget {
  static let predicate = FuzzTarget(
    name: "predicate",
    seeds: [
      "age >= 30 AND name BEGINSWITH[cd] \"T\"",
      "ANY tasks.title CONTAINS 'x' OR NOT (age IN {1, 2})",
      "salary BETWEEN {1e3, 2.5} && company.name != NULL",
      "tasks.@count > 2 || tasks.@sum.effort < -1",
      "born > CAST(\"2024-01-31\", \"NSDate\")", "name MATCHES 'a.*b' AND TRUEPREDICATE",
      "((((age))) + 1) * 2 == -(3 - age) / 4", "NONE tasks.title LIKE[c] '*?x'", "SELF == 3",
    ],
    words: [
      "age", "name", "salary", "company", "tasks", ".", ".name", ".title", ".@count",
      ".@sum.effort", " AND ",
      " OR ", "NOT ", "!", "(", ")", "{", "}", "[cd]", " == ", " != ", " < ", " IN ", " BETWEEN ",
      " CONTAINS ",
      " MATCHES ", " SEARCH ", " LIKE ", "ANY ", "ALL ", "NONE ", "'", "\"", "\\", "%@", "%K", "1",
      "-", "+",
      "*", "/", "NULL",
      "TRUE", "born", "CAST(", "now()", "$x", "#", "`", "\n", "e\u{301}", "👩‍👩‍👧",
    ],
    check: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let entity = FuzzSchema.entity else { return ["the schema of the test is wrong"] }
      do throws(PredicateSyntaxError) {
        let predicate = try Predicate.parse(text, entity: entity, in: FuzzSchema.schema)
        let printed = predicate.formatted(entity: entity, in: FuzzSchema.schema)
        let again = try Predicate.parse(printed, entity: entity, in: FuzzSchema.schema)
        var broken = again == predicate ? [] : ["is printed as \(printed), which is something else"]
        if again.formatted(entity: entity, in: FuzzSchema.schema) != printed {
          broken.append("is printed in another way the second time")
        }
        return broken
      } catch {
        let completions = PredicateCompletion(
          of: text, at: text.count / 2, entity: entity, in: FuzzSchema.schema)
        if !(0...text.count).contains(completions.range.upperBound) {
          return ["a completion is outside of the text"]
        }
        return place(error, in: text) + sentence(error.description, of: bytes)
      }
    })

  static let sortOrder = FuzzTarget(
    name: "sort order",
    seeds: ["company.name[cd], salary desc", "age asc, born DESC, name[c]", ""],
    words: [
      "age", "name", "company", ".name", "[cd]", "[c]", " asc", " desc", ",", ".", " ", "é", "(",
      "`",
    ],
    check: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let entity = FuzzSchema.entity else { return ["the schema of the test is wrong"] }
      do throws(PredicateSyntaxError) {
        _ = try SortDescriptor.parse(text, entity: entity, in: FuzzSchema.schema)
        return []
      } catch {
        return place(error, in: text) + sentence(error.description, of: bytes)
      }
    })

  private static func place(_ error: PredicateSyntaxError, in text: String) -> [String] {
    error.offset + error.length > text.count + 1
      || error.utf8Offset + error.utf8Length > text.utf8.count
      ? ["an error is at \(error.offset) of \(text.count)"] : []
  }
}

/// The schema of the predicates.
enum FuzzSchema {
  static let entity = schema.entity(named: "Employee")

  static let schema = CompanySchema.with([
    "Employee": [
      CompanySchema.attribute("born", .date), CompanySchema.attribute("rate", .decimal),
      CompanySchema.attribute("active", .boolean), CompanySchema.attribute("badge", .uuid),
      CompanySchema.attribute("any", .undefined),
    ],
    "Task": [CompanySchema.attribute("effort", .double)],
  ])
}
