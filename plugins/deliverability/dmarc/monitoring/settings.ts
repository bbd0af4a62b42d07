// What monitoring looks at and when it alerts: defaults, then the config, then what operators set.
import { DURABLE } from '@keelson/sdk'
import type { Monitoring } from '../config/monitoring-schema.ts'
import type { DmarcContext } from '../context.ts'
import type { SettingsRow } from '../storage/rows.ts'

type SettingsContext = Pick<DmarcContext, 'collections' | 'config'>
const ID = 'monitoring'

/** The settings as they are now. */
export async function readMonitoring({ collections, config }: SettingsContext): Promise<{
  readonly settings: Monitoring
  /** What operators set. */
  readonly overrides: Partial<Monitoring>
}> {
  const overrides = (await collections.settings.findOne({ _id: ID }))?.values ?? {}
  return { settings: { ...config.monitoring, ...overrides }, overrides }
}

/** Sets some of them; the others stay. @returns what operators had set before */
export async function changeMonitoring(
  { collections }: SettingsContext,
  values: Partial<Monitoring>
): Promise<SettingsRow['values']> {
  const set = Object.entries(values).map(([name, value]) => [`values.${name}`, value])
  const before = await collections.settings.findOneAndUpdate(
    { _id: ID },
    { $set: Object.fromEntries(set) },
    { upsert: true, returnDocument: 'before', ...DURABLE }
  )
  return before?.values ?? {}
}

/** Back to the config. @returns what operators had set */
export async function resetMonitoring({
  collections
}: SettingsContext): Promise<SettingsRow['values']> {
  return (await collections.settings.findOneAndDelete({ _id: ID }, DURABLE))?.values ?? {}
}
