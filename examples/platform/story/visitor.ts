// The story of one visitor of a small shop: the first visit, and whether and how they come back.
import { faultOf, isOutage, outage } from './faults.ts'
import type { Chance } from './random.ts'
import { type Diary, openDiary, type RecordFields, type StoryRecord } from './record.ts'
import { type Release, releaseAt } from './releases.ts'
import { CHECKOUT, REGISTER, SEARCH, tellCall } from './requests.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const SOURCES = [
  ['direct', 30],
  ['search', 34],
  ['ads', 14],
  ['blog', 12],
  ['newsletter', 10]
] as const
const PATHS = [
  ['/', 30],
  ['/pricing', 18],
  ['/docs', 16],
  ['/features', 14],
  ['/blog/launch', 8],
  ['/signup', 9],
  ['/account', 5]
] as const
const HOME_PATHS = [
  ['/account', 40],
  ['/assistant', 30],
  ['/docs', 20],
  ['/pricing', 10]
] as const
/** Prices in millionths of a dollar for a token. */
const MODELS: readonly (readonly [{ model: string; micros: number }, number])[] = [
  [{ model: 'small', micros: 4 }, 70],
  [{ model: 'large', micros: 30 }, 30]
]
const REASONS = [
  ['price', 5],
  ['missing feature', 3],
  ['moved away', 2]
] as const
const PLANS = [
  ['free', 7],
  ['pro', 3]
] as const

/** How likely another visit is after each one, by how far someone came. */
const COMES_BACK = { passerBy: 0.22, signedUp: 0.6, activated: 0.84, pro: 0.92 }

interface Visitor {
  readonly diary: Diary
  readonly source: string
  readonly plan: 'free' | 'pro'
  /** The end of the story, which its releases and its outage are counted back from. */
  readonly endMs: number
}

/** Follows one visitor from `startMs` on; everything happens before `endMs`. */
export function followVisitor(
  chance: Chance,
  userId: string,
  startMs: number,
  endMs: number
): readonly StoryRecord[] {
  const diary = openDiary(chance, userId, startMs, endMs)
  const visitor = { diary, source: chance.oneOf(SOURCES), plan: chance.oneOf(PLANS), endMs }
  let likely = firstVisit(visitor)
  while (chance.happens(likely)) {
    diary.wait(likely > COMES_BACK.signedUp ? 3 * DAY_MS : 5 * DAY_MS)
    if (diary.isOver()) break
    likely = likely > COMES_BACK.passerBy ? returnVisit(visitor, likely) : lookAgain(visitor)
  }
  return diary.records
}

function view({ diary, source }: Visitor, path: string, traceId: string): void {
  diary.wait(20_000)
  const metrics = { load_ms: Math.round(diary.chance.around(240)) }
  diary.tell('page.viewed', { attrs: { path, source }, metrics, traceId })
}

function look(
  visitor: Visitor,
  paths: readonly (readonly [string, number])[],
  most: number
): string {
  const { chance } = visitor.diary
  const traceId = chance.hex(32)
  for (let pages = 1 + chance.below(most); pages > 0; pages--) {
    view(visitor, chance.oneOf(paths), traceId)
  }
  if (chance.happens(0.12)) tellCall(visitor.diary, SEARCH, { traceId: chance.hex(32) })
  if (isOutage(visitor.diary.now(), visitor.endMs)) failToPay(visitor.diary)
  else if (chance.happens(0.12)) fail(visitor, traceId)
  return traceId
}

function fail({ diary, endMs }: Visitor, traceId: string): void {
  diary.wait(2000)
  const release: Release = releaseAt(diary.now(), endMs)
  const fault = faultOf(diary.chance, release)
  if (fault.attrs?.['code'] === 'E_TIMEOUT') {
    const call = { traceId: diary.chance.hex(32), status: 504, slower: 40 }
    const tookMs = tellCall(diary, SEARCH, call)
    diary.tell('app.error', { ...fault, traceId: call.traceId }, Math.round(tookMs))
    return
  }
  diary.tell('app.error', { ...fault, traceId })
}

