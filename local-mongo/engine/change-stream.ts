// A change stream: reads the log from a place on, for one collection, one database or all.
import { Timestamp } from 'bson'
import { isKnownStage } from '../aggregate/parse-stages.ts'
import { type Pipeline, parsePipeline } from '../aggregate/pipeline.ts'
import { encodeDoc } from '../bson/encode.ts'
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import type { ChangeLog, NumberedEvent } from '../change-log/change-log.ts'
import { eventDoc, eventHead, type LoggedEvent } from '../change-log/events.ts'
import { historyLost, placeOf, tokenOf } from '../change-log/resume-token.ts'
import type { ChangeStream, ChangeStreamRequest, Namespace, OperationContext } from '../engine.ts'
import { type CommandError, commandError } from '../errors.ts'
import { MAX_INTERNAL_OBJECT_SIZE } from '../wire/limits.ts'
import { giveTurn, pauseFor, SLICE_MS } from './time-slices.ts'

/** Entries that a call looks at even when its time is over. */
const ENTRIES_AT_LEAST = 1_000

const STAGES: ReadonlySet<string> = new Set([
  '$match',
  '$project',
  '$addFields',
  '$set',
  '$unset',
  '$replaceRoot',
  '$replaceWith',
  '$redact'
])
/** Events that come with `showExpandedEvents` alone. */
const EXPANDED: ReadonlySet<string> = new Set(['create', 'createIndexes', 'dropIndexes', 'modify'])
const FULL_DOCUMENT: ReadonlySet<Value> = new Set([
  'default',
  'updateLookup',
  'whenAvailable',
  'required'
])
const BEFORE_CHANGE: ReadonlySet<Value> = new Set(['off', 'whenAvailable', 'required'])
const OPTIONS: ReadonlySet<string> = new Set([
  'fullDocument',
  'fullDocumentBeforeChange',
  'resumeAfter',
  'startAfter',
  'startAtOperationTime',
  'showExpandedEvents',
  'allChangesForCluster'
])

/** What the stage `$changeStream` says. */
interface StreamOptions {
  readonly fullDocument: string
  readonly beforeChange: string
  readonly showsExpanded: boolean
}

/** Looks a document up as it is now. */
export type Lookup = (ns: Namespace, documentKey: Doc) => Doc | undefined

function readOptions(options: Doc): StreamOptions {
  for (const name of options.keys()) {
    if (!OPTIONS.has(name)) {
      throw commandError('Location40415', `BSON field '$changeStream.${name}' is an unknown field.`)
    }
  }
  const fullDocument = options.get('fullDocument') ?? 'default'
  const beforeChange = options.get('fullDocumentBeforeChange') ?? 'off'
  if (!FULL_DOCUMENT.has(fullDocument)) {
    throw commandError(
      'BadValue',
      `Enumeration value '${String(fullDocument)}' for field '$changeStream.fullDocument' is not a valid value.`
    )
  }
  if (!BEFORE_CHANGE.has(beforeChange)) {
    throw commandError(
      'BadValue',
      `Enumeration value '${String(beforeChange)}' for field '$changeStream.fullDocumentBeforeChange' is not a valid value.`
    )
  }
  return {
    fullDocument: fullDocument as string,
    beforeChange: beforeChange as string,
    showsExpanded: options.get('showExpandedEvents') === true
  }
}

/** After which entry the stream begins: `after` unless its options say otherwise. Fails with 260, 286 and the like. */
function startOf(log: ChangeLog, options: Doc, after: number): number {
  const given = ['resumeAfter', 'startAfter', 'startAtOperationTime'].filter((name) =>
    options.has(name)
  )
  const [only] = given
  if (only === undefined) return Math.max(after, log.first - 1)
  if (given.length > 1) {
    throw commandError(
      'Location40674',
      'Only one type of resume option is allowed, but multiple were found'
    )
  }
  if (only === 'startAtOperationTime') {
    const time = options.get(only)
    if (!(time instanceof Timestamp)) {
      throw commandError(
        'TypeMismatch',
        "The field '$changeStream.startAtOperationTime' must be a timestamp"
      )
    }
    const before = log.numberBefore(time)
    if (before === undefined) throw historyLost()
    return before
  }
  const place = placeOf(options.get(only), log.name)
  if (place.isInvalidate && only === 'resumeAfter') {
    throw commandError(
      'InvalidResumeToken',
      'Attempting to resume a change stream using resumeAfter is not allowed from an invalidate notification'
    )
  }
  if (place.number < log.first - 1 || place.number > log.last) throw historyLost()
  return place.number
}

