// Code that was written for CoreValue imports this module alone; what has a name of Foundation here takes its
// place.
@_exported public import Foundation
@_exported public import SwiftDatastore