/** While the payment provider is down: they try again and again, and give up. */
function failToPay(diary: Diary): void {
  for (let tries = 1 + diary.chance.below(4); tries > 0; tries--) {
    diary.wait(20_000)
    const traceId = diary.chance.hex(32)
    const tookMs = tellCall(diary, CHECKOUT, { traceId, status: 502, slower: 4 })
    diary.tell('app.error', { ...outage(), traceId }, Math.round(tookMs))
  }
}

/** Answers how likely it is that they come back. */
function firstVisit(visitor: Visitor): number {
  const { diary, plan, source } = visitor
  const { chance } = diary
  const traceId = look(visitor, PATHS, 5)
  if (!chance.happens(0.24)) return COMES_BACK.passerBy
  view(visitor, '/signup', traceId)
  diary.wait(40_000)
  tellCall(diary, REGISTER, { traceId: chance.hex(32) })
  diary.tell('account.signed_up', { attrs: { plan, source }, traceId })
  if (!chance.happens(0.5)) return COMES_BACK.signedUp
  return activate(visitor)
}

function activate(visitor: Visitor): number {
  const { diary, plan } = visitor
  diary.wait(300_000)
  diary.tell('account.activated', {})
  if (diary.chance.happens(0.3)) order(visitor)
  if (diary.chance.happens(0.4)) consume(visitor)
  if (diary.chance.happens(0.05)) askForSupport(diary)
  return plan === 'pro' ? COMES_BACK.pro : COMES_BACK.activated
}

const lookAgain = (visitor: Visitor): number => {
  look(visitor, PATHS, 3)
  return COMES_BACK.passerBy
}

/** Another visit of someone who has an account. */
function returnVisit(visitor: Visitor, likely: number): number {
  const { diary } = visitor
  const { chance } = diary
  look(visitor, HOME_PATHS, 3)
  if (likely === COMES_BACK.signedUp) {
    return chance.happens(0.3) ? activate(visitor) : likely
  }
  if (chance.happens(0.55)) consume(visitor)
  if (chance.happens(0.12)) order(visitor)
  if (chance.happens(0.03)) askForSupport(diary)
  if (!chance.happens(0.025)) return likely
  diary.wait(400_000)
  diary.tell('account.cancelled', { attrs: { reason: chance.oneOf(REASONS) } })
  return 0
}

function order({ diary, plan, endMs }: Visitor): void {
  const { chance } = diary
  const traceId = chance.hex(32)
  diary.wait(200_000)
  const metrics = { amount_usd: (plan === 'pro' ? 49 : 9) * (1 + chance.below(3)) }
  if (isOutage(diary.now(), endMs)) return
  tellCall(diary, CHECKOUT, { traceId })
  diary.tell('order.placed', { attrs: { plan, currency: 'USD' }, metrics, traceId })
}

function consume({ diary, plan }: Visitor): void {
  const { chance, userId } = diary
  diary.wait(120_000)
  const { model, micros } = chance.oneOf(MODELS)
  const quantity = 2000 + chance.below(40_000)
  const money = (quantity * micros) / 1e6
  // What the free plan uses is counted, and not billed.
  const billed =
    plan === 'pro' ? { amount: money.toFixed(6), currency: 'USD' } : { billable: false }
  const told: RecordFields = {
    attrs: { model },
    metrics: { cost_usd: money },
    usage: {
      meter: 'tokens',
      quantity,
      unit: 'token',
      idempotencyKey: chance.hex(32),
      billedTo: `user:${userId}`,
      ...billed
    }
  }
  diary.tell('llm.tokens', told)
}

function askForSupport(diary: Diary): void {
  const { chance } = diary
  const answered = chance.around(2 * HOUR_MS)
  const solved = answered + chance.around(9 * HOUR_MS)
  const move = (to: string, afterMs: number, from?: string, previousSinceMs?: number) => {
    const before =
      from === undefined || previousSinceMs === undefined ? {} : { from, previousSinceMs }
    diary.tell('ticket.status', { state: { key: 'ticket', to, ...before } }, Math.round(afterMs))
  }
  move('open', 0)
  move('answered', answered, 'open', Math.round(answered))
  move('solved', solved, 'answered', Math.round(solved - answered))
}
