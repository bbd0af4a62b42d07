// A backfill in a separate process, to be killed: prints each slice that is done.
import { MongoClient } from 'mongodb'
import { createTelemetry } from '../create-telemetry.ts'
import { LATER_SPEC } from './later-registry.ts'

const [uri = '', database = ''] = process.argv.slice(2)
const client = await new MongoClient(uri).connect()
const telemetry = createTelemetry({ registry: LATER_SPEC, connection: client.db(database) })
await telemetry.backfill({
  family: 'views_by_path',
  onProgress: ({ slice }) => process.stdout.write(`${slice}\n`)
})
await client.close()
