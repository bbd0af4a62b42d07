// What every provider with an HTTP API must do with answers that are late, broken, huge or of another server.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Test, test } from 'tap'
import type { MailProvider } from '../../contracts/mailer-provider.ts'
import {
  outcomeOf,
  type ProviderKind,
  providerCases,
  type Situation,
  type Staged
} from './provider-cases.ts'
import { answers, type Behaviour, vendorServer } from './vendor-server.ts'

/** A vendor under test. */
export interface VendorKind {
  readonly name: string
  readonly secrets: readonly string[]
  /** Makes the provider, with each of the secrets in its options. */
  create(options: { readonly baseUrl: string }): MailProvider
  /** The vendor's answer to a mail that it takes. */
  readonly accepts: Behaviour
  /** The vendor's error document. */
  errorBody(message: string): unknown
  /** Of a request body, when the mail is encoded once more. */
  mailIn?(body: string): string
}

/** Runs the cases of every provider, and those of HTTP. */
export function vendorCases(vendor: VendorKind): void {
  const behaviours: Readonly<Record<Exclude<Situation, 'gone' | 'silent'>, Behaviour>> = {
    taken: vendor.accepts,
    refused: answers(400, vendor.errorBody('no such user')),
    busy: answers(429, vendor.errorBody('slow down'), { 'retry-after': '7' }),
    unavailable: answers(503, vendor.errorBody('maintenance')),
    cut: (response) => response.socket?.destroy()
  }
  const kind: ProviderKind = {
    name: vendor.name,
    secrets: vendor.secrets,
    async stage(t, situation) {
      const silence = signal()
      const behave = situation === 'silent' ? silence.raise : behaviours[situation as 'taken']
      const staged = await stageServer(t, vendor, behave ?? vendor.accepts)
      if (situation !== 'gone') return { ...staged, silent: silence.raised }
      return { ...staged, provider: vendor.create({ baseUrl: await closedAddress() }) }
    }
  }
  providerCases(kind)
  answerCases(vendor)
}

/** A promise, and what settles it. */
function signal() {
  let raise = () => {}
  const raised = new Promise<void>((resolve) => {
    raise = resolve
  })
  return { raise: () => raise(), raised }
}

/** An address of this machine where nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

async function stageServer(t: Test, vendor: VendorKind, behave: Behaviour): Promise<Staged> {
  const { url, requests } = await vendorServer(t, behave)
  const provider = vendor.create({ baseUrl: url })
  const { mailIn = (body: string) => body } = vendor
  const received = () => requests.map(({ body }) => mailIn(body.toString('latin1')))
  return { provider, silent: new Promise(() => {}), received }
}

const HTML =
  (status: number): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html' })
    response.end('<h1>Welcome</h1>')
  }

function answerCases(vendor: VendorKind): void {
  const withSecrets = vendor.errorBody(`no such user ${vendor.secrets.join(' ')}\r\n`)
  const cases: readonly (readonly [string, Behaviour, object])[] = [
    [
      'an error of the vendor itself is tried again',
      answers(500, vendor.errorBody('oops')),
      { status: 'thrown' }
    ],
    ['an error of a gateway leaves the outcome unknown', HTML(502), { status: 'unknown' }],
    ['a success of another server leaves the outcome unknown', HTML(200), { status: 'unknown' }],
    [
      'a success without an id leaves the outcome unknown',
      answers(200, { id: {} }),
      { status: 'unknown' }
    ],
    [
      'a key that is refused is tried again',
      answers(401, vendor.errorBody('bad key')),
      { status: 'thrown' }
    ],
    ['an address that is unknown there is tried again', HTML(404), { status: 'thrown' }],
    [
      'a redirect is not followed',
      answers(307, {}, { location: 'http://127.0.0.1:1/' }),
      { status: 'thrown' }
    ],
    [
      'a refusal that repeats our secrets does not show them',
      answers(400, withSecrets),
      { status: 'rejected' }
    ],
    ['an answer that is too long leaves the outcome unknown', endless, { status: 'unknown' }],
    ['an answer that breaks off leaves the outcome unknown', brokenOff, { status: 'unknown' }]
  ]
  for (const [name, behave, expected] of cases) {
    test(`${vendor.name}: ${name}`, async (t) => {
      const outcome = await outcomeOf(await stageServer(t, vendor, behave))
      t.match(outcome, expected)
      for (const secret of vendor.secrets)
        t.notOk(outcome.shown.includes(secret), 'a secret is shown')
    })
  }
}

const endless: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"id": "')
  const more = () => {
    if (response.destroyed) return
    response.write('x'.repeat(65_536), more)
  }
  more()
}

const brokenOff: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"id": "1"', () => response.socket?.destroy())
}
