// One run: tests the lists, asks for what is due, stores answers and changes, and sends what changed.
import { randomUUID } from 'node:crypto'
import type { ConfiguredList } from '../lists/configured-list.ts'
import { entryOf, zoneOf } from '../lists/query-name.ts'
import { judgeList, type TestedList, testEntriesOf } from '../lists/self-test.ts'
import type { DnsAnswer } from '../lookups/dns-answer.ts'
import type { ChangeRow, CheckRow, ListRow } from '../storage/rows.ts'
import type { DnsblContext } from './dnsbl-context.ts'
import { type JudgedCheck, judgeCheck } from './judge-check.ts'
import { askable, type ListPlan, planChecks } from './plan-checks.ts'
import { sendAlerts } from './send-alerts.ts'

/** What a run came to. */
export type DnsblRun =
  | { readonly ran: false; readonly reason: 'disabled' | 'no_targets' | 'not_due' }
  | {
      readonly ran: true
      readonly totalChecks: number
      readonly listedCount: number
      /** Lists that were asked and say nothing of use: silent, refusing, ended, or listing everything. */
      readonly unansweredLists: readonly string[]
    }

const MAX_ROWS = 20_000

/**
 * Asks the lists about every sender domain and dedicated address that is due. It is safe to repeat and to
 * run in two processes at once.
 *
 * @param options `isForced`: asks all, however recent the last answer is
 */
export async function runDnsblChecks(
  context: DnsblContext,
  { isForced = false }: { readonly isForced?: boolean } = {}
): Promise<DnsblRun> {
  const { settings, stored, mailer, now } = context
  if (!settings.isOn) return { ran: false, reason: 'disabled' }
  const [checks, states] = await Promise.all([
    stored.checks.find().sort({ _id: 1 }).limit(MAX_ROWS).toArray(),
    stored.lists.find().sort({ _id: 1 }).limit(MAX_ROWS).toArray()
  ])
  const known = new Map(checks.map((row) => [row._id, row]))
  const plans = planChecks({
    lists: settings.lists,
    domains: mailer.senderDomains().map(({ domain }) => domain),
    ips: settings.dedicatedIps,
    checks: known,
    states: new Map(states.map((row) => [row._id, row])),
    intervalMs: settings.intervalMs,
    now,
    isForced
  })
  const due = plans.filter((plan) => plan.due.length > 0)
  // What an earlier run found and could not send.
  await sendAlerts(context)
  if (plans.length === 0) return { ran: false, reason: 'no_targets' }
  if (due.length === 0) return { ran: false, reason: 'not_due' }
  const run: Run = { context, known, states, runId: randomUUID() }
  const answers = await Promise.all(due.map((plan) => checkList(run, plan)))
  const judged = answers.flatMap((rows) => rows ?? [])
  await sendAlerts(context)
  const listed = judged.filter(({ row }) => row.result === 'listed')
  const silent = due.filter((_, index) => isSilent(answers[index]))
  const unansweredLists = silent.map(({ list }) => list.host)
  return { ran: true, totalChecks: judged.length, listedCount: listed.length, unansweredLists }
}

const isSilent = (rows: readonly JudgedCheck[] | undefined): boolean =>
  rows === undefined || (rows.length > 0 && rows.every(({ row }) => row.result === 'error'))

interface Run {
  readonly context: DnsblContext
  readonly known: ReadonlyMap<string, CheckRow>
  readonly states: readonly ListRow[]
  readonly runId: string
}

/** Undefined where the list fails its test: of its targets nothing is known. */
async function checkList(run: Run, plan: ListPlan): Promise<readonly JudgedCheck[] | undefined> {
  const { list } = plan
  const tested = await testList(run, list)
  if (run.context.signal.aborted) return undefined
  await saveState(run, list, tested)
  if (tested.state === 'unreachable') return undefined
  if (tested.state === 'dead' || tested.state === 'wildcard') {
    await distrust(run, list, tested)
    return undefined
  }
  const judged = await Promise.all(
    askable(plan.due, tested.hasIpv6).map((target) => checkTarget(run, list, target, tested))
  )
  const answered = judged.filter((one) => one !== undefined)
  await save(run, answered)
  return answered
}

