// Agenda's commands to the database: few, and none after the close.
import { setImmediate } from 'node:timers/promises'
import { MongoJobRepository } from '@agendajs/mongo-backend'
import { KERNEL_PREFIX } from '@keelson/sdk/storage'
import type { JobParameters, JobRepositoryOptions } from 'agenda'
import type { Db } from 'mongodb'

/** Agenda's documents, one per job. */
export const JOBS_COLLECTION = `${KERNEL_PREFIX}jobs`

interface KnownJob {
  readonly name: string
  readonly nextRunAt?: Date | null
  readonly lockedAt?: Date | null
}

export interface JobRepositoryParts {
  readonly names: readonly string[]
  /** Of commands that agenda does not wait for. */
  onError(error: unknown): void
}

/**
 * Agenda asks for each job by a write that usually matches nothing. Here one read serves all jobs of
 * a poll, and only a job that looks due is asked for. Agenda also sends commands that it does not wait for; they are
 * kept, so that a close can wait for them before the connection ends.
 */
export class FrugalRepository extends MongoJobRepository {
  readonly #db: Db
  readonly #parts: JobRepositoryParts
  readonly #inHand = new Set<Promise<unknown>>()
  #known: Promise<Map<string, KnownJob>> | undefined
  #claims = true
  #sends = true

  constructor(db: Db, parts: JobRepositoryParts) {
    super({ mongo: db, db: { collection: JOBS_COLLECTION }, ensureIndex: false })
    this.#db = db
    this.#parts = parts
  }

  /** From now on no job is claimed; one whose claim is under way is given back. */
  claimNothing(): void {
    this.#claims = false
  }

  /** Waits for the commands in hand. None is sent after it. */
  async settle(): Promise<void> {
    this.claimNothing()
    do {
      await Promise.allSettled(this.#inHand)
      // A run that has just ended saves its state in this turn of the event loop.
      await setImmediate()
    } while (this.#inHand.size > 0)
    this.#sends = false
  }

  override getNextJobToRun(
    name: string,
    nextScanAt: Date,
    lockDeadline: Date,
    now: Date | undefined,
    options: JobRepositoryOptions | undefined
  ): Promise<JobParameters | undefined> {
    return this.#keep(async () => {
      if (!this.#claims) return undefined
      const job = (await this.#read()).get(name)
      if (job === undefined || !looksDue(job, nextScanAt, lockDeadline)) return undefined
      const claimed = await super.getNextJobToRun(name, nextScanAt, lockDeadline, now, options)
      if (this.#claims || claimed === undefined) return claimed
      await super.unlockJob(claimed)
      return undefined
    })
  }

  override async lockJob(
    job: JobParameters,
    options: JobRepositoryOptions | undefined
  ): Promise<JobParameters | undefined> {
    return this.#keep(async () => (this.#claims ? super.lockJob(job, options) : undefined))
  }

  /** Agenda does not wait for it. */
  override async unlockJob(job: JobParameters): Promise<void> {
    await this.#keep(() => super.unlockJob(job)).catch((error) => this.#parts.onError(error))
  }

  override async saveJobState(
    job: JobParameters,
    options: JobRepositoryOptions | undefined
  ): Promise<void> {
    await this.#keep(() => super.saveJobState(job, options))
  }

  /** Resolves to undefined once commands are no longer sent. */
  async #keep<T>(send: () => Promise<T>): Promise<T | undefined> {
    if (!this.#sends) return undefined
    const sent = send()
    this.#inHand.add(sent)
    try {
      return await sent
    } finally {
      this.#inHand.delete(sent)
    }
  }

  /** Shared by all that ask in one turn of the event loop, as agenda's poll does. */
  #read(): Promise<Map<string, KnownJob>> {
    this.#known ??= this.#db
      .collection<KnownJob>(JOBS_COLLECTION)
      .find({ name: { $in: [...this.#parts.names] } })
      .project<KnownJob>({ name: 1, nextRunAt: 1, lockedAt: 1 })
      .toArray()
      .then((jobs) => new Map(jobs.map((job) => [job.name, job])))
    void setImmediate().then(() => {
      this.#known = undefined
    })
    return this.#known
  }
}

function looksDue(job: KnownJob, nextScanAt: Date, lockDeadline: Date): boolean {
  if (job.lockedAt) return job.lockedAt <= lockDeadline
  return job.nextRunAt instanceof Date && job.nextRunAt <= nextScanAt
}
