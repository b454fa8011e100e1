import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import Testing

private final class Person: CoreStoreObject {
  @Field.Stored("name") var name: String = ""
  @Field.Stored("surname") var surname: String = ""
  @Field.Stored("gender") var gender: String = ""
  @Field.Stored("age") var age: Int = 0
  @Field.Stored("rating") var rating: Double = 0
  @Field.Stored("nickname") var nickname: String?
  @Field.Stored("born") var born: Date?
  @Field.Stored("isMember") var isMember: Bool = true
  @Field.Stored("level") var level: Int8 = 100
  @Field.Relationship("friends", inverse: \Friend.$of) var friends: Set<Friend>
}

private final class Friend: CoreStoreObject {
  @Field.Stored("name") var name: String = ""
  @Field.Relationship("of") var of: Person?
}

// Promise: a text names a property that is not there, or hands over no value → a sentence where the text
// is.
// Also: `DictionaryQueryTests.conditionsWithoutASchema`
/// The chapters on fetching and querying of CoreStore's document, with clauses as arguments and keys as
/// texts. The line of a block is that of its first fence.
@MainActor
@Suite struct ClauseTests {
  private let folder: TemporaryDirectory
  private let url: URL
  private let dataStack = DataStack(
    CoreStoreSchema(
      modelVersion: "V1", entities: [Entity<Person>("Person"), Entity<Friend>("Friend")]))

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("MyStore.sqlite")
    try dataStack.addStorageAndWait(SQLiteStore(fileURL: url))
    try dataStack.perform(synchronous: { transaction in
      for (name, surname, gender, age, rating, friends) in [
        ("John", "Smith", "M", 30, 2.5, 2), ("Jane", "Doe", "F", 22, 4.5, 1),
        ("Kim", "Lee", "M", 42, 4.5, 0), ("Ann", "Ek", "F", 42, 1, 0),
      ] {
        let person = try transaction.create(Into<Person>())
        (person.name, person.surname, person.gender) = (name, surname, gender)
        (person.age, person.rating) = (age, rating)
        person.born = Date(timeIntervalSinceReferenceDate: Double(age) * 1000)
        for number in 0..<friends {
          let friend = try transaction.create(Into<Friend>())
          (friend.name, friend.of) = ("\(name)'s \(number)", person)
        }
      }
    })
  }

  @Test(
    "CoreStore.md:158, 1143, 1173, 1192, 1199: conditions as clauses, in texts, and in the query")
  func conditions() throws {
    var people = try dataStack.fetchAll(
      From<Person>(),
      Where<Person>("%K > %d", "age", 30)  // string format initializer
    )
    #expect(Set(people.map(\.name)) == ["Kim", "Ann"])
    people = try dataStack.fetchAll(
      From<Person>(),
      Where<Person>(true)  // boolean initializer
    )
    #expect(people.count == 4)
    people = try dataStack.fetchAll(
      From<Person>()
        .where(\.$age > 30)  // Type-safe!
    )
    #expect(people.count == 2)
    people = try dataStack.fetchAll(
      From<Person>()
        .where(\.$age > 30 && \.$gender == "M")
    )
    #expect(people.map(\.name) == ["Kim"])
    people = try dataStack.fetchAll(
      From<Person>()
        .where(\.$age > 30)
        .orderBy(.ascending(\.$name), .descending(\.$age))
        .tweak({ $0.includesPendingChanges = false }))
    #expect(people.map(\.name) == ["Ann", "Kim"])
  }

  @Test("CoreStore.md:1184: a condition that is there already")
  func predicates() throws {
    let condition: Where<Person> = \.$age > 30
    let people = try dataStack.fetchAll(
      From<Person>(),
      Where<Person>(condition.predicate)  // predicate initializer
    )
    #expect(people.count == 2)
  }

  @Test("Whatever an attribute holds is an argument")
  func arguments() throws {
    let john = try #require(
      try dataStack.fetchOne(From<Person>(), Where<Person>("name == %@", "John")))
    let born = john.born
    let conditions: [(Where<Person>, Int)] = [
      (Where("name IN %@", ["John", "Ann"]), 2), (Where("rating < %f", 2.6), 2),
      (Where("nickname == %@", nil), 4), (Where("born == %@", born), 1),
      (Where("ANY friends.name BEGINSWITH %@", "John"), 1), (Where("age", isEqualTo: 42), 2),
      (Where("nickname", isEqualTo: nil), 4), (Where("name == 'Kim'"), 1),
      (!Where("age > %d", 30) && Where("gender == %@", "F"), 1),
      (Where("friends.@count == %d", 1), 1),
    ]
    for (condition, count) in conditions {
      #expect(try dataStack.fetchCount(From<Person>(), condition) == count, "\(condition)")
    }
    #expect(try dataStack.fetchCount(From<Friend>(), Where<Friend>("of == %@", john)) == 2)
  }

  @Test("CoreStore.md:1210, 1218, 1226: orders of several keys, put together")
  func orders() throws {
    var mostValuablePeople = try dataStack.fetchAll(
      From<Person>(),
      OrderBy<Person>(.descending("rating"), .ascending("surname"))
    )
    #expect(mostValuablePeople.map(\.surname) == ["Doe", "Lee", "Smith", "Ek"])
    let people = try dataStack.fetchAll(
      From<Person>()
        .orderBy(.descending(\.$rating), .ascending(\.$surname))  // Type-safe!
    )
    #expect(people == mostValuablePeople)
    var orderBy = OrderBy<Person>(.descending(\.$age))
    for sortFromWorst in [false, true] {
      if sortFromWorst {
        orderBy += OrderBy(.ascending(\.$rating))
      }
      mostValuablePeople = try dataStack.fetchAll(
        From<Person>(),
        orderBy, Where<Person>("age > %d", 30)
      )
      #expect(mostValuablePeople.map(\.name) == (sortFromWorst ? ["Ann", "Kim"] : ["Kim", "Ann"]))
    }
    #expect(orderBy == OrderBy(.descending(\.$age)) + OrderBy(.ascending("rating")))
  }

  @Test("CoreStore.md:1240, 1253, CoreStore-2015.md:40: tweaks")
  func tweaks() throws {
    var people = try dataStack.fetchAll(
      From<Person>(),
      Where<Person>("age > %d", 30),
      OrderBy<Person>(.ascending("surname")),
      Tweak { (fetchRequest) -> Void in
        fetchRequest.includesPendingChanges = false
        fetchRequest.returnsObjectsAsFaults = false
        fetchRequest.includesSubentities = false
        fetchRequest.fetchLimit = 1
      }
    )
    #expect(people.map(\.name) == ["Ann"])
    people = try dataStack.fetchAll(
      From<Person>()
        .where(\.$age > 30)
        .orderBy(.ascending(\.$surname))
        .tweak {
          $0.includesPendingChanges = false
          $0.returnsObjectsAsFaults = false
          $0.includesSubentities = false
        }
    )
    #expect(people.map(\.name) == ["Ann", "Kim"])
  }

  @Test("The same clauses in transactions")
  func transactions() throws {
    let (count, ids, first) = try dataStack.perform(synchronous: { transaction in
      let men = Where<Person>("gender == %@", "M")
      let count = try transaction.fetchCount(From<Person>(), men)
      let ids = try transaction.fetchObjectIDs(
        From<Person>(), men, OrderBy<Person>(.ascending("age")))
      let first = try transaction.fetchObjectID(
        From<Person>(), OrderBy<Person>(.ascending("age")), men)
      #expect(try transaction.fetchAll(From<Person>(), men).count == 2)
      #expect(
        try transaction.fetchOne(From<Person>(), men, OrderBy<Person>(.ascending("age")))?.name
          == "John")
      #expect(try transaction.queryValue(From<Person>(), Select<Int>(.sum("age")), men) == 72)
      #expect(try transaction.queryAttributes(From<Person>(), Select("age"), men).count == 2)
      #expect(try transaction.deleteAll(From<Person>(), men) == 2)
      return (count, ids, first)
    })
    #expect(count == 2 && ids.count == 2 && ids.first == first)
    #expect(try dataStack.fetchCount(From<Person>()) == 2)
    #expect(try dataStack.fetchObjectIDs(From<Person>(), Where<Person>("age > %d", 90)).isEmpty)
    #expect(try dataStack.fetchObjectID(From<Person>(), Where<Person>(false)) == nil)
  }
}

