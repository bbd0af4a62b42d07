// The recipients of a large broadcast become mails: database commands for 10,000 of them, and whether the heap
// grows with them. KEELSON_BENCH_RECIPIENTS, 100,000 unless set.
import { openBroadcastMailer } from './broadcast-mailer.ts'
import { median, printFigure } from './measure.ts'

const RECIPIENTS = Number(process.env['KEELSON_BENCH_RECIPIENTS'] ?? 100_000)
const LOOK_MS = 200

const cleanUps: (() => Promise<void> | void)[] = []
const t = { teardown: (fn: () => Promise<void> | void) => void cleanUps.push(fn) }
// Its queue does not run, so the address is never called.
const mailer = await openBroadcastMailer(t, { smtp: 'smtp://127.0.0.1:9', contacts: RECIPIENTS })

const held: number[] = []
const look = () => {
  globalThis.gc?.()
  held.push(process.memoryUsage().heapUsed / 1024 / 1024)
}
let startedAt = 0
let timer: NodeJS.Timeout | undefined
await mailer.enqueue('large', () => {
  mailer.commands()
  startedAt = performance.now()
  timer = setInterval(look, LOOK_MS)
})
clearInterval(timer)
const seconds = (performance.now() - startedAt) / 1000
const commands = mailer.commands()
const queued = await mailer.context.collections.sends.countDocuments({ broadcastSlug: 'large' })
if (queued !== RECIPIENTS) throw new Error(`${queued} of ${RECIPIENTS} were enqueued`)

const counts = new Map<string, number>()
for (const name of commands) counts.set(name, (counts.get(name) ?? 0) + 1)
const detail = [...counts].map(([name, count]) => `${count} ${name}`).join(', ')
const rate = `${detail}; ${(RECIPIENTS / seconds).toFixed(0)} recipients a second`
const perTenThousand = (commands.length / RECIPIENTS) * 10_000
printFigure('database commands per 10,000 recipients', perTenThousand, { atMost: 60 }, rate)
const quarter = Math.floor(held.length / 4)
const early = median(held.slice(quarter, 2 * quarter))
const late = median(held.slice(3 * quarter))
const range = `${early.toFixed(1)} MB and ${late.toFixed(1)} MB, looked at ${held.length} times`
printFigure(
  'MB the heap grows by from the second to the last quarter',
  late - early,
  { atMost: 10 },
  range
)
for (const cleanUp of cleanUps.reverse()) await cleanUp()
process.exit()
