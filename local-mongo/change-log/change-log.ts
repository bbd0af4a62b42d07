// The log of changes on disk: kept only while somebody follows it, and only so much of it.
import { randomBytes } from 'node:crypto'
import { Binary, Timestamp } from 'bson'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc, Value } from '../bson/value.ts'
import { type ClusterClock, timeAfter } from '../sessions/cluster-clock.ts'
import type { ChangeDraft, QueueScope } from '../storage/scope.ts'
import { TREE, treeKey, treeStart } from '../storage/tree-keys.ts'
import type { View, WriteView } from '../storage/view.ts'
import {
  decodeEvent,
  encodeCatalogChange,
  encodeChange,
  type LoggedEvent,
  type Moment
} from './events.ts'

/** How much of the log is kept. */
export interface LogLimits {
  readonly events: number
  /** Of all entries, about. */
  readonly bytes: number
}

const DEFAULT_LIMITS: LogLimits = { events: 100_000, bytes: 128 * 1024 * 1024 }
/** The log is dropped after this many milliseconds without a stream. */
export const UNUSED_MS = 60 * 60_000
/** Entries that one turn of pruning removes. */
const PRUNED_PER_TURN = 1_000
/** Entries by which the size of a log that is opened is judged. */
const MEASURED = 64

const SETTINGS = treeKey(TREE.settings, Buffer.from('changes'))

/** What is on disk beside the entries. */
interface Settings {
  /** 16 hexadecimal digits. */
  readonly log: string
  /** Number of the first entry that is kept; all later ones are. */
  readonly first: number
  /** All changes after this time are kept. */
  readonly since: Timestamp
}

/** An entry with its number. */
export interface NumberedEvent {
  readonly number: number
  readonly event: LoggedEvent
}

function entryKey(number: number): Uint8Array {
  const rest = Buffer.alloc(8)
  rest.writeBigUInt64BE(BigInt(number))
  return treeKey(TREE.changes, rest)
}

function numberOf(key: Uint8Array): number {
  return Number(Buffer.from(key).readBigUInt64BE(4))
}

function readSettings(view: View): Settings | undefined {
  const stored = view.get(SETTINGS)
  if (stored === undefined) return undefined
  const doc = decodeDoc(stored)
  return {
    log: Buffer.from((doc.get('log') as Binary).buffer)
      .toString('hex')
      .toUpperCase(),
    first: Number(String(doc.get('first'))),
    since: doc.get('since') as Timestamp
  }
}

function writeSettings(view: WriteView, { log, first, since }: Settings): void {
  const doc: Doc = new Map<string, Value>([
    ['log', new Binary(Buffer.from(log, 'hex'))],
    ['first', String(first)],
    ['since', since]
  ])
  view.put(SETTINGS, encodeDoc(doc))
}

function lastEntry(view: View): { number: number; time: Timestamp } | undefined {
  const walk = view.range(treeStart(TREE.changes), treeStart(TREE.changes + 1), true)
  const entry = walk.next()
  walk.close()
  if (entry === undefined) return undefined
  return { number: numberOf(entry.key), time: decodeEvent(entry.value).time }
}

/** About how large the entries are, by some all over the log. */
function measure(view: View, first: number, last: number): number {
  const count = last - first + 1
  const step = Math.max(1, Math.floor(count / MEASURED))
  let measured = 0
  let bytes = 0
  for (let number = first; number <= last; number += step) {
    measured++
    bytes += view.get(entryKey(number))?.length ?? 0
  }
  return measured === 0 ? 0 : (bytes / measured) * count
}

/** Writes one change of a transaction when the log turns out to be wanted. */
type EncodeChange = (moment: Moment) => Uint8Array

/** The changes of one transaction that no stream followed when they were made. */
interface Unlogged {
  readonly changes: EncodeChange[]
  isCommitted: boolean
}

/** Where the log is at a moment: a stream that begins there sees what is committed later. */
export interface LogMark {
  readonly last: number
  readonly underWay: Unlogged
}

/** What turning on and pruning need of a write transaction. */
export type LogScope = Pick<QueueScope, 'view' | 'afterCommit'>

/** The log of one engine. Its times are those of the cluster's clock, which each of them moves. */
export class ChangeLog {
  readonly #view: View
  readonly #clock: ClusterClock
  #settings: Settings | undefined
  /** Number of the last entry. */
  #last: number
  #lastTime: Timestamp
  /** Of the entries since the start; those before count as the average. */
  #bytes: number
  #followers = 0
  #lastFollowed = Date.now()
  readonly #waiting = new Set<() => void>()
  /** Set while a transaction turns the log on: its later changes are logged already. */
  #turningOn: Settings | undefined
  #underWay: Unlogged = { changes: [], isCommitted: false }
  /** Writes an entry into the transaction under way. */
  #write: (encode: EncodeChange) => void = () => undefined
  readonly #limits: LogLimits

