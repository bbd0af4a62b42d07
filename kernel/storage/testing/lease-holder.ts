// A process that takes a lease and never ends it: for being killed in a test.
import { openLeases } from '@keelson/sdk'
import { silentLog } from '../../schedule/testing/silent-log.ts'
import { connectStorage } from '../connect.ts'

const config = JSON.parse(process.argv[2] ?? '{}')
const { db } = await connectStorage(config, { baseDir: '.', log: silentLog })
const lease = openLeases({ db, clock: { now: () => new Date() }, owner: 'work' })
// Long enough that no renewal moves its end.
await lease('one', { seconds: 600 }, async () => {
  const rows = db.collection<{ _id: string; until: Date }>('keelson_leases')
  const row = await rows.findOne({ _id: 'work/one' })
  process.send?.({ until: row?.until.getTime() })
  await new Promise(() => {})
})
