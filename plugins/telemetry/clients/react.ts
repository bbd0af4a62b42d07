// @keelson/telemetry/react: a provider, a hook and an error boundary. React itself is handed in.
import type { RecordDetails } from './record.ts'

/** The part of a telemetry client that the adapters use. */
export interface AdaptedClient {
  track(name: string, details?: RecordDetails): void
  captureError(error: unknown, details?: RecordDetails, handled?: boolean): void
}

/** The part of React that is used. */
export interface ReactLike<Node, Element extends Node> {
  createContext<T>(value: T): { readonly Provider: unknown }
  useContext<T>(context: unknown): T
  // biome-ignore lint/suspicious/noExplicitAny: React's own types differ by version; callers hand in React
  createElement(type: any, props: object | null, ...children: Node[]): Element
  readonly Component: new (
    props: object
  ) => {
    readonly props: object
    state: unknown
    setState(state: object): void
  }
}

interface BoundaryProps<Node> {
  readonly children?: Node
  /** Shown instead of what broke. */
  readonly fallback?: Node | ((error: unknown) => Node)
}

/**
 * `const { TelemetryProvider, useTelemetry, TelemetryBoundary } = reactTelemetry(React, client)`. The
 * boundary records what its children throw and shows its `fallback`.
 */
export function reactTelemetry<Node, Element extends Node, Client extends AdaptedClient>(
  react: ReactLike<Node, Element>,
  client: Client
) {
  const context = react.createContext<Client>(client)

  class TelemetryBoundary extends react.Component {
    static getDerivedStateFromError(error: unknown) {
      return { error, isBroken: true }
    }

    override state: { readonly error?: unknown; readonly isBroken: boolean } = { isBroken: false }

    componentDidCatch(error: unknown): void {
      client.captureError(error, {}, true)
    }

    render(): Node | null {
      const { children, fallback } = this.props as BoundaryProps<Node>
      if (!this.state.isBroken) return children ?? null
      const shown =
        typeof fallback === 'function' ? (fallback as (error: unknown) => Node) : undefined
      return shown === undefined
        ? ((fallback as Node | undefined) ?? null)
        : shown(this.state.error)
    }
  }

  return {
    TelemetryProvider: ({ children }: { readonly children: Node }): Element =>
      react.createElement(context.Provider, { value: client }, children),
    useTelemetry: (): Client => react.useContext<Client>(context),
    TelemetryBoundary
  }
}
