import Basics
import DatastoreCore
import Foundation

/// Values as texts in the form of a file: reading the text again gives the same value.
struct FieldText {
  let reading: ValueReading

  /// A value in the file's form for values of its kind; nil if there is none.
  ///
  /// - Parameters:
  ///   - former: the text that it replaces, or another one of its column.
  ///   - dates: the order of days and months in its column, if it is known.
  func text(
    _ value: Value, _ attribute: AttributeDescription, like former: String?,
    dates: DateOrder? = nil
  ) -> String? {
    switch (attribute.type, value) {
    case (_, .null): return nil
    case (.boolean, .integer(let integer)): return boolean(integer != 0, former)
    case (_, .integer(let integer)): return String(integer)
    case (.date, .real(let seconds)):
      return moment(seconds, former, dates ?? reading.dates)
        ?? ISODate.format(seconds) ?? number(seconds.description)
    case (.float, .real(let real)): return number(Float(real).description)
    case (.decimal, .real(let real)):
      let text = real.description
      return number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    case (_, .real(let real)): return number(real.description)
    case (.decimal, .text(let text)): return number(text)
    case (.calendarDate, .text(let text)): return day(text, former, dates ?? reading.dates)
    case (.uuid, .blob(let data)) where data.count == 16:
      let text = data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
      return former == former?.lowercased() && former != nil ? text.lowercased() : text
    case (_, .text(let text)): return text
    case (_, .blob(let data)): return data.base64EncodedString()
    }
  }

  private func number(_ text: String) -> String {
    reading.decimalMark == .comma ? Quoting.substituting(".", with: ",", in: text) : text
  }

  private func boolean(_ boolean: Bool, _ former: String?) -> String {
    let text = boolean ? "true" : "false"
    guard let former, let first = former.first, first.isUppercase else { return text }
    return former == former.uppercased() ? text.uppercased() : text.capitalized
  }

  /// A moment, in the form of the one that it replaces; nil if that would be another moment.
  private func moment(_ seconds: Double, _ former: String?, _ dates: DateOrder?) -> String? {
    guard let former, let form = MomentForm(former),
      let iso = ISODate.format(seconds + form.offset)?.dropLast()
    else { return nil }
    let day = day(String(iso.prefix(10)), String(form.day), dates)
    guard let text = form.text(day, iso.dropFirst(11)) else { return nil }
    var reading = reading
    reading.dates = dates
    return reading.isoDate(text).flatMap(ISODate.parse) == seconds ? text : nil
  }

  /// A day, in the form of the one that it replaces.
  private func day(_ iso: String, _ former: String?, _ dates: DateOrder?) -> String {
    guard let former, let sign = former.first(where: { "./-".contains($0) }),
      ISODate.parse(former) == nil
    else { return iso }
    let parts = iso.words(at: "-").map(String.init)
    let old = former.split(separator: sign)
    guard parts.count == 3, old.count == 3 else { return iso }
    func number(_ text: String, like other: Substring) -> String {
      other.first == "0" || other.count == 2 && text.first != "0" ? text : String(Int(text) ?? 0)
    }
    let isYearFirst = old[0].utf8.count == 4
    if isYearFirst {
      return [parts[0], number(parts[1], like: old[1]), number(parts[2], like: old[2])]
        .joined(separator: String(sign))
    }
    for order in [dates, .dayFirst, .monthFirst].compactMap(\.self)
    where TableDate.iso(former, order) != nil {
      let (first, second) = order == .dayFirst || sign == "." ? (2, 1) : (1, 2)
      return [
        number(parts[first], like: old[0]), number(parts[second], like: old[1]), parts[0],
      ].joined(separator: String(sign))
    }
    return iso
  }
}
