// A process for history-kill.test: seals slice by slice, and says before each call to the database which one it is.
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { openTelemetry } from '../create-telemetry.ts'
import { HISTORY_SPEC } from './history-rows.ts'
import { eachCall } from './storage-calls.ts'

const [uri = '', database = '', cacheDir = '', before = '', stop = '0'] = process.argv.slice(2)

const client = await new MongoClient(uri).connect()
let calls = 0
const { telemetry } = openTelemetry(
  {
    registry: HISTORY_SPEC,
    connection: client.db(database),
    history: { enabled: true, cacheDir, threads: 1 }
  },
  {
    change: (storage) =>
      eachCall(storage, async () => {
        if (++calls !== Number(stop)) return
        process.stdout.write('here\n')
        // The parent kills this process now. A parent that was killed leaves it to end by itself.
        await sleep(30_000)
        process.exit(1)
      })
  }
)
await telemetry.seal({ before: new Date(before) })
process.stdout.write('sealed\n')
process.exit(0)
