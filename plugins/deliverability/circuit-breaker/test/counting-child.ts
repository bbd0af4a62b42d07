// A process that counts a feed of outcomes into a database, and prints a line for each page: to be killed.
import { MongoClient } from 'mongodb'
import { countOutcomes } from '../buckets/count-outcomes.ts'
import { contextOn } from './breaker-bench.ts'
import { outcomes } from './outcome.ts'

const [uri = '', database = '', count = '0'] = process.argv.slice(2)
const client = new MongoClient(uri)
const feed = outcomes(Number(count), { type: 'accepted', occurredAt: new Date() })
const context = contextOn({ db: client.db(database), client }, { feed })
for (let page = 0; page < feed.length / 40 + 1; page++) {
  await countOutcomes(context)
  process.stdout.write(`${page}\n`)
}
await client.close()
