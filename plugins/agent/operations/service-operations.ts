// The mailer as a whole: run its tick.

import { Type } from '@keelson/sdk'
import { flag, number } from '../answers/shapes.ts'
import { answer, type Operation } from './operation.ts'

/** `/tick`. */
export const serviceOperations: readonly Operation[] = [
  {
    tool: 'run_tick',
    method: 'POST',
    path: '/tick',
    summary: 'Runs triggers, due broadcasts, sweeps and the tasks of plugins at once',
    scope: 'mail:write',
    output: Type.Object({ ok: flag, ms: number }),
    hints: { idempotent: true, mails: true },
    run: async ({ agent }) => {
      const startedAt = performance.now()
      await agent.tick.run(agent.signal)
      return answer({ ok: true, ms: Math.round(performance.now() - startedAt) })
    }
  }
]