  constructor(view: View, clock: ClusterClock, limits = DEFAULT_LIMITS) {
    this.#view = view
    this.#clock = clock
    this.#limits = limits
    this.#settings = readSettings(view)
    const last = lastEntry(view)
    this.#last = last?.number ?? (this.#settings?.first ?? 1) - 1
    this.#lastTime = last?.time ?? new Timestamp(0n)
    clock.advanceTo(this.#lastTime)
    this.#bytes = measure(view, this.first, this.#last)
  }

  /** Number of the last entry; 0 before the first. */
  get last(): number {
    return this.#last
  }

  /** Number of the first entry that is still there, or will be next. */
  get first(): number {
    return this.#settings?.first ?? this.#last + 1
  }

  /** The log's name in tokens; '' until the first stream follows it. */
  get name(): string {
    return this.#settings?.log ?? ''
  }

  /** The present place: what is under way now counts as later. */
  mark(): LogMark {
    return { last: this.#last, underWay: this.#underWay }
  }

  /** Begins to keep changes, in a write transaction; those that were under way at `mark` too. */
  turnOn({ view, afterCommit }: LogScope, mark?: LogMark): void {
    this.#lastFollowed = Date.now()
    // Not by memory: the log may just have been given up, earlier in this transaction.
    if (readSettings(view) !== undefined) return
    const log = randomBytes(8).toString('hex').toUpperCase()
    const settings = { log, first: this.#last + 1, since: this.#nextTime(this.#lastTime) }
    writeSettings(view, settings)
    this.#turningOn = settings
    if (mark?.underWay.isCommitted === true) mark.underWay.changes.forEach(this.#write)
    afterCommit(() => {
      this.#settings = settings
    })
  }

  /** Notes a follower; the answer ends it. */
  follow(): () => void {
    this.#followers++
    return () => {
      this.#followers--
      this.#lastFollowed = Date.now()
    }
  }

  draft(view: WriteView): ChangeDraft {
    let number = this.#last
    let time = this.#lastTime
    let bytes = 0
    const unlogged: Unlogged = { changes: [], isCommitted: false }
    this.#underWay = unlogged
    this.#turningOn = undefined
    this.#write = (encode) => {
      time = this.#nextTime(time)
      const entry = encode({ time, wall: new Date() })
      view.put(entryKey(++number), entry)
      bytes += entry.length
    }
    const put = (encode: EncodeChange) => {
      if ((this.#settings ?? this.#turningOn) === undefined) unlogged.changes.push(encode)
      else this.#write(encode)
    }
    return {
      tell: (change, transaction) => put((moment) => encodeChange(change, moment, transaction)),
      tellCatalog: (change) => put((moment) => encodeCatalogChange(change, moment)),
      publish: () => {
        unlogged.isCommitted = true
        if (this.#underWay === unlogged) this.#underWay = { changes: [], isCommitted: false }
        // Only now: an earlier answer with these times would have a stream that starts there miss them.
        if (number === this.#last) {
          this.#clock.tick()
          return
        }
        this.#clock.advanceTo(time)
        this.#last = number
        this.#lastTime = time
        this.#bytes += bytes
        for (const wake of [...this.#waiting]) wake()
      }
    }
  }

  /** Up to `most` entries after a number. */
  read(after: number, most: number): NumberedEvent[] {
    const found: NumberedEvent[] = []
    const walk = this.#view.range(entryKey(after + 1), treeStart(TREE.changes + 1), false)
    while (found.length < most) {
      const entry = walk.next()
      if (entry === undefined) break
      found.push({ number: numberOf(entry.key), event: decodeEvent(entry.value) })
    }
    walk.close()
    return found
  }

  /** The number before the first entry at or after a time; undefined when the log begins later. */
  numberBefore(time: Timestamp): number | undefined {
    if (this.#settings === undefined || time.lessThan(this.#settings.since)) return undefined
    let low = this.first
    let high = this.#last + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const [found] = this.read(middle - 1, 1)
      if (found?.event.time.lessThan(time) === true) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** Resolves at the next change, at the end of the time, or when `signal` says so. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
      if (signal.aborted) wake()
    })
  }

  /** Whether there is something to prune. */
  hasTooMuch(now: Date): boolean {
    if (this.#settings === undefined) return false
    const count = this.#last - this.first + 1
    return this.#isUnused(now) || count > this.#limits.events || this.#bytes > this.#limits.bytes
  }

  /** Removes some of what is too much, in a write transaction. */
  prune({ view, afterCommit }: LogScope, now: Date): void {
    const settings = this.#settings
    if (settings === undefined) return
    const count = this.#last - this.first + 1
    const isUnused = this.#isUnused(now)
    const spare = isUnused ? count : this.#spare(count)
    const until = this.first + Math.min(count, spare, PRUNED_PER_TURN)
    const [lastPruned] = this.read(until - 2, 1)
    for (let number = this.first; number < until; number++) view.remove(entryKey(number))
    const left = this.#last + 1 - until
    const bytes = count === 0 ? 0 : (this.#bytes * left) / count
    const isOver = isUnused && left === 0
    const kept = { ...settings, first: until, since: lastPruned?.event.time ?? settings.since }
    if (isOver) view.remove(SETTINGS)
    else writeSettings(view, kept)
    afterCommit(() => {
      this.#settings = isOver ? undefined : kept
      this.#bytes = bytes
    })
  }

  /** How many of so many entries are too much. */
  #spare(count: number): number {
    const { events, bytes } = this.#limits
    const tooLarge = Math.ceil(count * (1 - bytes / this.#bytes))
    return Math.max(1, count - events, tooLarge)
  }

  #isUnused(now: Date): boolean {
    return this.#followers === 0 && now.getTime() - this.#lastFollowed > UNUSED_MS
  }

  #nextTime(last: Timestamp): Timestamp {
    const { current } = this.#clock
    return timeAfter(last.lessThan(current) ? current : last, Date.now())
  }
}
