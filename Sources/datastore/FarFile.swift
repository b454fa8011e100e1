import ArgumentParser
import DatastoreCore
import DatastoreFar
import Foundation

/// What is done where the machine that has a file has no “datastore”.
enum WhenMissing: String, CaseIterable, ExpressibleByArgument {
  /// This program is copied there for as long as the command runs.
  case bring
  /// A copy of the file is looked at, which the `sqlite3` there makes.
  case copy
}

/// A file at the other end of a line, and what the user wants where no “datastore” is installed there: it is
/// asked once, when the file is opened for the first time, and holds for all further lines of the command.
final class FarFile: Sendable {
  let address: FarAddress
  private let whenMissing: WhenMissing?
  private let way = Lock(Way.installed)

  private enum Way {
    /// As far as is known.
    case installed
    case brought(FarAddress)
    case copied(FarCopy)
  }

  /// - Parameter whenMissing: nil for asking, where there is a terminal.
  init(_ address: FarAddress, whenMissing: WhenMissing? = nil) {
    self.address = address
    self.whenMissing = whenMissing
  }

  /// What people call it.
  var name: String { address.name }

  /// The copy that is looked at; nil where the file itself is. It must have been opened.
  var copy: FarCopy? {
    if case .copied(let copy) = way.withLock({ $0 }) { return copy }
    return nil
  }

  /// Removes what was copied to this machine.
  func leave() { copy?.remove() }

  /// Opens it, or the copy of it.
  ///
  /// - Parameters:
  ///   - isWriting: whether something is to be saved, for which there has to be a program there.
  ///   - there: opens the file itself.
  ///   - here: opens the copy, which is never written.
  /// - Throws: `Failure` where there is no way to it; what opening throws.
  func open<Store>(
    isWriting: Bool, there: (FarAddress) throws -> Store, here: (URL) throws -> Store
  ) throws -> Store {
    switch way.withLock({ $0 }) {
    case .installed:
      do {
        return try there(address)
      } catch let missing as FarProgramMissing {
        let chosen = try choose(missing, isWriting: isWriting)
        way.withLock { $0 = chosen }
        return try open(isWriting: isWriting, there: there, here: here)
      }
    case .brought(let address): return try there(address)
    case .copied(let copy):
      if isWriting { throw Failure(.cannotCreate, Self.unsaved(name)) }
      return try here(copy.url)
    }
  }

  /// Has the program there say something about the file, line by line.
  ///
  /// - Returns: what it ends with.
  /// - Throws: `Failure`.
  func answer(_ arguments: [String]) throws -> Int32 {
    func answer(_ address: FarAddress) throws -> Int32 {
      let (status, complaint) = try address.answer(arguments, line: Message.answer)
      if let complaint { Message.writeLine(complaint) }
      return status
    }
    do {
      return try answer(address)
    } catch let missing as FarProgramMissing {
      let missing = Failure(
        .inputOutput, "\(missing.description) \(Self.advice(isWriting: true))")
      guard try mayBring(missing) else { throw missing }
      return try answer(brought())
    }
  }
}

// Where it is missing.
extension FarFile {
  private func choose(_ missing: FarProgramMissing, isWriting: Bool) throws -> Way {
    let missing = Failure(
      .inputOutput, "\(missing.description) \(Self.advice(isWriting: isWriting))")
    do {
      if try mayBring(missing) { return .brought(try brought()) }
    } catch let error as Failure {
      throw error
    } catch {
      // Who was asked is asked for the other way.
      if whenMissing != nil { throw error }
      Message.write("\(error)")
    }
    if isWriting {
      throw whenMissing == .copy ? Failure(.cannotCreate, Self.unsaved(name)) : missing
    }
    let copying = try FarCopying(of: address)
    defer { copying.close() }
    let size = Self.megabytes(copying.byteCount)
    let isWanted =
      whenMissing == .copy
      || ask("Look at a copy of the file instead, which the sqlite3 there makes (\(size))?")
    guard isWanted else { throw missing }
    return .copied(try FarCopy(copying, of: address))
  }

  /// Whether this program is to be copied there.
  ///
  /// - Throws: `missing` where nobody can be asked.
  private func mayBring(_ missing: Failure) throws -> Bool {
    if let whenMissing { return whenMissing == .bring }
    guard Self.canAsk else { throw missing }
    let size = FarBringing.byteCount.map { Self.megabytes($0) + ", " } ?? ""
    return ask(
      "“datastore” is not installed \(address.place). Copy this program there (\(size)gone when you leave)?"
    )
  }

  /// The address with this program at the other end, which is brought now.
  private func brought() throws -> FarAddress {
    let display = TransferDisplay("copying this program there")
    defer { display.finish() }
    var address = address
    let bringing = FarBringing(progress: display.show)
    address.bringing = bringing
    // What is in the way is said before anything else is done.
    _ = try address.words([])
    return address
  }

  private static func unsaved(_ name: String) -> String {
    "Nothing can be saved in a copy of \(name); install datastore there, or give --when-missing bring."
  }

  private static func advice(isWriting: Bool) -> String {
    let bring =
      "--far-program says where it is; --when-missing bring copies this program there while it is used"
    return isWriting
      ? "\(bring)." : "\(bring), and --when-missing copy looks at a copy of the file."
  }
}

// Questions before the screen is taken.
extension FarFile {
  private static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && Message.isTerminal }

  private func ask(_ question: String) -> Bool {
    guard Self.canAsk else { return false }
    Message.ask("\(question) [y/N] ")
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    return answer == "y" || answer == "yes"
  }

  static func megabytes(_ count: Int) -> String {
    count < 1_000_000 ? "\((count + 999) / 1000) kB" : "\((count + 500_000) / 1_000_000) MB"
  }
}
