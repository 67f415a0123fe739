import Foundation
import Images

// A right answer: it keeps a list of its providers as dependencies are added and removed, its state
// in an enum, and everything on a queue of its own.

public protocol ImageProvider: Operation {
  var imageResult: Result<RGBImage, any Error>? { get }
}

public enum ImageInputError: Error, Equatable {
  case noProvider
  case severalProviders(Int)
  case providerWasCancelled(String)
  case providerHasNothing(String)
}

public final class ImageFilterOperation: Operation, ImageProvider, @unchecked Sendable {
  public typealias Filter = @Sendable (RGBImage) throws -> RGBImage

  private enum State {
    case noResult
    case finished(Result<RGBImage, any Error>)
  }

  // Safe: used on `guardian` alone.
  private var state = State.noResult
  private var providers: [any ImageProvider] = []
  private let guardian = DispatchQueue(label: "katas.answers.image-filter")
  private let input: RGBImage?
  private let filter: Filter

  public init(input: RGBImage? = nil, filter: @escaping Filter) {
    self.input = input
    self.filter = filter
    super.init()
  }

  public override func addDependency(_ operation: Operation) {
    super.addDependency(operation)
    guard let provider = operation as? any ImageProvider else { return }
    guardian.sync {
      if !providers.contains(where: { $0 === provider }) { providers.append(provider) }
    }
  }

  public override func removeDependency(_ operation: Operation) {
    super.removeDependency(operation)
    guardian.sync { providers.removeAll { $0 === operation } }
  }

  public var imageResult: Result<RGBImage, any Error>? {
    guardian.sync {
      switch state {
      case .noResult: nil
      case .finished(let result): result
      }
    }
  }

  public override func main() {
    let result: Result<RGBImage, any Error>
    switch found() {
    case .success(let image): result = Result { try filter(image) }
    case .failure(let error): result = .failure(error)
    }
    if !isCancelled { guardian.async { self.state = .finished(result) } }
  }

  private func found() -> Result<RGBImage, any Error> {
    if let input { return .success(input) }
    let providers = guardian.sync { self.providers }
    switch providers.count {
    case 0: return .failure(ImageInputError.noProvider)
    case 1:
      let provider = providers[0]
      let name = provider.name ?? String(describing: type(of: provider))
      return provider.imageResult
        ?? .failure(
          provider.isCancelled
            ? ImageInputError.providerWasCancelled(name) : ImageInputError.providerHasNothing(name))
    default: return .failure(ImageInputError.severalProviders(providers.count))
    }
  }
}
