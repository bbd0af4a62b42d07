// Enters subjects into programs: by the event that triggers them, or by hand. Each subject once, ever.
import { createHash } from 'node:crypto'
import type { ContactEvent } from '@keelson/mailer/contracts'
import type { ProgramContext } from '../program-context.ts'
import { MAX_SUBJECT_ID } from '../storage/inputs.ts'
import type { ProgramRow, ProgramRunRow } from '../storage/program-rows.ts'
import { newState } from '../storage/program-state.ts'

type Entering = Pick<ProgramContext, 'collections' | 'runs' | 'clock'>

/** Enters the subjects of these events. Repeating it is harmless. */
export async function enterByEvents(
  context: Entering,
  events: readonly ContactEvent[]
): Promise<void> {
  const names = [...new Set(events.map(({ name }) => name))]
  const programs = await context.collections.programs
    .find({ enabled: true, 'definition.trigger.eventName': { $in: names } })
    .toArray()
  for (const program of programs) {
    const { enabledAt, definition } = program
    const own = events.filter(
      ({ name, occurredAt }) =>
        name === definition?.trigger.eventName &&
        (enabledAt === undefined || occurredAt >= enabledAt)
    )
    await enterSubjects(
      context,
      program,
      own.flatMap((event) => subjectOf(program, event) ?? [])
    )
  }
}

/** Undefined when the event does not name a subject. */
function subjectOf({ definition }: ProgramRow, event: ContactEvent): string | undefined {
  const name = definition?.trigger.subjectProperty
  const value = name === undefined ? event.externalId : event.properties[name]
  const id = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return id === '' || id.length > MAX_SUBJECT_ID ? undefined : id
}

/** Enters subjects; those that were in the program before are left as they are. @returns how many are new */
export async function enterSubjects(
  { runs: queue, clock }: Entering,
  { _id: programId, slug, definition }: ProgramRow,
  subjectIds: readonly string[]
): Promise<number> {
  if (definition === null || subjectIds.length === 0) return 0
  const now = clock.now()
  const runs = [...new Set(subjectIds)].map(
    (subjectId): ProgramRunRow => ({
      _id: programRunId(programId, subjectId),
      programId,
      programSlug: slug,
      subjectId,
      ...newState(programId, subjectId, definition, now)
    })
  )
  return (await queue.add(runs)).added
}

/** The run of a subject in a program. */
export const programRunId = (programId: string, subjectId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([programId, subjectId]))
    .digest('hex')
    .slice(0, 24)