extension ClauseTests {
  @Test("CoreStore.md:1284, 1301, 1316, CoreStore-2015.md:51: one value")
  func values() throws {
    let johnsAge = try dataStack.queryValue(
      From<Person>(),
      Select<Int>("age"),
      Where<Person>("name == %@", "John")
    )
    #expect(johnsAge == 30)
    #expect(
      try dataStack.queryValue(
        From<Person>()
          .select(\.$age)  // binds the result to Int
          .where(\.$name == "John")
      ) == 30)
    let oldestAge = try dataStack.queryValue(
      From<Person>(),
      Select<Int>(.maximum("age"))
    )
    #expect(oldestAge == 42)
    let count = try dataStack.queryValue(
      From<Person>(),
      Select<Int>(.count("age"))
    )
    #expect(count == 4)
    for (select, term) in [
      (Select<Double>(.average("age")), "avg(age)"),
      (Select<Double>(.sum("rating")), "sum(rating)"),
      (Select<Double>(.minimum("rating")), "min(rating)"),
    ] {
      let value = try dataStack.queryValue(From<Person>(), select)
      #expect(try SQLiteCommand.run("SELECT \(term) FROM Person", on: url) == value?.description)
    }
  }

  @Test("A number is cut to the type that is asked for, and a value of another type is nil")
  func typesOfValues() throws {
    let john = Where<Person>("name == %@", "John")
    #expect(try dataStack.queryValue(From<Person>(), Select<Int>("rating"), john) == 2)
    #expect(try dataStack.queryValue(From<Person>(), Select<Float>("rating"), john) == 2.5)
    #expect(try dataStack.queryValue(From<Person>(), Select<Int>("name"), john) == nil)
    #expect(
      try dataStack.queryValue(From<Person>(), Select<Date>("born"), john)
        == Date(timeIntervalSinceReferenceDate: 30_000))
    #expect(try dataStack.queryValue(From<Person>(), Select<String>("nickname"), john) == nil)
    #expect(
      try dataStack.queryValue(From<Person>(), Select<Int>("age"), Where<Person>(false)) == nil)
  }

  @Test("An aggregate is of the first objects that a Tweak leaves, and of the type of its kind")
  func aggregates() throws {
    let all = From<Person>()
    let oldest = OrderBy<Person>(.descending("age"), .ascending("name"))
    #expect(try dataStack.queryValue(all, Select<Int>(.maximum("age")), oldest) == 42)
    let two = Tweak { $0.fetchLimit = 2 }
    #expect(try dataStack.queryValue(all, Select<Int>(.sum("age")), oldest, two) == 84)
    #expect(
      try dataStack.queryValue(
        all.select(Int.self, .sum(\.$age)).orderBy(.descending(\.$age))) == 136)
    #expect(
      try dataStack.queryValue(all.orderBy(.ascending(\.$age)).select(Int.self, .count())) == 4)
    let rows = try dataStack.queryAttributes(
      all, Select(.sum("isMember"), .sum("level"), .maximum("level")), oldest, two)
    #expect(rows.map { $0["sum(isMember)"] as? Int } == [2])
    #expect(rows.map { $0["sum(level)"] as? Int } == [200])
    #expect(rows.map { $0["max(level)"] as? Int8 } == [100])
    #expect(try dataStack.queryValue(all, Select<Int>(.sum("level"))) == 400)
    #expect(try dataStack.queryValue(all, Select<Int>(.average("rating"))) == 3)
  }

  @Test(
    "An aggregate is of one type by its kind and its property, and another that is asked for is nil"
  )
  func typesOfAggregates() throws {
    let all = From<Person>()
    #expect(try dataStack.queryValue(all, Select<Date>(.count("age"))) == nil)
    #expect(try dataStack.queryValue(all, Select<Date>(.count("born"))) == nil)
    #expect(try dataStack.queryValue(all, Select<Date>(.sum("age"))) == nil)
    #expect(try dataStack.queryValue(all, Select<Date>(.sum("born"))) == nil)
    #expect(try dataStack.queryValue(all, Select<Date>(.average("born"))) == nil)
    #expect(try dataStack.queryValue(all.select(Date.self, .count())) == nil)
    #expect(try dataStack.queryValue(all, Select<Decimal>(.count("age"))) == nil)
    #expect(try dataStack.queryValue(all, Select<Decimal>(.average("age"))) == nil)
    #expect(try dataStack.queryValue(all, Select<Bool>(.average("isMember"))) == nil)
    #expect(try dataStack.queryValue(all, Select<Bool>(.sum("isMember"))) == nil)
    #expect(try dataStack.queryValue(all, Select<Bool>(.count("isMember"))) == nil)
    #expect(try dataStack.queryValue(all, Select<String>(.maximum("age"))) == nil)
    #expect(try dataStack.queryValue(all, Select<Int8>(.sum("level"))) == nil)
    // The same questions by the type that is theirs.
    #expect(try dataStack.queryValue(all, Select<Int>(.count("born"))) == 4)
    #expect(try dataStack.queryValue(all, Select<Double>(.sum("born"))) == 136_000)
    #expect(
      try dataStack.queryValue(all, Select<Date>(.maximum("born")))
        == Date(timeIntervalSinceReferenceDate: 42_000))
    #expect(try dataStack.queryValue(all, Select<Double>(.average("isMember"))) == 1)
    #expect(try dataStack.queryValue(all, Select<Bool>(.minimum("isMember"))) == true)
    #expect(try dataStack.queryValue(all, Select<String>(.minimum("name"))) == "Ann")
  }

  @Test("The average of truth values is a number, and none of them")
  func averageOfTruthValues() throws {
    let all = From<Person>()
    try dataStack.perform(synchronous: { transaction in
      for person in try transaction.fetchAll(all).prefix(2) { person.isMember = false }
    })
    #expect(try dataStack.queryValue(all, Select<Double>(.average("isMember"))) == 0.5)
    #expect(try dataStack.queryValue(all.select(Double.self, .average(\.$isMember))) == 0.5)
    #expect(try dataStack.queryValue(all, Select<Bool>(.average("isMember"))) == nil)
    #expect(try dataStack.queryValue(all, Select<Int>(.sum("isMember"))) == 2)
  }

  @Test("A sum that 64 bits do not hold is an error, whatever is asked for")
  func sumsThatAreTooGreat() throws {
    try dataStack.perform(synchronous: { transaction in
      for person in try transaction.fetchAll(From<Person>()) { person.age = .max }
    })
    #expect(throws: AggregateValueError.self) {
      try dataStack.queryValue(From<Person>(), Select<Int>(.sum("age")))
    }
    #expect(throws: AggregateValueError.self) {
      try dataStack.queryValue(From<Person>(), Select<Date>(.sum("age")))
    }
  }

  private func lines(_ rows: [[String: Any]]) -> [String] {
    rows.map { row in row.keys.sorted().map { "\($0)=\(row[$0] ?? "")" }.joined(separator: " ") }
  }

  @Test("CoreStore.md:1294, 1324, 1331, 1344, 1351, 1364, 1371: dictionaries")
  func attributes() throws {
    let allAges = try dataStack.queryAttributes(
      From<Person>(),
      Select("age")
    )
    #expect(Set(lines(allAges)) == ["age=22", "age=30", "age=42"])
    let byName = OrderBy<Person>(.ascending("name"))
    var personJSON = try dataStack.queryAttributes(
      From<Person>(),
      Select("name", "age"), byName
    )
    #expect(
      lines(personJSON)
        == ["age=42 name=Ann", "age=22 name=Jane", "age=30 name=John", "age=42 name=Kim"])
    personJSON = try dataStack.queryAttributes(
      From<Person>(),
      Select("name", .count("friends")), byName
    )
    #expect(personJSON.map { $0["count(friends)"] as? Int } == [0, 1, 2, 0])
    personJSON = try dataStack.queryAttributes(
      From<Person>(),
      Select("name", .count("friends", as: "friendsCount")), byName
    )
    #expect(personJSON.map { $0["friendsCount"] as? Int } == [0, 1, 2, 0])
    #expect(
      try dataStack.queryAttributes(From<Person>(), Select("nickname", "born"), byName)
        .map { $0["born"] is Date && $0.count == 1 } == [true, true, true, true])
  }

  @Test("CoreStore.md:1387, 1395, 1403: groups")
  func groups() throws {
    let byAge = OrderBy<Person>(.ascending("age"))
    var personJSON = try dataStack.queryAttributes(
      From<Person>(),
      Select("age", .count("age", as: "count")),
      GroupBy("age"), byAge
    )
    #expect(lines(personJSON) == ["age=22 count=1", "age=30 count=1", "age=42 count=2"])
    personJSON = try dataStack.queryAttributes(
      From<Person>()
        .select(.attribute(\.$age), .count(\.$age, as: "count"))
        .groupBy(\.$age)
        .orderBy(.ascending(\.$age))
    )
    #expect(lines(personJSON) == ["age=22 count=1", "age=30 count=1", "age=42 count=2"])
  }

  @Test func aTextWithAnUnknownNameTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Where<Person>("agee > %d", 30)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Where<Person>: ") && text.contains("agee"), "\(text)")
  }

  @Test func anOrderByAnUnknownNameTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OrderBy<Person>(.ascending("surnme"))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("Person cannot be asked for that: ") && text.contains("surnme"), "\(text)")
  }

  @Test func anArgumentThatIsNoValueTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Where<Person>("age > %@", ["a": 1])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("which no attribute can hold"), "\(text)")
  }
}
