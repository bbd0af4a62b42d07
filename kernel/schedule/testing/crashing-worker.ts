// A process that works on a queue and holds one item for ever: for being killed in a test.

import type { QueueItem } from '@keelson/sdk'
import { connectStorage } from '../../storage/connect.ts'
import { createSchedule } from '../schedule.ts'
import { silentLog } from './silent-log.ts'

const config = JSON.parse(process.argv[2] ?? '{}')
const storage = await connectStorage(config, { baseDir: '.', log: silentLog })
const schedule = createSchedule({
  storage,
  clock: { now: () => new Date() },
  role: 'worker',
  log: silentLog
})
schedule.queue(
  { plugin: 'work', log: silentLog },
  { name: 'items', collection: 'work_items', batch: 4, leaseSeconds: 2 },
  storage.db.collection<QueueItem>('work_items'),
  async (item) => {
    process.send?.({ id: item._id, at: Date.now() })
    if (item._id === 'held') await new Promise(() => {})
  }
)
await schedule.start()
