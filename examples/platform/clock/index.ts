// The clock of the demo as a plugin that the host gives in code: the host knows its clock and its schedule.
import { definePlugin, type KeelsonPlugin } from '@keelson/sdk'
import { type ClockHost, clockOperations } from './clock-operations.ts'
import { createMovableClock } from './movable-clock.ts'
import { demoPast } from './past.ts'
import manifest from './plugin.json' with { type: 'json' }

/** Makes it. */
export const createClockPlugin = (host: ClockHost): KeelsonPlugin =>
  definePlugin({
    manifest,
    operations: clockOperations,
    register(own) {
      own.serve(clockOperations, host)
      own.provide(demoPast, host.time)
    }
  })

/** For tools that read the plugin alone: it moves a clock of its own, and there is no work. */
export default createClockPlugin({
  time: createMovableClock(),
  work: () => ({
    runJob: async () => undefined,
    runQueues: async () => {},
    queuesDueAt: async () => undefined
  })
})
