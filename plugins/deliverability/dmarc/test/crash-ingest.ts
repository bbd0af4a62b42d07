// A process for crash.test: ingests one report and kills itself at one of its database commands, whose session it
// prints.
import { writeSync } from 'node:fs'
import { type Binary, MongoClient } from 'mongodb'
import { ingestDmarcAttachment } from '../ingest/ingest-file.ts'
import { ingestContext } from './ingest-context.ts'
import { reportXml } from './report-xml.ts'

const [uri = '', database = '', domain = '', count = '0', last = '0'] = process.argv.slice(2)

const client = await new MongoClient(uri, { monitorCommands: true }).connect()
const { context } = ingestContext({ db: client.db(database), client })
const kill = () => process.kill(process.pid, 'SIGKILL')
let commands = 0
client.on('commandStarted', ({ command }) => {
  commands++
  // The event comes before the bytes leave; a turn of the event loop later the server may have them.
  if (commands !== Number(last)) return
  const { id } = command['lsid'] as { readonly id: Binary }
  writeSync(1, id.toString('hex'))
  setImmediate(kill)
})
const records = Array.from({ length: Number(count) }, (_, n) => ({
  ip: `10.0.${n >> 8}.${n & 255}`,
  dkim: 'fail',
  spf: 'fail'
}))
const bytes = Buffer.from(reportXml({ domain, records }))
await ingestDmarcAttachment(context, { filename: 'report.xml', bytes }, { via: 'upload' })
process.exit(0)
