// kill -9 of the process that runs a program: each subject is asked for each action once, and none is left out.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ProgramAction } from '@keelson/programs'
import { test } from 'tap'
import { people } from '../campaigns/broadcasts/test/broadcast-bench.ts'
import { recordEvents } from '../campaigns/flows/fire.ts'
import { changeDraft, createTemplate } from '../content/templates/edit-template.ts'
import { publishTemplate } from '../content/templates/publish-template.ts'
import { createTestMailer } from '../testing/create-test-mailer.ts'
import { kill, killedProcesses } from './killed-process.ts'

const WORKER = fileURLToPath(new URL('./program-crash-worker.js', import.meta.url))
const SUBJECTS = 200
/** Where processes are killed, and after how many of them at most. */
const KILLED_AT = [
  [/^insert mailer_program_runs/, 1],
  [/^insert mailer_program_decisions/, 1],
  [/^insert mailer_sends/, 1],
  [/^update mailer_program_runs/, 4],
  [/^mail$/, 75],
  [/^insert mailer_program_decisions/, 2],
  [/^insert mailer_sends/, 2],
  [/^mail$/, 75]
] as const
const ACTIONS = ['first', 'second']

/** One mail each; nothing that the host knows satisfies them. */
const actions = ACTIONS.map(
  (templateSlug, at): ProgramAction => ({
    id: templateSlug,
    templateSlug,
    priority: -at,
    satisfied: { fact: 'isDone', equals: true },
    attempts: { max: 1 }
  })
)

test('a program whose process is killed again and again asks each subject for each action once', {
  timeout: 300_000
}, async (t) => {
  const { mailer, db, stop } = await createTestMailer({ seedContacts: people(SUBJECTS) })
  t.teardown(() => stop())
  const context = mailer.getRunnerContext()
  const now = context.clock.now()
  const { programs, programRuns, programDecisions, sends } = mailer.collections
  for (const slug of ACTIONS) {
    const acting = { actor: 'human:ada' }
    await createTemplate(context, { slug, name: slug, kind: 'transactional' }, acting)
    await changeDraft(context, slug, { subject: slug, html: `<p>${slug}</p>` }, acting)
    await publishTemplate(context, slug, acting)
  }
  await programs.insertOne({
    _id: 'grow',
    slug: 'grow',
    name: 'Grow',
    enabled: true,
    definition: { trigger: { eventName: 'account.opened' }, actions },
    draft: null,
    version: 1,
    createdAt: now,
    updatedAt: now
  })
  await recordEvents(
    context,
    people(SUBJECTS).map(({ externalId }) => ({
      name: 'account.opened',
      externalId,
      properties: {},
      dedupeKey: `opened:${externalId}`,
      occurredAt: now
    }))
  )

  const args = [`${SUBJECTS}`]
  const processes = await killedProcesses(t, WORKER, { database: db.databaseName, args })
  let killed = 0
  for (const [round, [command, most]] of KILLED_AT.entries()) {
    const reached = processes.after(1 + Math.floor(Math.random() * most), command)
    const child = processes.start(round)
    await Promise.race([reached, once(child, 'close')])
    if (child.exitCode === null) killed++
    await kill(child)
  }
  const last = processes.start(KILLED_AT.length)
  await once(last, 'close')
  t.equal(last.exitCode, 0, 'the last process ends it')
  t.ok(killed > KILLED_AT.length / 2, `${killed} processes were killed at work`)

  const runs = await programRuns.find().toArray()
  t.equal(runs.length, SUBJECTS, 'every subject has entered')
  const ends = new Set(runs.map(({ status, exitReason }) => `${status} ${exitReason}`))
  t.same([...ends], ['exited exhausted'], 'every run came to its own end')
  const attempts = new Set(runs.flatMap((run) => ACTIONS.map((id) => run.actions[id]?.attempts)))
  t.same([...attempts], [1])

  const rows = await sends.find().toArray()
  const asked = rows.map(({ templateSlug, externalId }) => `${templateSlug} ${externalId}`)
  t.equal(new Set(asked).size, SUBJECTS * ACTIONS.length, 'every action of a subject has its mail')
  t.equal(asked.length, SUBJECTS * ACTIONS.length, 'and none has two')
  const decided = await programDecisions.countDocuments({ kind: 'send' })
  t.equal(decided, SUBJECTS * ACTIONS.length, 'each mail has the decision that led to it')

  const { mails } = processes
  const twice = [...mails].filter(([, count]) => count > 1)
  t.same(twice, [], 'no mail arrives twice')
  const missing = rows.filter(
    ({ templateSlug, emailAtSend }) => !mails.has(`${templateSlug} ${emailAtSend}`)
  )
  const silent = missing.filter(({ status }) => status !== 'unknown')
  t.same(silent, [], 'a mail that did not arrive is listed as unknown')
  t.comment(`${mails.size} arrived, ${missing.length} are unknown and did not`)
})
