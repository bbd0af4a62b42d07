// The adapters for React and Vue, with the parts of them that they use.
import { test } from 'tap'
import { type AdaptedClient, reactTelemetry } from './react.ts'
import { TELEMETRY, type VueAppLike, vueTelemetry } from './vue.ts'

function recording(): AdaptedClient & { readonly captured: unknown[][] } {
  const captured: unknown[][] = []
  return { captured, track: () => undefined, captureError: (...given) => captured.push(given) }
}

class Component {
  readonly props: object
  state: unknown
  constructor(props: object) {
    this.props = props
  }
  setState(state: object): void {
    this.state = state
  }
}

const react = {
  Component,
  createContext: <T>(value: T) => ({ Provider: 'provider', value }),
  useContext: <T>(context: unknown) => (context as { value: T }).value,
  createElement: (type: unknown, props: object | null, ...children: unknown[]) => ({
    type,
    props,
    children
  })
}

test('a React provider and hook hand out the client', async (t) => {
  const client = recording()
  const { TelemetryProvider, useTelemetry } = reactTelemetry(react, client)
  t.equal(useTelemetry(), client)
  t.same(TelemetryProvider({ children: 'x' }), {
    type: 'provider',
    props: { value: client },
    children: ['x']
  })
})

test('a React boundary records what its children throw, and shows its fallback', async (t) => {
  const client = recording()
  const { TelemetryBoundary } = reactTelemetry(react, client)
  const boundary = new TelemetryBoundary({
    children: 'fine',
    fallback: (error: unknown) => `broken: ${error}`
  })
  t.equal(boundary.render(), 'fine')
  boundary.componentDidCatch('oh')
  boundary.state = TelemetryBoundary.getDerivedStateFromError('oh')
  t.equal(boundary.render(), 'broken: oh')
  t.same(client.captured, [['oh', {}, true]])
  const plain = new TelemetryBoundary({ fallback: 'sorry' })
  t.equal(plain.render(), null)
  plain.state = { isBroken: true }
  t.equal(plain.render(), 'sorry')
  const bare = new TelemetryBoundary({})
  bare.state = { isBroken: true }
  t.equal(bare.render(), null)
})

test('a Vue app gets the client, and its errors are recorded and passed on', async (t) => {
  const client = recording()
  const seen: unknown[] = []
  const provided = new Map<unknown, unknown>()
  const app: VueAppLike = {
    config: { errorHandler: (error) => seen.push(error) },
    provide: (key, value) => provided.set(key, value)
  }
  vueTelemetry(client).install(app)
  app.config.errorHandler?.('oh', null, 'setup')
  t.equal(provided.get(TELEMETRY), client)
  t.same(client.captured, [['oh', { body: 'setup' }, true]])
  t.same(seen, ['oh'])
})

test('an error that no Vue handler takes is reported as the browser would', async (t) => {
  const client = recording()
  const reported: unknown[] = []
  const former = globalThis.reportError
  globalThis.reportError = (error) => reported.push(error)
  t.teardown(() => {
    globalThis.reportError = former
  })
  const app: VueAppLike = { config: {}, provide: () => undefined }
  vueTelemetry(client).install(app)
  app.config.errorHandler?.('oh', null, 'setup')
  t.same(client.captured, [['oh', { body: 'setup' }, false]])
  t.same(reported, ['oh'])
})
