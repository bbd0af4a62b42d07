// The rates: asked of the outside by a job, kept by day, and read from the database alone.
import { fitsSchema, type Health, type Host, type JobRun } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import { errors } from './errors.ts'
import { type ApiAnswer, apiAnswer, type DaysAnswer, type RatesConfig } from './schemas.ts'

interface StoredDay {
  readonly _id: string
  readonly base: string
  readonly day: string
  readonly rates: Readonly<Record<string, number>>
  readonly fetchedAt: Date
}

const LISTED = 30
const DAY_MS = 86_400_000

export class Rates {
  readonly #host: Host
  readonly #config: RatesConfig
  readonly #days: Collection<StoredDay>

  constructor(host: Host, config: RatesConfig) {
    this.#host = host
    this.#config = config
    this.#days = host.collection<StoredDay>('rates_plugin_days')
    host.job('fetch-rates', (run) => this.#fetch(run))
    host.health('rates', () => this.#health())
  }

  async list(): Promise<DaysAnswer> {
    const { base } = this.#config
    const found = await this.#latest().limit(LISTED).toArray()
    const items = found.map(({ day, rates, fetchedAt }) => ({
      day,
      rates,
      fetchedAt: fetchedAt.toISOString()
    }))
    return { base, items }
  }

  /** Run twice, it stores the same day once: the day is the key. */
  async #fetch({ signal }: JobRun): Promise<void> {
    const { apiUrl, base } = this.#config
    const response = await this.#host.fetch(`${apiUrl}/latest?base=${base}`, { signal })
    if (!response.ok) {
      await response.body?.cancel()
      throw errors.RATE_API_REFUSED({ status: response.status })
    }
    const answer: unknown = await response.json().catch(() => undefined)
    if (!fitsSchema(apiAnswer, answer)) throw errors.RATE_API_UNREADABLE()
    const { date: day, rates } = answer as ApiAnswer
    const fetchedAt = this.#host.clock.now()
    await this.#days.replaceOne(
      { _id: `${base}:${day}` },
      { base, day, rates, fetchedAt },
      { upsert: true }
    )
  }

  /** Shown to operators. A weekend has no rates of its own. */
  async #health(): Promise<Health> {
    const newest = await this.#latest().limit(1).next()
    if (newest === null) return { state: 'degraded', reason: 'No rates were fetched yet.' }
    const ageMs = this.#host.clock.now().getTime() - newest.fetchedAt.getTime()
    if (ageMs < DAY_MS) return { state: 'ok' }
    return { state: 'degraded', reason: 'The newest rates are older than a day.' }
  }

  #latest() {
    return this.#days.find({ base: this.#config.base }).sort({ day: -1 })
  }
}
