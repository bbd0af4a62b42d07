// Turns rows into the first and the following batches of a cursor.
import { Int32, Long } from 'bson'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc } from '../bson/value.ts'
import type { CursorOwner, CursorSource } from '../cursors/cursor-registry.ts'
import type { Namespace, Rows } from '../engine.ts'
import { commandError } from '../errors.ts'
import { MAX_BSON_OBJECT_SIZE } from '../wire/limits.ts'
import type { CursorBatch } from '../wire/message.ts'
import type { Answer, Call } from './command.ts'
import type { CursorContext } from './cursor-context.ts'
import { count, readFields } from './fields.ts'
import { spell } from './namespace.ts'

/** Documents of a first batch when the client does not say. */
const FIRST_BATCH = 101

/** How a cursor is opened. */
export interface CursorOptions {
  /** Documents of the first batch; default 101. */
  readonly batchSize: number | undefined
  /** Close after the first batch whatever remains. */
  readonly singleBatch?: boolean
  readonly noTimeout?: boolean
  readonly isChangeStream?: boolean
}

/** Rows as the source of a cursor. */
export function sourceOfRows(rows: Rows, context: CursorContext): CursorSource {
  return {
    next: ({ maxDocs, maxBytes, signal }) =>
      context.during(signal, async () => {
        const documents = await rows.next(maxDocs, maxBytes)
        for (const { length } of documents) refuseTooLarge(length)
        return documents
      }),
    get exhausted() {
      return rows.exhausted
    },
    close: () => rows.close()
  }
}

/** Each document of a result has the limit of a stored one. */
function refuseTooLarge(bytes: number): void {
  if (bytes <= MAX_BSON_OBJECT_SIZE) return
  throw commandError(
    'BSONObjectTooLarge',
    `BSONObj size: ${bytes} is invalid. Size must be between 0 and ${MAX_BSON_OBJECT_SIZE}`
  )
}

/** A list that is complete already, as a source; documents are encoded when their batch is asked for. */
export function sourceOfList(list: readonly Doc[]): CursorSource {
  let at = 0
  return {
    async next({ maxDocs, maxBytes }) {
      const batch: Uint8Array[] = []
      let size = 0
      for (; at < list.length && batch.length < maxDocs; at++) {
        const bytes = encodeDoc(list[at] ?? new Map())
        if (batch.length > 0 && size + bytes.length > maxBytes) break
        size += bytes.length
        batch.push(bytes)
      }
      return batch
    },
    get exhausted() {
      return at >= list.length
    },
    close() {
      at = list.length
    }
  }
}

/** A cursor of a snapshot read belongs to its session: the read is not part of a transaction. */
export function ownerOf({ generic, entered }: Call): CursorOwner {
  const transaction = entered.kind === 'statement' ? entered.transaction : undefined
  return { sessionId: generic.sessionId, txnNumber: transaction?.id.txnNumber }
}

/** Answers the first batch, and keeps the cursor when more follows. */
export async function openCursor(
  call: Call,
  namespace: Namespace,
  source: CursorSource,
  options: CursorOptions
): Promise<Answer> {
  const { services } = call
  const maxDocs = options.batchSize ?? FIRST_BATCH
  let documents: readonly Uint8Array[]
  try {
    documents = await firstBatch(call, source, maxDocs)
  } catch (error) {
    source.close()
    throw error
  }
  let id = 0n
  if (source.exhausted || options.singleBatch) {
    source.close()
  } else {
    const cursor = {
      namespace,
      source,
      ...ownerOf(call),
      isChangeStream: options.isChangeStream ?? false,
      noTimeout: options.noTimeout ?? false
    }
    id = services.cursors.open(cursor, services.now())
  }
  const more = source.extra?.() ?? atClusterTime(call)
  const batch: CursorBatch = {
    field: 'firstBatch',
    documents,
    id,
    namespace: spell(namespace),
    ...(more && { more })
  }
  return { fields: new Map(), batch }
}

function atClusterTime({ snapshotTime }: Call): Uint8Array | undefined {
  return snapshotTime && encodeDoc(new Map([['atClusterTime', snapshotTime]]))
}

async function firstBatch(
  call: Call,
  source: CursorSource,
  maxDocs: number
): Promise<readonly Uint8Array[]> {
  // A batch size of 0 asks for the cursor alone; a change stream then still has its token.
  if (maxDocs === 0) return []
  return source.next({
    maxDocs,
    maxBytes: MAX_BSON_OBJECT_SIZE,
    waitMs: 0,
    signal: call.running.signal
  })
}

const CURSOR = { batchSize: count }

/** Reads `cursor: { batchSize }` of aggregate and its kin. */
export function readCursorOptions(owner: string, cursor: Doc | undefined): CursorOptions {
  const fields = cursor && readFields(`${owner}.cursor`, cursor, CURSOR)
  return { batchSize: fields?.batchSize }
}

/** A count as MongoDB answers it: an int where it fits, else a long. */
export function wholeNumber(value: number): Int32 | Long {
  return Math.abs(value) < 2 ** 31 ? new Int32(value) : Long.fromNumber(value)
}
