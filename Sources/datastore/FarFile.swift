import ArgumentParser
import Basics
import DatastoreCore
import DatastoreFar
import Foundation

/// The alternatives for a machine with no “datastore” installed.
enum WhenMissing: String, CaseIterable, ExpressibleByArgument {
  /// Copies this program there for as long as the command runs.
  case bring
  /// Shows a copy of the file, which the `sqlite3` there makes.
  case copy
}

/// A file at the other end of a line, and the user's choice if no “datastore” is installed there. The user is
/// asked once, when the file is first opened; the answer holds for all further lines of the command.
final class FarFile: Sendable {
  let address: FarAddress
  private let whenMissing: WhenMissing?
  private let way = Lock(Way.installed)

  private enum Way {
    /// Unless opening shows that the program is missing.
    case installed
    case brought(FarAddress)
    case copied(FarCopy)
  }

  /// - Parameter whenMissing: nil to ask the user, if there is a terminal.
  init(_ address: FarAddress, whenMissing: WhenMissing? = nil) {
    self.address = address
    self.whenMissing = whenMissing
  }

  var name: String { address.name }

  /// The copy that is shown; nil if the file itself is. The file must have been opened.
  var copy: FarCopy? {
    if case .copied(let copy) = way.withLock({ $0 }) { return copy }
    return nil
  }

  /// Removes the copy from this machine.
  func leave() { copy?.remove() }

  /// Opens the file, or its copy.
  ///
  /// - Parameters:
  ///   - isWriting: whether changes will be saved, which requires a program there.
  ///   - there: opens the file itself.
  ///   - here: opens the copy, which is read-only.
  /// - Throws: `Failure` if the file cannot be reached; errors of opening.
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

  /// Runs a command of the program there, and prints its output line by line.
  ///
  /// - Returns: the exit status of the command.
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

// A program that is missing there.
extension FarFile {
  private func choose(_ missing: FarProgramMissing, isWriting: Bool) throws -> Way {
    let missing = Failure(
      .inputOutput, "\(missing.description) \(Self.advice(isWriting: isWriting))")
    do {
      if try mayBring(missing) { return .brought(try brought()) }
    } catch let error as Failure {
      throw error
    } catch {
      // A user who was asked is offered the other way, too.
      if whenMissing != nil { throw error }
      Message.write("\(error)")
    }
    if isWriting {
      throw whenMissing == .copy ? Failure(.cannotCreate, Self.unsaved(name)) : missing
    }
    let copying = try FarCopying(of: address)
    defer { copying.close() }
    let size = CountText.bytes(copying.byteCount)
    let isWanted =
      whenMissing == .copy
      || ask("Look at a copy of the file instead, made by the sqlite3 there (\(size))?")
    guard isWanted else { throw missing }
    return .copied(try FarCopy(copying, of: address))
  }

  /// Whether to copy this program there.
  ///
  /// - Throws: `missing` if there is no terminal to ask on.
  private func mayBring(_ missing: Failure) throws -> Bool {
    if let whenMissing { return whenMissing == .bring }
    guard Self.canAsk else { throw missing }
    let size = FarBringing.byteCount.map { CountText.bytes($0) + ", " } ?? ""
    Message.write("“datastore” is not installed \(address.place)")
    return ask("Copy this program there (\(size)gone when you leave)?")
  }

  /// Brings this program to the other end, and returns the address that uses it.
  private func brought() throws -> FarAddress {
    let display = TransferDisplay("copying this program there")
    defer { display.finish() }
    var address = address
    let bringing = FarBringing(progress: display.show)
    address.bringing = bringing
    // Brings it at once, so that obstacles are reported before anything else.
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

// Questions before the browser takes the screen.
extension FarFile {
  private static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && Message.isTerminal }

  private func ask(_ question: String) -> Bool {
    guard Self.canAsk else { return false }
    Message.ask("\(question) [y/N] ")
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    return answer == "y" || answer == "yes"
  }
}
