// Plays the last four weeks of the shop's mail on a running demo: day by day, with its clock taken back, by its own
// API, its queues and its mailbox. What a run that was cut short has done is not done twice.
import { BROADCASTS, DRAFTS, FIRST_DAY, type Made, type Planned } from './campaigns.ts'
import { connectAssistant } from './connect-assistant.ts'
import type { Platform } from './platform.ts'
import { openReaders, type Readers } from './readers.ts'
import { aggregateReports, type ReportFile, tlsReport } from './reports.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAYS = 28
const MAIL = '/admin/mailer/api'
const SIGN_UPS_A_DAY = 3
/** Customers from here on signed up in the month. */
const FIRST_NEW = 101
/** Mails of an ordinary day, and of a broadcast. */
const FEW = 40
const MANY = 200
/** Answers that say: it is there already. */
const THERE = [409]

export interface MonthOptions {
  /** The secret of inbound reports. */
  readonly dmarcSecret: string
  /** The demo looks at its stand-ins for receivers. */
  readonly hasReceivers: boolean
  /** Called with the share that is done, 0 to 1. */
  onProgress(share: number): void
}

interface Month extends MonthOptions {
  readonly platform: Platform
  readonly readers: Readers
  /** Midnight UTC of the first day. */
  readonly startMs: number
}

/** Whether a month was played to its end. */
export async function isMonthThere({ call }: Platform): Promise<boolean> {
  return (await call('GET', `${MAIL}/broadcasts/year-in-review`, undefined, [404])).status === 200
}

export async function playMonth(platform: Platform, options: MonthOptions): Promise<void> {
  const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAYS * DAY_MS
  const month = { ...options, platform, startMs, readers: openReaders(platform) }
  try {
    for (let day = 0; day < DAYS; day++) {
      await playDay(month, day)
      options.onProgress((day + 1) / DAYS)
    }
  } finally {
    await platform.call('PUT', '/dev/mailbox/unknown-addresses', { addresses: [] })
    await platform.moveTo(null)
  }
  // Who signs up today is still in the flow.
  await customers(month, DAYS)
  await connectAssistant(platform)
  if (month.hasReceivers) await lookAtReceivers(month)
  await make(platform, [WATCH_ERRORS, ...AGENT_TOKENS, ...DRAFTS])
}

/** A reader's report has the address listed for three days; the operator looks before, then, and after. */
const LISTED_BY_DAY: Readonly<Record<number, readonly string[]>> = {
  0: [],
  10: ['10.2.0.192.bl.spamcop.net'],
  13: []
}
const REPORTED_DAY = 9

async function lookAtBlockLists(month: Month, day: number): Promise<void> {
  const listed = LISTED_BY_DAY[day]
  if (!month.hasReceivers || listed === undefined) return
  const reportedOn = [at(month, REPORTED_DAY, 0).toISOString().slice(0, 10)]
  await month.platform.call('PUT', '/receivers/story', { listed, reportedOn })
  await month.platform.call('POST', `${MAIL}/dnsbl/recheck`)
}

/** What the jobs of these plugins do within ten minutes. */
async function lookAtReceivers({ platform }: Month): Promise<void> {
  for (const name of ['dnsbl/recheck', 'postmaster/refresh', 'snds/refresh']) {
    await platform.call('POST', `${MAIL}/${name}`)
  }
}

const WATCH_ERRORS: Made = {
  method: 'POST',
  path: '/telemetry/api/alerts',
  body: {
    name: 'Many errors',
    signal: { source: 'series', filters: { kind: 'error' } },
    condition: { type: 'threshold', op: 'above', value: 20 },
    windowMinutes: 60
  }
}

const agentToken = (name: string, scopes: readonly string[]): Made => ({
  method: 'POST',
  path: '/agent/admin/tokens',
  body: { name, scopes }
})

/** Their secrets are shown once, here to no one. */
const AGENT_TOKENS = [
  agentToken('Weekly report', ['mail:read']),
  agentToken('Release checks', ['mail:read', 'mail:write'])
]

async function make({ call }: Platform, all: readonly Made[]): Promise<void> {
  for (const { method, path, body } of all) await call(method, path, body, THERE)
}

const at = ({ startMs }: Month, day: number, hour: number): Date =>
  new Date(startMs + day * DAY_MS + hour * HOUR_MS)

async function playDay(month: Month, day: number): Promise<void> {
  const { platform, readers } = month
  await platform.moveTo(at(month, day, 7))
  // Mails of yesterday: who reads one within seconds counts as a machine.
  await readers.read(1, FEW)
  if (day === 0) await make(platform, FIRST_DAY)
  await lookAtBlockLists(month, day)
  await postReports(month, day)
  await customers(month, day)
  const planned = BROADCASTS.find((one) => one.day === day)
  if (planned === undefined) {
    await platform.moveTo(at(month, day, 12))
    return
  }
  await sendBroadcast(month, planned)
}

