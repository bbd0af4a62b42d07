// Looks at the runs that are due, a batch at a time: gather, plan, write the decision, queue the mail, settle.

import type { CampaignMail, CampaignMailState } from '@keelson/mailer/contracts'
import { type BatchHandler, DURABLE, type ItemResult, systemActor } from '@keelson/sdk'
import { type AnyBulkWriteOperation, MongoBulkWriteError } from 'mongodb'
import { PROGRAM, type ProgramContext } from '../program-context.ts'
import type { ProgramDefinition } from '../storage/definition.ts'
import type { ProgramDecisionRow, ProgramRow, ProgramRunRow } from '../storage/program-rows.ts'
import type { ProgramState } from '../storage/program-state.ts'
import { gatherSubjects, type SubjectFacts } from './gather-facts.ts'
import { type FlightOutcome, planLook } from './plan-look.ts'

type Published = ProgramRow & { readonly definition: ProgramDefinition }

/** A look at one run. */
interface Look {
  readonly run: ProgramRunRow
  readonly program: Published
  readonly subject: SubjectFacts
  readonly decision: ProgramDecisionRow
}

const DAY = 86_400_000
/** How soon runs are looked at again when the host's facts cannot be read. */
const FACTS_AGAIN_MS = 15 * 60_000
const DUPLICATE_KEY = 11000

/**
 * Handles the queue of program runs. The decision is written before its mail is queued, under a key of run
 * and look, and so is the mail: a crash in between repeats the look, which then follows the decision.
 */
export function createProgramRunHandler(open: () => ProgramContext): BatchHandler<ProgramRunRow> {
  return {
    batch: (claimed) =>
      lookAtRuns(
        open(),
        claimed.map(({ item }) => item)
      )
  }
}

async function lookAtRuns(
  context: ProgramContext,
  claimed: readonly ProgramRunRow[]
): Promise<ReadonlyMap<string, ItemResult>> {
  const now = context.clock.now()
  const results = new Map<string, ItemResult>(claimed.map(({ _id }) => [_id, { state: 'done' }]))
  const later = (runs: readonly ProgramRunRow[], ms: number) => {
    const dueAt = new Date(now.getTime() + ms)
    for (const { _id } of runs) results.set(_id, { state: 'scheduled', dueAt })
  }
  const active = claimed.filter(({ status }) => status === 'active')
  const programs = await programsOf(context, active)
  const running = active.filter(({ programId }) => programs.has(programId))
  // Enabling a program makes its runs due.
  later(active, DAY)
  const subjects = await subjectsOf(context, running)
  if (subjects === undefined) {
    later(running, FACTS_AGAIN_MS)
    return results
  }
  const flights = await flightsOf(context, running)
  const planned = running.map((run): Look => {
    const program = programs.get(run.programId) as Published
    const subject = subjects.get(run.subjectId) as SubjectFacts
    const decision = decisionOf(
      context,
      { run, program, subject, flight: flights.get(run._id) },
      now
    )
    return { run, program, subject, decision }
  })
  const looks = await writeDecisions(context, planned)
  await queueMails(context, looks)
  for (const { run, decision } of looks) results.set(run._id, resultOf(decision))
  return results
}

async function programsOf(
  { collections }: ProgramContext,
  runs: readonly ProgramRunRow[]
): Promise<ReadonlyMap<string, Published>> {
  const ids = [...new Set(runs.map(({ programId }) => programId))]
  const rows = await collections.programs.find({ _id: { $in: ids }, enabled: true }).toArray()
  return new Map(rows.flatMap((row) => (row.definition ? [[row._id, row as Published]] : [])))
}

/** Undefined when the host fails: that is not a fault of the runs. */
async function subjectsOf(context: ProgramContext, runs: readonly ProgramRunRow[]) {
  try {
    return await gatherSubjects(
      context,
      runs.map(({ subjectId }) => subjectId)
    )
  } catch (error) {
    context.log.warn({ err: error }, 'mailer: program runs wait, the facts cannot be read')
    return undefined
  }
}

/** What became of the mails on their way, by run. */
async function flightsOf(
  { mails }: ProgramContext,
  runs: readonly ProgramRunRow[]
): Promise<ReadonlyMap<string, FlightOutcome>> {
  const flying = runs.filter(({ inFlight }) => inFlight !== undefined)
  if (flying.length === 0) return new Map()
  const states = await mails.mailStates(flying.flatMap(({ inFlight }) => inFlight?.sendIds ?? []))
  return new Map(
    flying.map(({ _id, inFlight }) => {
      const own = (inFlight?.sendIds ?? []).flatMap((id) => states.get(id) ?? [])
      return [_id, outcomeOf(own)]
    })
  )
}