/** Answers of a list that has ended or lists everything mean nothing, the earlier ones included. */
async function distrust(run: Run, list: ConfiguredList, { reason }: TestedList): Promise<void> {
  const unknown = { result: 'error', category: null, codes: [], errorMessage: reason } as const
  await run.context.stored.checks.updateMany({ list: list.host }, { $set: unknown })
}

async function checkTarget(
  run: Run,
  list: ConfiguredList,
  target: string,
  tested: TestedList
): Promise<JudgedCheck | undefined> {
  const { now, signal } = run.context
  const answer: DnsAnswer = await ask(run, list, entryOf(target, list))
  if (signal.aborted) return undefined
  const earlier = run.known.get(`${list.host} ${target}`)
  const judged = judgeCheck({ list, target, answer, earlier, now })
  // A list that refuses its own test entry says nothing, even where it has no answer.
  if (tested.state !== 'refused' || judged.row.result === 'error') return judged
  const { reason: errorMessage } = tested
  const known = earlier?.known ?? null
  const row: CheckRow = { ...judged.row, result: 'error', category: null, errorMessage, known }
  return { row, isChange: false }
}

async function testList(run: Run, list: ConfiguredList): Promise<TestedList> {
  const { listed, absent, ipv6 } = testEntriesOf(list)
  const [inLists, notInList, inIpv6] = await Promise.all([
    Promise.all(listed.map((entry) => ask(run, list, entry))),
    ask(run, list, absent),
    ipv6 === null ? null : ask(run, list, ipv6)
  ])
  return judgeList(list.host, { listed: inLists, absent: notInList, ipv6: inIpv6 })
}

const ask = ({ context }: Run, { host }: ConfiguredList, entry: string): Promise<DnsAnswer> =>
  context.lookup(`${entry}.${zoneOf(host, context.settings.dqsKey)}`)

async function saveState(
  { context, states }: Run,
  { host }: ConfiguredList,
  tested: TestedList
): Promise<void> {
  const earlier = states.find(({ _id }) => _id === host)?.failures ?? 0
  const failures = tested.state === 'unreachable' ? earlier + 1 : 0
  const row = { ...tested, testedAt: context.now, failures }
  await context.stored.lists.updateOne({ _id: host }, { $set: row }, { upsert: true })
}

/** Changes first: a row that is stored without its change would never be mailed. */
async function save({ context, runId, known }: Run, judged: readonly JudgedCheck[]): Promise<void> {
  const { stored, settings, now } = context
  const changes = judged
    .filter(({ isChange }) => isChange)
    .map(({ row }) => changeOf(row, { runId, now, earlier: known.get(row._id) }))
  if (changes.length > 0) {
    const pending = settings.alertEmail === undefined ? {} : { isPending: true as const }
    await stored.changes.bulkWrite(
      changes.map(({ _id, ...change }) => ({
        updateOne: {
          filter: { _id },
          update: { $setOnInsert: { ...change, ...pending } },
          upsert: true
        }
      })),
      { ordered: false }
    )
  }
  if (judged.length === 0) return
  await stored.checks.bulkWrite(
    judged.map(({ row: { _id, ...row } }) => ({
      updateOne: { filter: { _id }, update: { $set: row }, upsert: true }
    })),
    { ordered: false }
  )
}

interface Found {
  readonly runId: string
  readonly now: Date
  readonly earlier: CheckRow | undefined
}

/** Its id is that of what was known before: runs at the same time, or after a crash, find one change. */
function changeOf(row: CheckRow, { runId, now, earlier }: Found): ChangeRow {
  const { _id, target, list, listLabel, category, codes } = row
  const since = earlier?.runAt?.toISOString() ?? `first ${now.toISOString().slice(0, 10)}`
  const result = row.result === 'listed' ? 'listed' : 'clean'
  return {
    _id: `${_id} ${result} ${since}`,
    runId,
    target,
    list,
    listLabel,
    result,
    category,
    codes,
    at: now
  }
}
