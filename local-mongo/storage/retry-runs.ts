// The results of a session's statements: the last ones in its record, those before in separate parts,
// so that a command of many statements does not write all of them again with each of its turns.
import { Int32, Long } from 'bson'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc, Value } from '../bson/value.ts'
import { TREE, treeKey } from './tree-keys.ts'
import type { View, WriteView } from './view.ts'

/** The result of one statement. */
export interface StatementResult {
  readonly n: number
  readonly nModified: number
  /** Present when a document was inserted by an upsert. */
  readonly upserted?: { readonly _id: Value }
}

/** Statements that follow each other with one and the same result. */
interface ResultRun {
  readonly first: number
  last: number
  readonly result: StatementResult
}

/** Runs that lie apart, and between which statements they are. */
interface Part {
  readonly first: number
  readonly last: number
}

/** So many are kept in the session's record. */
const MOST_RUNS = 256

function int(value: number): Int32 {
  return new Int32(value)
}

function numberIn(doc: Doc, name: string): number {
  return (doc.get(name) as Int32).value
}

function encodeRun({ first, last, result }: ResultRun): Doc {
  const run: Doc = new Map<string, Value>([
    ['f', int(first)],
    ['l', int(last)],
    ['n', int(result.n)],
    ['m', int(result.nModified)]
  ])
  if (result.upserted !== undefined) run.set('u', result.upserted._id)
  return run
}

function decodeRun(run: Doc): ResultRun {
  const result: StatementResult = {
    n: numberIn(run, 'n'),
    nModified: numberIn(run, 'm'),
    ...(run.has('u') ? { upserted: { _id: run.get('u') } } : {})
  }
  return { first: numberIn(run, 'f'), last: numberIn(run, 'l'), result }
}

function resultIn(runs: readonly ResultRun[], id: number): StatementResult | undefined {
  return runs.find(({ first, last }) => first <= id && id <= last)?.result
}

/** What a session's parts are found by. */
export interface RunsOwner {
  readonly sessionId: string
  readonly txnNumber: bigint
}

/** After the session's own record, whose key ends before the null byte. */
function partKey({ sessionId, txnNumber }: RunsOwner, part: number): Uint8Array {
  const end = Buffer.alloc(13)
  end.writeBigInt64BE(txnNumber, 1)
  end.writeUInt32BE(part, 9)
  return treeKey(TREE.retries, Buffer.concat([Buffer.from(sessionId), end]))
}

/** The results of the statements of one transaction number. */
export class ResultRuns {
  readonly #owner: RunsOwner
  readonly #runs: ResultRun[]
  readonly #parts: Part[]
  /** Parts that were read, by their place. */
  readonly #read = new Map<number, readonly ResultRun[]>()

  /** `record` is that of the session; nothing is known yet without it. */
  constructor(owner: RunsOwner, record?: Doc) {
    this.#owner = owner
    this.#runs = ((record?.get('s') as Doc[] | undefined) ?? []).map(decodeRun)
    // Absent in records from before there were parts.
    this.#parts = ((record?.get('p') as Doc[] | undefined) ?? []).map((part) => ({
      first: numberIn(part, 'f'),
      last: numberIn(part, 'l')
    }))
  }

  resultOf(view: View, id: number): StatementResult | undefined {
    const known = resultIn(this.#runs, id)
    if (known !== undefined) return known
    for (const [place, { first, last }] of this.#parts.entries()) {
      const found = first <= id && id <= last ? resultIn(this.#part(view, place), id) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }

  note(id: number, result: StatementResult): void {
    const last = this.#runs.at(-1)
    const isAlike =
      last !== undefined &&
      last.last + 1 === id &&
      last.result.n === result.n &&
      last.result.nModified === result.nModified &&
      last.result.upserted === undefined &&
      result.upserted === undefined
    if (isAlike) last.last = id
    else this.#runs.push({ first: id, last: id, result })
  }

  /** Writes a part when there are many, and answers the fields of the session's record. */
  save(view: WriteView, now: Date): [string, Value][] {
    if (this.#runs.length > MOST_RUNS) this.#split(view, now)
    const parts = this.#parts.map(
      ({ first, last }): Doc =>
        new Map([
          ['f', int(first)],
          ['l', int(last)]
        ])
    )
    const fields: [string, Value][] = [['s', this.#runs.map(encodeRun)]]
    return parts.length === 0 ? fields : [...fields, ['p', parts]]
  }

  /** Removes the parts, once the session has gone on. */
  removeParts(view: WriteView): void {
    for (const place of this.#parts.keys()) view.remove(partKey(this.#owner, place))
  }

  #split(view: WriteView, now: Date): void {
    const runs = this.#runs.splice(0)
    const part = new Map<string, Value>([
      ['t', Long.fromBigInt(this.#owner.txnNumber)],
      ['at', now],
      ['s', runs.map(encodeRun)]
    ])
    view.put(partKey(this.#owner, this.#parts.length), encodeDoc(part))
    this.#parts.push({
      first: Math.min(...runs.map(({ first }) => first)),
      last: Math.max(...runs.map(({ last }) => last))
    })
  }

  #part(view: View, place: number): readonly ResultRun[] {
    const known = this.#read.get(place)
    if (known !== undefined) return known
    const stored = view.get(partKey(this.#owner, place))
    const runs = stored === undefined ? [] : (decodeDoc(stored).get('s') as Doc[]).map(decodeRun)
    this.#read.set(place, runs)
    return runs
  }
}