function parseStages(stages: readonly Doc[], ns: Namespace, now: Date): Pipeline | undefined {
  if (stages.length === 0) return undefined
  for (const stage of stages) {
    const [name = ''] = stage.keys()
    if (STAGES.has(name)) continue
    if (!isKnownStage(name))
      throw commandError('Location40324', `Unrecognized pipeline stage name: '${name}'`)
    throw commandError('IllegalOperation', `${name} is not permitted in a $changeStream pipeline`)
  }
  const source: Doc = new Map([['$changeStream', new Map()]])
  return parsePipeline([source, ...stages], { db: ns.db, collection: '', now })
}

function fatal(message: string): CommandError {
  return commandError('ChangeStreamFatalError', message, {
    labels: ['NonResumableChangeStreamError']
  })
}

/** What a batch may hold, and how long it is looked for. */
interface Wanted {
  readonly maxDocs: number
  readonly maxBytes: number
  readonly until: number
  readonly signal: AbortSignal
}

/** A stream over the log. */
class LogStream implements ChangeStream {
  readonly #log: ChangeLog
  readonly #ns: Namespace
  readonly #options: StreamOptions
  readonly #pipeline: Pipeline | undefined
  readonly #lookup: Lookup
  readonly #unfollow: () => void
  /** The last entry that was looked at. */
  #place: number
  /** Made and not yet answered. */
  #due: { readonly bytes: Uint8Array; readonly token: Doc }[] = []
  #dueBytes = 0
  #token: Doc
  #isInvalid = false
  #isClosed = false

  constructor(
    log: ChangeLog,
    ns: Namespace,
    parts: { options: StreamOptions; pipeline: Pipeline | undefined; lookup: Lookup; place: number }
  ) {
    this.#log = log
    this.#ns = ns
    this.#options = parts.options
    this.#pipeline = parts.pipeline
    this.#lookup = parts.lookup
    this.#place = parts.place
    this.#token = this.#tokenAt(parts.place)
    this.#unfollow = log.follow()
  }

  get postBatchResumeToken(): Doc {
    return this.#token
  }

  get exhausted(): boolean {
    return this.#isClosed || (this.#isInvalid && this.#due.length === 0)
  }

