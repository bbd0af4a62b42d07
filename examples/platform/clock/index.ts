// The clock of the demo as a plugin that the host gives in code: the host knows its clock and its schedule.
import { definePlugin, type KeelsonPlugin } from '@keelson/sdk'
import { type ClockHost, clockOperations } from './clock-operations.ts'
import manifest from './plugin.json' with { type: 'json' }

/** Makes it. */
export const createClockPlugin = (host: ClockHost): KeelsonPlugin =>
  definePlugin({
    manifest,
    operations: clockOperations,
    register: (own) => own.serve(clockOperations, host)
  })
