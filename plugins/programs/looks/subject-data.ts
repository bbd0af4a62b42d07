// What is stored of a subject, exported and erased.
import { DURABLE } from '@keelson/sdk'
import { QUEUE_FIELDS } from '@keelson/sdk/queue'
import type { ProgramContext } from '../program-context.ts'

/** The collections that name subjects. */
export type SubjectStore = {
  readonly collections: Pick<ProgramContext['collections'], 'programRuns' | 'programDecisions'>
}

/** How the queue works on a row does not concern the subject. */
const WITHOUT_QUEUE = Object.fromEntries(QUEUE_FIELDS.map((field) => [field, 0]))

/** The runs of a subject and their decisions. */
export async function exportSubject({ collections }: SubjectStore, subjectId: string) {
  const { programRuns, programDecisions } = collections
  const [runs, decisions] = await Promise.all([
    programRuns.find({ subjectId }, { projection: WITHOUT_QUEUE }).toArray(),
    programDecisions.find({ subjectId }).toArray()
  ])
  return { runs, decisions }
}

/** Erases a subject from all programs. `forget` of the mailer does so for contacts; call it for other subjects. */
export async function forgetSubject(
  { collections }: SubjectStore,
  subjectId: string
): Promise<void> {
  await collections.programDecisions.deleteMany({ subjectId }, DURABLE)
  await collections.programRuns.deleteMany({ subjectId }, DURABLE)
}