/** A mail that a provider may have counts as taken: an attempt never mails twice. */
function outcomeOf(states: readonly CampaignMailState[]): FlightOutcome {
  const [first] = states.flatMap((state) => (state.kind === 'handed' ? state.at : []))
  if (first !== undefined) return { kind: 'accepted', at: first }
  return { kind: states.some(({ kind }) => kind === 'waiting') ? 'waiting' : 'ended' }
}

interface Gathered extends Omit<Look, 'decision'> {
  readonly flight: FlightOutcome | undefined
}

function decisionOf(
  { mails, decisionRetentionDays: days }: ProgramContext,
  { run, program, subject, flight }: Gathered,
  now: Date
): ProgramDecisionRow {
  const plan = planLook(program.definition, stateOf(run), { now, ...subject, flight })
  const _id = `${run._id}:${run.looks}`
  const sendIds = subject.recipients.map((id) => mails.mailId(PROGRAM, keyOf(_id, id)))
  const { inFlight } = plan.state
  const isSent = plan.decision.kind === 'send' && inFlight !== undefined
  return {
    _id,
    runId: run._id,
    subjectId: run.subjectId,
    version: program.version,
    at: now,
    ...plan.decision,
    after: isSent ? { ...plan.state, inFlight: { ...inFlight, sendIds } } : plan.state,
    ...(plan.nextAt !== undefined && { nextAt: plan.nextAt }),
    ...(days !== undefined && { expiresAt: new Date(now.getTime() + days * DAY) })
  }
}

/** Writes the decisions; a look that was made before follows the one that is there. */
async function writeDecisions(
  { collections }: ProgramContext,
  looks: readonly Look[]
): Promise<readonly Look[]> {
  if (looks.length === 0) return looks
  const { programDecisions } = collections
  const operations = looks.map(
    ({ decision }): AnyBulkWriteOperation<ProgramDecisionRow> => ({
      insertOne: { document: decision }
    })
  )
  try {
    await programDecisions.bulkWrite(operations, { ordered: false, ...DURABLE })
    return looks
  } catch (error) {
    const failures = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
    if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error
    const ids = failures.map(({ index }) => looks[index]?.decision._id ?? '')
    const rows = await programDecisions.find({ _id: { $in: ids } }).toArray()
    const earlier = new Map(rows.map((row) => [row._id, row]))
    return looks.map((look) => ({
      ...look,
      decision: earlier.get(look.decision._id) ?? look.decision
    }))
  }
}

/** The key of a mail: of the decision that asks for it, and whom it goes to. */
const keyOf = (decisionId: string, externalId: string): string => `${decisionId}:${externalId}`

const LOOK = systemActor('programs', 'look')

/** A mail of a template that is not published any more is not queued: the next look counts a miss. */
async function queueMails(context: ProgramContext, looks: readonly Look[]): Promise<void> {
  const mails = looks.filter(({ decision }) => decision.kind === 'send').flatMap(mailsOf)
  if (mails.length > 0) await context.mails.as(LOOK).queue(mails)
}

function mailsOf({ run, program, subject, decision }: Look): readonly CampaignMail[] {
  const action = program.definition.actions.find(({ id }) => id === decision.actionId)
  if (action === undefined) return []
  const { id: actionId, templateSlug, vars, providerOverride } = action
  const ids = decision.after.inFlight?.sendIds ?? []
  const ref = { runId: run._id, actionId, subjectId: run.subjectId }
  return subject.recipients.map((externalId, at) => ({
    campaign: { kind: PROGRAM, slug: program.slug, ref },
    key: keyOf(decision._id, externalId),
    ...(ids[at] !== undefined && { id: ids[at] }),
    templateSlug,
    externalId,
    ...(vars !== undefined && { vars }),
    ...(providerOverride !== undefined && { providerOverride })
  }))
}

const STATE_FIELDS = [
  'status',
  'arm',
  'enteredAt',
  'actions',
  'mailsSinceProgress',
  'lastSentAt',
  'lastProgressAt',
  'inFlight',
  'exitReason',
  'endedAt',
  'looks'
] as const satisfies readonly (keyof ProgramState)[]

function stateOf(run: ProgramRunRow): ProgramState {
  const fields = STATE_FIELDS.filter((name) => run[name] !== undefined)
  return Object.fromEntries(fields.map((name) => [name, run[name]])) as unknown as ProgramState
}

/** A run that was ended meanwhile stays as it was ended. */
function resultOf({ after, nextAt }: ProgramDecisionRow): ItemResult {
  const fields = STATE_FIELDS.map((name) => {
    const value = after[name] === undefined ? '$$REMOVE' : { $literal: after[name] }
    return [name, { $cond: [{ $eq: ['$status', 'active'] }, value, `$${name}`] }]
  })
  const update = [{ $set: Object.fromEntries(fields) }]
  return nextAt === undefined
    ? { state: 'done', update }
    : { state: 'scheduled', dueAt: nextAt, update }
}