  async next(
    maxDocs: number,
    maxBytes: number,
    waitMs: number,
    signal: AbortSignal
  ): Promise<Uint8Array[]> {
    const until = Date.now() + waitMs
    for (;;) {
      await this.#fill({ maxDocs, maxBytes, until, signal })
      const batch = this.#take(maxDocs, maxBytes)
      const left = until - Date.now()
      if (batch.length > 0 || maxDocs === 0 || this.exhausted || left <= 0 || signal.aborted)
        return batch
      if (this.#place === this.#log.last) await this.#log.wait(left, signal)
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#due = []
    this.#dueBytes = 0
    this.#unfollow()
  }

  #tokenAt(number: number, isInvalidate = false): Doc {
    return tokenOf({ log: this.#log.name, number, isInvalidate })
  }

  #take(maxDocs: number, maxBytes: number): Uint8Array[] {
    const batch: Uint8Array[] = []
    let room = maxBytes
    for (
      let next = this.#due[0];
      next !== undefined && batch.length < maxDocs;
      next = this.#due[0]
    ) {
      if (batch.length > 0 && next.bytes.length > room) break
      batch.push(next.bytes)
      room -= next.bytes.length
      this.#dueBytes -= next.bytes.length
      this.#token = next.token
      this.#due.shift()
    }
    if (this.#due.length === 0 && !this.#isInvalid) this.#token = this.#tokenAt(this.#place)
    return batch
  }

  /**
   * Reads on until there is a batch or the log ends; a pipeline that lets little through is given
   * the time, and some entries more, so that each call gets on.
   */
  async #fill({ maxDocs, maxBytes, until, signal }: Wanted): Promise<void> {
    if (this.#isInvalid || this.#isClosed) return
    const wanted = Math.max(1, maxDocs)
    const begin = this.#place
    let turnEnds = performance.now() + SLICE_MS
    while (this.#due.length < wanted && this.#dueBytes < maxBytes && !signal.aborted) {
      if (this.#place < this.#log.first - 1) throw historyLost()
      const [entry] = this.#log.read(this.#place, 1)
      if (entry === undefined) return
      await this.#addEvents(entry, signal)
      this.#place = entry.number
      if (this.#isInvalid) return
      if (performance.now() < turnEnds) continue
      await giveTurn()
      if (this.#isClosed) return
      turnEnds = performance.now() + SLICE_MS
      if (this.#place - begin > ENTRIES_AT_LEAST && Date.now() > until) return
    }
  }

  async #addEvents(entry: NumberedEvent, signal: AbortSignal): Promise<void> {
    const { event, number } = entry
    if (!this.#sees(event)) return
    const token = this.#tokenAt(number)
    const doc = eventDoc(event, token, this.#options.showsExpanded)
    await this.#add(this.#complete(doc, event), token, signal)
    if (!this.#ends(event)) return
    this.#isInvalid = true
    const last = this.#tokenAt(number, true)
    await this.#add(eventHead(last, 'invalidate', event), last, signal)
  }

  #sees({ kind, db, collection, to }: LoggedEvent): boolean {
    if (EXPANDED.has(kind) && !this.#options.showsExpanded) return false
    const { db: ownDb, collection: own } = this.#ns
    if (ownDb === '') return true
    if (own === '') return db === ownDb
    const isOwn = db === ownDb && collection === own
    const isTarget = to?.get('db') === ownDb && to.get('coll') === own
    return isOwn || isTarget
  }

  /** Whether nothing can follow: the collection or database that is watched has gone. */
  #ends({ kind }: LoggedEvent): boolean {
    if (this.#ns.db === '') return false
    if (this.#ns.collection === '') return kind === 'dropDatabase'
    return kind === 'drop' || kind === 'rename'
  }

  #complete(doc: Doc, event: LoggedEvent): Doc {
    const { fullDocument, beforeChange } = this.#options
    if (event.kind === 'update' && fullDocument !== 'default') {
      doc.set('fullDocument', this.#fullDocument(event) ?? null)
    }
    if (beforeChange !== 'off' && event.documentKey !== undefined && event.kind !== 'insert') {
      if (event.before === undefined && beforeChange === 'required') {
        throw fatal(
          'Change stream was configured to require a pre-image, but the pre-image was not found'
        )
      }
      doc.set('fullDocumentBeforeChange', event.before ?? null)
    }
    return doc
  }

  #fullDocument({ db, collection, documentKey, after }: LoggedEvent): Doc | undefined {
    if (this.#options.fullDocument === 'updateLookup') {
      return documentKey && this.#lookup({ db, collection }, documentKey)
    }
    if (after === undefined && this.#options.fullDocument === 'required') {
      throw fatal(
        'Change stream was configured to require a post-image, but the post-image was not found'
      )
    }
    return after
  }

  async #add(doc: Doc, token: Doc, signal: AbortSignal): Promise<void> {
    if (this.#pipeline === undefined) {
      this.#give(doc, token)
      return
    }
    const pause = (reason?: unknown) => pauseFor(reason, { now: new Date(), signal })
    const env = { readCollection: nothing, signal, pause }
    for await (const result of this.#pipeline.run([doc], env)) {
      const id = result.get('_id')
      if (!isDoc(id) || id.get('_data') !== token.get('_data')) {
        throw fatal(
          'Encountered an event whose _id field, which contains the resume token, was modified by the pipeline. Modifying the _id field of an event makes it impossible to resume the stream from that point.'
        )
      }
      this.#give(result, token)
    }
  }

  #give(event: Doc, token: Doc): void {
    const bytes = encodeDoc(event)
    if (bytes.length > MAX_INTERNAL_OBJECT_SIZE) {
      throw commandError('BSONObjectTooLarge', `The event of ${bytes.length} bytes is too large`)
    }
    this.#due.push({ bytes, token })
    this.#dueBytes += bytes.length
  }
}

async function* nothing(): AsyncGenerator<Doc> {}

/** Opens a stream; the log must be on. */
export function openChangeStream(
  log: ChangeLog,
  ns: Namespace,
  {
    request,
    lookup,
    after = log.last
  }: {
    readonly request: ChangeStreamRequest
    readonly lookup: Lookup
    /** Number of the entry after which a stream without a place begins; default the last. */
    readonly after?: number
  },
  { now }: Pick<OperationContext, 'now'>
): ChangeStream {
  const options = readOptions(request.options)
  const pipeline = parseStages(request.pipeline, ns, now)
  const place = startOf(log, request.options, after)
  return new LogStream(log, ns, { options, pipeline, lookup, place })
}
