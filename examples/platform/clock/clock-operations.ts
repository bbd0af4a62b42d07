// Moving the time of the demo, so that its traffic can play a month: for people at this machine.
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import type { MovableClock } from './movable-clock.ts'

/** The part of the kernel's schedule that does what is due. */
export interface DueWork {
  runJob(plugin: string, name: string): Promise<unknown>
  runQueues(): Promise<void>
  queuesDueAt(): Promise<Date | undefined>
}

/** What the operation is served with. */
export interface ClockHost {
  readonly time: MovableClock
  work(): DueWork
}

/** A tick starts what its queues do, and the next one sees what they did. */
const FEWEST_ROUNDS = 2
const MOST_ROUNDS = 12
/** The tick of the mailer, and what the circuit breaker does with it. */
const TICK = ['tick', 'task.circuit-breaker'] as const
/** Jobs whose results pages show, and whose next time may be minutes away. */
const IN_THE_END = [
  ['list-hygiene', 'refresh'],
  ['dmarc', 'evaluate-alerts'],
  ['telemetry', 'alerts']
] as const

const move = operation({
  id: 'demo-clock.time.move',
  method: 'PUT',
  path: '/clock',
  summary: 'Moves the time of the demo, and does what is due then; only from this machine',
  access: { auth: 'admin' },
  effect: 'send',
  body: Type.Object(
    {
      at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description: 'Null: back to the time of the machine.'
      })
    },
    { additionalProperties: false }
  ),
  answer: Type.Object({
    now: Type.String({ description: 'ISO 8601.' }),
    isSettled: Type.Boolean({ description: 'False while work is due that was not done yet.' })
  }),
  async run({ body: { at } }, { host: { time, work }, actor }: Call<ClockHost>) {
    if (actor.isLocal !== true) return { ok: false, code: 'forbidden' } as const
    if (at === null) time.comeBack()
    else time.moveTo(new Date(at))
    const isSettled = await settle(work(), time)
    if (at === null) for (const [plugin, job] of IN_THE_END) await work().runJob(plugin, job)
    return { isSettled, now: time.now().toISOString() }
  }
})

async function settle(work: DueWork, time: MovableClock): Promise<boolean> {
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    time.stay()
    for (const job of TICK) await work.runJob('mailer', job)
    await work.runQueues()
    const next = await work.queuesDueAt()
    time.stay()
    if (round >= FEWEST_ROUNDS && (next === undefined || next > time.now())) return true
  }
  return false
}

/** The operations of the clock. */
export const clockOperations: readonly Operation<ClockHost>[] = [move]
