// Has pages of a file become free and be taken again, in the order over which lmdb-js fails when it keeps LMDB's
// list of free pages between transactions. Run as a program it does so with LMDB alone, and may abort.
import { open, type RootDatabase } from 'lmdb'
import { ROOT_OPTIONS } from './databases.ts'

type Raw = Pick<
  RootDatabase<Uint8Array, Uint8Array>,
  'putSync' | 'getBinary' | 'useReadTransaction' | 'close'
>

/** A file, opened, and how to write to it. */
export interface Opened {
  readonly root: Raw
  write(change: () => void): unknown
}

/** How many values there are, and every which of them is overwritten at once. */
export interface Shape {
  readonly stride: number
  readonly values: number
  /** Bytes of a new value that a step of the end puts; 0 for none. */
  readonly bytesAt?: (step: number) => number
}

const VALUE_BYTES = 900
const PER_TRANSACTION = 500
const STEPS = 40
const NEW_KEYS_FROM = 1_000_000

const key = (number: number) => Buffer.from(String(number).padStart(8, '0'))
const value = (number: number, bytes = VALUE_BYTES) => Buffer.alloc(bytes, number)
const growing = (step: number) => (step >= 3 && step % 3 === 0 ? 4_000 + 3_000 * step : 0)

async function fill({ root, write }: Opened, { stride, values }: Shape): Promise<void> {
  for (let from = 0; from < values; from += PER_TRANSACTION) {
    await write(() => {
      for (let i = from; i < from + PER_TRANSACTION; i++) root.putSync(key(i), value(i))
    })
  }
  await write(() => {
    for (let i = 0; i < values; i += stride) root.putSync(key(i), value(i + 1))
  })
  await write(() => root.putSync(key(1), value(3)))
}

/** Rejects when a commit fails. */
export async function wearOut(openFile: () => Opened, shape: Shape): Promise<void> {
  const { values, bytesAt = growing } = shape
  const first = openFile()
  await fill(first, shape)
  await first.root.close()
  const { root, write } = openFile()
  const reader = root.useReadTransaction()
  ;(root.getBinary as (key: Uint8Array, options: object) => unknown)(key(5), {
    transaction: reader
  })
  try {
    for (let step = 0; step < STEPS; step++) {
      const bytes = bytesAt(step)
      await write(() => {
        root.putSync(key((step * 7) % values), value(step))
        if (bytes > 0) root.putSync(key(NEW_KEYS_FROM + step), value(step, bytes))
      })
    }
  } finally {
    reader.done()
    await root.close()
  }
}

/** LMDB alone, as the product opens it but for what `options` say. */
function openAlone(path: string, options: { readonly maxFreeSpaceToRetain?: number } = {}): Opened {
  const root = open<Uint8Array, Uint8Array>({ ...ROOT_OPTIONS, ...options, path })
  return { root, write: (change) => root.transactionSync(change) }
}

/** Makes a file that has lost pages, as lmdb-js makes it when it keeps the list as it does by default. */
export function leakPages(path: string): Promise<void> {
  const shape = { stride: 5, values: 6_000, bytesAt: (step: number) => (step < 20 ? 20_000 : 0) }
  return wearOut(() => openAlone(path, { maxFreeSpaceToRetain: 75_000 }), shape)
}

const [, program = '', path, stride, values] = process.argv
if (path !== undefined && program === import.meta.filename) {
  await wearOut(() => openAlone(path), { stride: Number(stride), values: Number(values) })
}
