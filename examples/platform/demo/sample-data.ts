// Sample data for the first start: nine weeks of the shop's story, written once even when a start is cut short.
import type { Clock } from '@keelson/sdk'
import type { EmitRecord, Telemetry } from '@keelson/telemetry'
import type { Collection } from 'mongodb'
import { chanceFrom } from '../story/random.ts'
import type { StoryRecord } from '../story/record.ts'
import { releaseAt } from '../story/releases.ts'
import { tellStory } from '../story/story.ts'
import { errors } from './errors.ts'

const DAY_MS = 86_400_000
const DAYS = 63
const SEED = 20_261_121
const BATCH = 500
const TENANTS = [
  { tenantId: 'acme', visitorsPerHour: 0.8 },
  { tenantId: 'globex', visitorsPerHour: 0.2 }
] as const

export interface StateRow {
  readonly _id: string
  /** The story ends here. Kept, so that a start after a crash tells the same story. */
  readonly until: Date
  readonly isDone: boolean
}

/** Writes what is missing of the sample data; a second call finds that nothing is. */
export async function writeSampleData(
  telemetry: Pick<Telemetry, 'emit' | 'flush'>,
  state: Collection<StateRow>,
  clock: Clock
): Promise<void> {
  const row = await state.findOneAndUpdate(
    { _id: 'sample-data' },
    { $setOnInsert: { until: clock.now(), isDone: false } },
    { upsert: true, returnDocument: 'after' }
  )
  if (row === null || row.isDone) return
  try {
    for (const tenant of TENANTS) await writeStory(telemetry, tenant, row.until)
    await telemetry.flush()
  } catch (cause) {
    throw errors.DEMO_SEED_FAILED({ plugin: 'demo', cause })
  }
  await state.updateOne({ _id: 'sample-data' }, { $set: { isDone: true } })
}

async function writeStory(
  telemetry: Pick<Telemetry, 'emit'>,
  tenant: (typeof TENANTS)[number],
  until: Date
): Promise<void> {
  const records = tellStory(chanceFrom(SEED), {
    from: new Date(until.getTime() - DAYS * DAY_MS),
    to: until,
    visitorsPerHour: tenant.visitorsPerHour,
    userPrefix: 'u-'
  })
  for (let at = 0; at < records.length; at += BATCH) {
    const batch = records.slice(at, at + BATCH)
    await Promise.all(
      batch.map((record) => telemetry.emit(record.name, rowOf(record, tenant.tenantId, until)))
    )
  }
}

function rowOf(
  { _id, name: _name, ...record }: StoryRecord,
  tenantId: string,
  until: Date
): EmitRecord {
  return {
    ...record,
    tenantId,
    service: 'seeded',
    release: releaseAt(Date.parse(record.occurredAt), until.getTime()),
    env: 'prod',
    dedupeKey: _id
  }
}
