// keelson plan: what a start would change in the database.
import { planStorage, type StoragePlan } from '../../storage/plan.ts'
import { type Command, table } from '../command.ts'
import { declaredPlugins, findPlatform, withStorage } from '../platform.ts'

export const plan: Command = {
  name: 'plan',
  summary: 'Print what apply, or a start of the host, would change in the database.',
  details: 'Changes nothing. Fails when a plugin is over its index budget.',
  async run(context) {
    const platform = await findPlatform(context)
    const plugins = declaredPlugins(platform.plugins)
    const found = await withStorage(platform, ({ db }) => planStorage(db, plugins))
    return { text: planText(found), json: planJson(found) }
  }
}

export function planJson({ steps, strangers }: StoragePlan): unknown {
  return { steps, strangers }
}

export function planText({ steps, strangers }: StoragePlan): string {
  const rows = steps.map((step) => {
    const what = step.migration ?? [step.collection, step.index].filter(Boolean).join(' ')
    return [step.action, what, step.plugin]
  })
  const strange = strangers.map(
    ({ collection, index }) => `  ${collection} ${index}: not declared and not made by the kernel`
  )
  return [
    steps.length === 0 ? 'Nothing to do.' : `${steps.length} steps:`,
    ...table(rows),
    ...(strange.length === 0 ? [] : ['', 'Left alone:', ...strange])
  ].join('\n')
}