/** Yesterday's reports. */
async function postReports(month: Month, day: number): Promise<void> {
  const from = at(month, day - 1, 0)
  const mails = 180 + ((day * 37) % 90)
  await postReport(month, [...aggregateReports({ from, mails }), tlsReport({ from, mails })])
}

async function postReport(
  { platform, dmarcSecret }: Month,
  files: readonly ReportFile[]
): Promise<void> {
  const form = new FormData()
  form.set('from', 'reports@google.com')
  for (const { filename, type, content } of files) {
    form.append('file', new Blob([content], { type }), filename)
  }
  await post(platform, dmarcSecret, form)
}

async function post({ url }: Platform, secret: string, body: FormData): Promise<void> {
  const headers = { authorization: `Bearer ${secret}` }
  const reply = await fetch(`${url}/m/inbound/dmarc`, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(`a report was refused: ${(await reply.text()).slice(0, 300)}`)
}

/** Some sign up, some come back, some buy. */
async function customers({ platform }: Month, day: number): Promise<void> {
  const firstOfDay = FIRST_NEW + day * SIGN_UPS_A_DAY
  for (let number = firstOfDay; number < firstOfDay + SIGN_UPS_A_DAY; number++) {
    await platform.call('POST', '/shop/sign-ups', { externalId: `u${number}` })
  }
  // Of those who came four days ago, some have brought a colleague: what the program asked them for.
  const earlier = firstOfDay - 4 * SIGN_UPS_A_DAY + 2
  if (earlier > FIRST_NEW && day % 3 !== 0) {
    await platform.call('POST', `${MAIL}/contacts/u${earlier}/tags`, { add: ['team'] })
  }
  const buyer = { externalId: `u${1 + ((day * 11) % 180)}` }
  await platform.call('POST', '/shop/visits', buyer)
  const items = [{ name: 'Acme Pro, one month', quantity: 1 + (day % 3), amountCents: 4900 }]
  await platform.call('POST', '/shop/orders', { ...buyer, orderId: `M-${day}`, items })
}

/** It leaves at nine and is read over a day; what stops it is looked at before noon. */
async function sendBroadcast(month: Month, planned: Planned): Promise<void> {
  const { platform, readers } = month
  const { slug } = planned.broadcast
  const path = `${MAIL}/broadcasts/${slug}`
  await platform.call('POST', `${MAIL}/broadcasts`, planned.broadcast, THERE)
  await platform.call('PUT', '/dev/mailbox/unknown-addresses', { addresses: gone(planned) })
  await platform.moveTo(at(month, planned.day, 9))
  const { body: draft } = await platform.call('GET', path)
  if (draft.status === 'draft') await schedule(platform, path, at(month, planned.day, 9))
  await platform.moveTo(at(month, planned.day, 9))
  for (const [hour, share] of READ_BY_HOUR) {
    await platform.moveTo(at(month, planned.day, hour))
    await readers.read(share, MANY)
    if (hour === 10) await afterAnHour(month, planned)
    if (hour === 11) await goOn(platform, path)
  }
}

/** Hours of the day, and which share of those who have not read yet read then. */
const READ_BY_HOUR = [
  [9.5, 0.2],
  [10, 0.25],
  [11, 0.3],
  [12, 0.4],
  [13.5, 0.5],
  [16, 0.5],
  [20, 1]
] as const

const gone = ({ bounces = 0 }: Planned): readonly string[] =>
  Array.from({ length: bounces }, (_, index) => `user${5 + index * 12}@example.test`)

/** The demo says how many people it would reach, and takes that number. */
async function schedule({ call }: Platform, path: string, scheduledAt: Date): Promise<void> {
  const when = { scheduledAt, confirmedCount: 0 }
  const { status, body } = await call('POST', `${path}/schedule`, when, THERE)
  if (status !== 409) return
  await call('POST', `${path}/schedule`, { scheduledAt, confirmedCount: body.expected })
}

async function afterAnHour(month: Month, { leave = 0, complain = 0 }: Planned): Promise<void> {
  const { platform, dmarcSecret, readers } = month
  if (leave > 0) await readers.leave(leave)
  if (complain === 0) return
  await readers.complain(complain, async (mail) => {
    const form = new FormData()
    form.set('email', mail)
    await post(platform, dmarcSecret, form)
  })
}

/** An administrator resumes what has tripped, and lets the broadcast go on: the next wave, or with a higher limit. */
async function goOn({ call }: Platform, path: string): Promise<void> {
  await call('POST', `${MAIL}/health/resume`, {})
  const { body } = await call('GET', path)
  if (body.status !== 'paused') return
  const limits = { recipientCap: null, stopRules: { hardBounceRatePct: 10 } }
  const asked = await call('POST', `${path}/resume`, { ...limits, confirmedCount: 0 }, THERE)
  if (asked.status !== 409) return
  await call('POST', `${path}/resume`, { ...limits, confirmedCount: asked.body.expected }, THERE)
}
