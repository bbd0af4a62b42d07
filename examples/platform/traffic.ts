// Drives a running demo through its public endpoints: a month of mail where there is none, and a believable hour of visitors.
import { parseArgs } from 'node:util'
import { type Environment, environmentOf } from '@keelson/sdk'
import { DEFAULT_PASSWORD } from './demo/people.ts'
import { connectReceivers } from './month/connect-receivers.ts'
import { openPlatform, type Platform } from './month/platform.ts'
import { isMonthThere, playMonth } from './month/play-month.ts'
import { chanceFrom } from './story/random.ts'
import type { StoryRecord } from './story/record.ts'
import { NEWEST_RELEASE } from './story/releases.ts'
import { shopCalls } from './story/shop-calls.ts'
import { tellStory } from './story/story.ts'
import { createMailTraffic } from './traffic-mail.ts'
import { metricsExport } from './traffic-metrics.ts'

const HELP = `npm run demo:traffic -- [--seed N] [--fast] [--month]
  Plays a month of mail on the demo at PORT (3000), once: broadcasts, bounces, reports. Then drives an hour of
  visitors, sign-ups, orders, errors and mails through it.
  --seed N   the same seed makes the same traffic
  --fast     as fast as the demo takes it; otherwise an hour passes in a minute
  --month    the month alone`

/** As the config of the demo has it. */
const DEFAULT_DMARC_SECRET = 'keelson-demo-dmarc'
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const STEPS = 60
/** Length of the period that metrics cover. */
const HOURS = 24
const BATCH = 100

interface Target {
  readonly url: string
  readonly key: string
  readonly platform: Platform
  /** Calls the demo as its administrator. */
  post(path: string, body: unknown): Promise<Response>
}

interface Sent {
  readonly records: number
  readonly mails: number
  /** Opens and clicks. */
  readonly visits: number
}

/** Returns the exit code: 0 done, 1 failed, 2 wrong use. */
export async function main(args: readonly string[], given: Environment): Promise<number> {
  const env = environmentOf(given)
  const options = readOptions(args)
  if (options === undefined) {
    console.error(HELP)
    return 2
  }
  try {
    const url = `http://${env['HOST'] ?? '127.0.0.1'}:${env['PORT'] ?? 3000}`
    const password = env['KEELSON_DEMO_PASSWORD'] ?? DEFAULT_PASSWORD
    const target = await openTarget(url, password)
    const dmarcSecret = env['KEELSON_DMARC_SECRET'] ?? DEFAULT_DMARC_SECRET
    const isNew = !(await isMonthThere(target.platform))
    if (isNew) {
      // A demo that npm start runs takes its new settings to another process: meanwhile what needs no moved clock.
      const operator = openPlatform(url, await signIn(url, 'platform@keelson.test', password))
      const [hasReceivers] = await Promise.all([connectReceivers(operator), measureDay(target)])
      await playMonth(target.platform, { dmarcSecret, hasReceivers, onProgress: showMonth })
    }
    console.log(isNew ? 'The month is there.' : 'The month was there.')
    if (options.isMonthAlone) return 0
    const { records, mails, visits } = await drive(target, options)
    console.log(
      `${records} records sent to ${url} with seed ${options.seed}; ${mails} mails arrived, with ${visits} opens and clicks.`
    )
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    return 1
  }
}

interface Options {
  readonly seed: number
  readonly isFast: boolean
  readonly isMonthAlone: boolean
}

function readOptions(args: readonly string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string' },
        fast: { type: 'boolean', default: false },
        month: { type: 'boolean', default: false }
      }
    })
    const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed)
    if (!Number.isInteger(seed)) return undefined
    return { seed, isFast: values.fast, isMonthAlone: values.month }
  } catch {
    return undefined
  }
}

async function post(
  url: string,
  body: unknown,
  headers: Record<string, string>
): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin, ...headers },
    body: JSON.stringify(body)
  })
  if (response.ok) return response
  throw new Error(
    `POST ${url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`
  )
}

