// Looks at mails of programs once more before they leave: the subject may have done what they ask for.
import type { CampaignSend, CampaignStop } from '@keelson/mailer/contracts'
import type { ProgramContext } from '../program-context.ts'
import type { ProgramRow, ProgramRunRow } from '../storage/program-rows.ts'
import { type Facts, holds } from './conditions.ts'
import { gatherSubjects } from './gather-facts.ts'

/** The mails that must not leave, by send. A throw makes them wait. */
export async function programStops(
  context: ProgramContext,
  sends: readonly CampaignSend[],
  now: Date
): Promise<ReadonlyMap<string, CampaignStop>> {
  const { programRuns, programs } = context.collections
  const runIds = sends.map(runOf)
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
      const run = runs.get(runOf(send))
      const program = byId.get(run?.programId ?? '')
      const { facts = {} } = subjects.get(run?.subjectId ?? '') ?? {}
      const stop = programStop(send, { run, program, facts, now })
      return stop === undefined ? [] : [[send.sendId, stop] as const]
    })
  )
}

const runOf = ({ campaign }: CampaignSend): string => campaign.ref?.['runId'] ?? ''

/** What decides whether a mail of a program still makes sense. */
export interface ProgramSendFacts {
  readonly run: ProgramRunRow | undefined
  readonly program: ProgramRow | undefined
  readonly facts: Facts
  readonly now: Date
}

/** Undefined when the mail may leave. Such a stop spends no attempt. Pure. */
export function programStop(
  { campaign }: Pick<CampaignSend, 'campaign'>,
  { run, program, facts, now }: ProgramSendFacts
): CampaignStop | undefined {
  const action = program?.definition?.actions.find(({ id }) => id === campaign.ref?.['actionId'])
  const stop = (reason: string, message: string): CampaignStop => ({ reason, message })
  if (run?.status !== 'active' || program?.enabled !== true || action === undefined)
    return stop('run_inactive', 'The program or its run has ended.')
  const isDone = run.actions[action.id]?.status === 'satisfied'
  if (isDone || holds(action.satisfied, facts, now))
    return stop('satisfied_before_send', 'The subject has done what the mail asks for.')
  if (action.eligible !== undefined && !holds(action.eligible, facts, now))
    return stop('ineligible_before_send', 'The action does not concern the subject any more.')
  return undefined
}
