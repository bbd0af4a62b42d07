// keelson apply: does what plan prints.
import { applyPlan, planStorage } from '../../storage/plan.ts'
import { systemClock } from '../../system-clock.ts'
import type { Command } from '../command.ts'
import { commandLog, plannedPlugins, withStorage } from '../platform.ts'
import { findPlatformInForce, WITH } from '../platform-in-force.ts'
import { planText } from './plan.ts'

export const apply: Command = {
  name: 'apply',
  summary: 'Make collections and indexes as declared, and run the migrations that have not run.',
  details:
    'Safe beside running hosts and safe to repeat. An index that is no longer declared is hidden first and dropped at the next apply.',
  options: {
    ...WITH,
    plugin: { type: 'string', placeholder: 'ID', description: 'Only the steps of this plugin.' }
  },
  async run(context, { options, signal }) {
    const platform = await findPlatformInForce(context, options['with'])
    const only = options['plugin']
    if (typeof only === 'string' && !platform.plugins.some((plugin) => plugin.id === only)) {
      return { wrongUse: `The config has no plugin "${only}" that is switched on.` }
    }
    const plugins = await plannedPlugins(platform.plugins)
    return withStorage(platform, async ({ db }) => {
      const all = await planStorage(db, plugins, { isByCommand: true })
      const scope = typeof only === 'string' ? { only } : {}
      await applyPlan(db, all, { log: commandLog(), signal, clock: systemClock, ...scope })
      const steps = all.steps.filter((step) => only === undefined || step.plugin === only)
      const text = steps.length === 0 ? 'Nothing to do.' : planText({ ...all, steps })
      return { text: steps.length === 0 ? text : `Done: ${text}`, json: { applied: steps } }
    })
  }
}