/** Returns the cookie. */
async function signIn(url: string, email: string, password: string): Promise<string> {
  const signedIn = await post(`${url}/login`, { email, password }, {})
  return signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function openTarget(url: string, password: string): Promise<Target> {
  const cookie = await signIn(url, 'admin@acme.test', password)
  const asAdmin = (path: string, body: unknown) => post(`${url}${path}`, body, { cookie })
  const minted = await asAdmin('/telemetry/api/system/keys', {
    label: 'traffic',
    kind: 'secret',
    tenantMode: 'fixed',
    tenantId: 'acme',
    service: 'shop',
    env: 'dev',
    maxPerMinute: 1_000_000
  })
  const { key } = (await minted.json()) as { key: string }
  return { url, key, platform: openPlatform(url, cookie), post: asAdmin }
}

/** What the shop measured in the last day, an export for each hour. */
async function measureDay({ url, key }: Target): Promise<void> {
  const endMs = Date.now()
  const startMs = endMs - HOURS * HOUR_MS
  const records = tellStory(chanceFrom(HOURS), {
    from: new Date(startMs),
    to: new Date(endMs),
    visitorsPerHour: 20,
    userPrefix: 'm-'
  })
  for (let untilMs = startMs + HOUR_MS; untilMs <= endMs; untilMs += HOUR_MS) {
    const until = new Date(untilMs).toISOString()
    const told = records.filter(({ occurredAt }) => occurredAt < until)
    const body = metricsExport({ startMs, untilMs, records: told })
    await post(`${url}/ingest/v1/metrics`, body, { authorization: `Bearer ${key}` })
  }
}

/** Plays the hour in steps, each a sixtieth of it. */
async function drive(target: Target, options: Options): Promise<Sent> {
  const startMs = Date.now() - HOUR_MS
  const records = tellStory(chanceFrom(options.seed), {
    from: new Date(startMs),
    to: new Date(startMs + HOUR_MS),
    visitorsPerHour: 400,
    userPrefix: `t${options.seed}-`
  })
  const calls = shopCalls(records, options.seed)
  const mail = createMailTraffic(target)
  let sent = 0
  let called = 0
  for (let step = 1; step <= STEPS; step++) {
    const until = new Date(startMs + (step * HOUR_MS) / STEPS).toISOString()
    const due = records.slice(sent).filter(({ occurredAt }) => occurredAt < until)
    for (let at = 0; at < due.length; at += BATCH) await send(target, due.slice(at, at + BATCH))
    sent += due.length
    const dueCalls = calls.slice(called).filter(({ occurredAt }) => occurredAt < until)
    await Promise.all(dueCalls.map((call) => mail.call(call)))
    called += dueCalls.length
    await mail.read()
    showProgress(step / STEPS, sent, mail.counts.arrived)
    if (!options.isFast) await new Promise((resolve) => setTimeout(resolve, MINUTE_MS / STEPS))
  }
  await mail.readOn()
  return { records: sent, mails: mail.counts.arrived, visits: mail.counts.visits }
}

async function send(target: Target, records: readonly StoryRecord[]): Promise<void> {
  const batch = { sdk: { name: 'demo-traffic', version: '1' }, release: NEWEST_RELEASE, records }
  const reply = await post(`${target.url}/ingest`, batch, { authorization: `Bearer ${target.key}` })
  const { rejected } = (await reply.json()) as { rejected: number }
  if (rejected > 0) throw new Error(`${rejected} of ${records.length} records were rejected.`)
}

const showMonth = (share: number): void => showBar(share, 'of the month')

function showProgress(share: number, sent: number, mails: number): void {
  showBar(share, `${sent} records · ${mails} mails`)
}

/** A bar on a terminal; elsewhere, as in a log file, a line for each tenth. */
function showBar(share: number, what: string): void {
  const percent = Math.round(share * 100)
  const done = `${percent} % · ${what}`
  if (!process.stdout.isTTY) {
    if (percent % 10 === 0) console.log(done)
    return
  }
  const filled = Math.round(share * 40)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(40 - filled)}`
  process.stdout.write(`\r${bar} ${done}${share === 1 ? '\n' : ''}`)
}
