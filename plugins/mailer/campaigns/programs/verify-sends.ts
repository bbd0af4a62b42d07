// Looks at mails of programs once more before they leave: the subject may have done what they ask for.
import type { ItemResult } from '@keelson/sdk'
import type { SendStop } from '../../delivery/sends/decide-send.ts'
import { settleStop, settleUnready } from '../../delivery/sends/settle-send.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { ProgramRow, ProgramRunRow } from '../../ledger/program-rows.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { type Facts, holds } from './conditions.ts'
import { gatherSubjects } from './gather-facts.ts'

/** Results of the mails that do not leave now, by send. Mails without a program have none. */
export async function programResults(
  context: MailerContext,
  sends: readonly SendRow[]
): Promise<ReadonlyMap<string, ItemResult>> {
  // A provider may have one that was in hand-over before: it goes its way.
  const own = sends.filter(
    ({ program, handoff }) =>
      program !== undefined && handoff !== 'sending' && handoff !== 'unknown'
  )
  if (own.length === 0) return new Map()
  const now = context.clock.now()
  try {
    const stops = await stopsOf(context, own, now)
    return new Map([...stops].map(([id, stop]) => [id, settleStop(stop, now)]))
  } catch (error) {
    return new Map(own.map((send) => [send._id, settleUnready(send, error, now)]))
  }
}

async function stopsOf(
  context: MailerContext,
  sends: readonly SendRow[],
  now: Date
): Promise<ReadonlyMap<string, SendStop>> {
  const { programRuns, programs } = context.collections
  const runIds = sends.map(({ program }) => program?.runId ?? '')
  const runs = new Map(
    (await programRuns.find({ _id: { $in: runIds } }).toArray()).map((run) => [run._id, run])
  )
  const ids = [...new Set([...runs.values()].map(({ programId }) => programId))]
  const rows = await programs.find({ _id: { $in: ids } }).toArray()
  const byId = new Map(rows.map((row) => [row._id, row]))
  const active = [...runs.values()].filter(({ status }) => status === 'active')
  const subjects = await gatherSubjects(
    context,
    active.map(({ subjectId }) => subjectId)
  )
  return new Map(
    sends.flatMap((send) => {
      const run = runs.get(send.program?.runId ?? '')
      const program = byId.get(run?.programId ?? '')
      const { facts = {} } = subjects.get(run?.subjectId ?? '') ?? {}
      const stop = programStop(send, { run, program, facts, now })
      return stop === undefined ? [] : [[send._id, stop] as const]
    })
  )
}

/** What decides whether a mail of a program still makes sense. */
export interface ProgramSendFacts {
  readonly run: ProgramRunRow | undefined
  readonly program: ProgramRow | undefined
  readonly facts: Facts
  readonly now: Date
}

/** Undefined when the mail may leave. Such a stop spends no attempt. Pure. */
export function programStop(
  { program: of }: Pick<SendRow, 'program'>,
  { run, program, facts, now }: ProgramSendFacts
): SendStop | undefined {
  const action = program?.definition?.actions.find(({ id }) => id === of?.actionId)
  const stop = (reason: string, message: string): SendStop => ({
    handoff: 'cancelled',
    reason,
    message
  })
  if (run?.status !== 'active' || program?.enabled !== true || action === undefined)
    return stop('run_inactive', 'The program or its run has ended.')
  const isDone = run.actions[action.id]?.status === 'satisfied'
  if (isDone || holds(action.satisfied, facts, now))
    return stop('satisfied_before_send', 'The subject has done what the mail asks for.')
  if (action.eligible !== undefined && !holds(action.eligible, facts, now))
    return stop('ineligible_before_send', 'The action does not concern the subject any more.')
  return undefined
}
