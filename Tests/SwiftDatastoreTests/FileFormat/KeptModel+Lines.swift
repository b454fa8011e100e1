import Foundation
import SwiftDatastore

/// The rows of a kept file, a line for each object, read through its class.
extension KeptModel {
  static func lines(_ context: SwiftDatastoreContext.Closure) throws -> [String] {
    try samples(context) + optionals(context) + parties(context) + others(context)
  }

  private static func samples(_ context: SwiftDatastoreContext.Closure) throws -> [String] {
    let samples: [Sample] = try context.fetch(orderBy: [.asc(\.$name)])
    return samples.map { s in
      """
      Sample \(s.name): \(s.int) \(s.int8) \(s.int16) \(s.int32) \(s.int64) \(s.uint) \(s.uint8) \
      \(s.uint16) \(s.uint32) \(s.uint64) \(s.flag) \(s.double) \(s.float) \(s.decimal) \
      \(s.text.debugDescription) \(s.url.absoluteString) \(s.date.timeIntervalSinceReferenceDate) \
      \(text(s.day)) \(s.uuid) \(Array(s.data))
      """
    }
  }

  private static func optionals(_ context: SwiftDatastoreContext.Closure) throws -> [String] {
    let all: [Optionals] = try context.fetch()
    return all.map { o in
      let numbers = [
        text(o.int), text(o.uint64), text(o.flag), text(o.double), text(o.float), text(o.decimal),
      ]
      let texts = [
        text(o.text), text(o.url?.absoluteString), text(o.date?.timeIntervalSinceReferenceDate),
        text(o.day), text(o.uuid), text(o.data.map { Array($0) }), text(o.anything),
      ]
      let others = [text(o.grade), text(o.colour), text(o.address), text(o.words)]
      return "Optionals: \((numbers + texts + others).joined(separator: " "))"
    }
  }

  private static func parties(_ context: SwiftDatastoreContext.Closure) throws -> [String] {
    let parties: [Party] = try context.fetch(orderBy: [.asc(\.$name)])
    return parties.map { party in
      var line = "\(type(of: party)) \(party.name) tags \(party.tags.map(\.label).sorted())"
      if let person = party as? Person {
        line += " born \(text(person.born?.timeIntervalSinceReferenceDate))"
        line += " partner \(text(person.partner?.name))"
        line += " of \(text(person.partnerOf?.name)) friends \(person.friends.map(\.name).sorted())"
        line += " of \(person.friendOf.map(\.name).sorted())"
        line += " notes \(person.notes.map(\.text).sorted())"
      }
      if let employee = party as? Employee {
        line += " badge \(employee.badge) mail \(employee.mail)"
        line += " company \(text(employee.company?.name)) manager \(text(employee.manager?.name))"
        line += " reports \(employee.reports.map(\.name).sorted())"
        line += " jobs \(employee.jobs.map(\.title))"
      }
      if let robot = party as? Robot {
        line += " serial \(robot.serial) guardian \(text(robot.guardian?.name))"
      }
      return line
    }
  }

  private static func others(_ context: SwiftDatastoreContext.Closure) throws -> [String] {
    let companies: [Company] = try context.fetch(orderBy: [.asc(\.$name)])
    let jobs: [Job] = try context.fetch(orderBy: [.asc(\.$title)])
    let tags: [Tag] = try context.fetch(orderBy: [.asc(\.$label)])
    let songs: [Song] = try context.fetch(orderBy: [.asc(\.$title)])
    let albums: [Album] = try context.fetch(orderBy: [.asc(\.$title)])
    let orders: [Order] = try context.fetch()
    let notes: [Note] = try context.fetch()
    return companies.map {
      "Company \($0.name) employees \($0.employees.map(\.name).sorted()) robot \(text($0.robot?.name)) "
        + "flagship \(text($0.flagship?.iD)) visitors \($0.visitors.map(\.name).sorted()) "
        + "ranking \($0.ranking.map(\.name))"
    } + jobs.map { "Job \($0.title) owner \(text($0.owner?.name))" }
      + tags.map { "Tag \($0.label) parties \($0.parties.map(\.name).sorted())" }
      + songs.map { "Song \($0.title) albums \($0.albums.map(\.title))" }
      + albums.map { "Album \($0.title) songs \($0.songs.map(\.title))" }
      + orders.map {
        "Order \($0.select) \(text($0.größe)) \(text($0.iD)) \(text($0.ID)) \(text($0._id)) "
          + text($0._entity)
      }
      + notes.map { "Note \($0.text) subject \(text($0.subject?.name))" }
  }

  private static func text<T>(_ value: T?) -> String { value.map { "\($0)" } ?? "-" }
}
