// Replays opt-outs that the database could not take: idempotent, from any number of processes, in bounded time.
import { within } from '@keelson/sdk'
import type { MailerContext } from '../../../ledger/context.ts'
import { type OptOut, recordOptOuts } from '../record-opt-outs.ts'
import { appendLines, claimJournal, readLines, removeClaim } from './journal-file.ts'
import { formatOptOut, parseOptOut } from './pending-opt-out.ts'

/** What a replay came to. `deferred`: still in the journal. */
export interface Drained {
  readonly applied: number
  readonly deferred: number
}

/** Lines that are read, and applied in one transaction. */
const GROUP = 100
/** Then the rest waits for the next call. */
const BUDGET_MS = 30_000

/**
 * Applies the opt-outs of the journal (`pendingUnsubsPath`). Call it with every tick; repeated calls and
 * calls of several processes do no harm. A line that cannot be read goes to `<path>.unreadable`.
 */
export async function drainPendingUnsubscribes(context: MailerContext): Promise<Drained> {
  const path = context.config.pendingUnsubsPath
  if (path === undefined) return { applied: 0, deferred: 0 }
  const run: Run = { context, path, endsAt: performance.now() + BUDGET_MS, isStopped: false }
  let applied = 0
  let deferred = 0
  for (const claim of await claimJournal(path, context.clock.now())) {
    for await (const lines of readLines(claim, GROUP)) {
      const left = await replay(run, lines)
      applied += left.applied
      deferred += left.deferred
    }
    await removeClaim(claim)
  }
  if (deferred > 0) context.log.warn({ deferred }, 'mailer: unsubscribes wait for the database')
  return { applied, deferred }
}

interface Run {
  readonly context: MailerContext
  readonly path: string
  readonly endsAt: number
  /** The database hangs: the rest is deferred without asking it. */
  isStopped: boolean
}

/** What is not applied is written again before its claim goes. */
async function replay(run: Run, lines: readonly string[]): Promise<Drained> {
  const read = lines.map((line) => ({ line, optOut: parseOptOut(line) }))
  const optOuts = read.flatMap(({ optOut }) => optOut ?? [])
  const left = await applyAll(run, optOuts)
  if (left.length > 0) await appendLines(run.path, left.map(formatOptOut))
  const unreadable = read.filter(({ optOut }) => optOut === undefined).map(({ line }) => line)
  if (unreadable.length > 0) await setAside(run, unreadable)
  return { applied: optOuts.length - left.length, deferred: left.length }
}

/** Together; one by one where that fails, so that one opt-out does not hold up the others. */
async function applyAll(run: Run, optOuts: readonly OptOut[]): Promise<readonly OptOut[]> {
  if (optOuts.length === 0 || (await isApplied(run, optOuts))) return []
  if (optOuts.length === 1) return optOuts
  const left: OptOut[] = []
  for (const optOut of optOuts) {
    if (!(await isApplied(run, [optOut]))) left.push(optOut)
  }
  return left
}

async function isApplied(run: Run, optOuts: readonly OptOut[]): Promise<boolean> {
  if (run.isStopped || performance.now() > run.endsAt) return false
  const overdue = () => {
    run.isStopped = true
    return new Error('the database did not answer in time')
  }
  const ms = run.context.config.unsubscribeWriteTimeoutMs
  try {
    await within(recordOptOuts(run.context, optOuts), { deadline: { ms, overdue } })
    return true
  } catch (error) {
    run.context.log.warn({ err: error }, 'mailer: unsubscribes could not be replayed')
    return false
  }
}

async function setAside({ context, path }: Run, lines: readonly string[]): Promise<void> {
  const file = `${path}.unreadable`
  await appendLines(file, lines)
  context.log.error({ lines: lines.length, file }, 'mailer: lines of the journal are unreadable')
}
