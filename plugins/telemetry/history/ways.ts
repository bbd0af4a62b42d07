// The two ways to read rows, and which is tried first: documents alone, or documents and segments together in columns.
import type { Document } from 'mongodb'
import type { FewIndexes, Reading } from './few-indexes.ts'
import { ListChanged } from './list-changed.ts'
import { NotInColumns } from './statement.ts'

/** Which reads the indexes of documents serve. */
export type ServedReads = Pick<FewIndexes, 'serve'>

const MAX_TRIES = 8

interface Ways<T> {
  /** Of documents alone; undefined when there is more. */
  readonly alone: () => Promise<{ readonly value: T } | undefined>
  readonly together: () => Promise<T>
}

/** Documents alone where they are all and an index serves the read, else all together in columns. */
export async function firstOf<T>(
  indexes: ServedReads,
  [filter, reading]: readonly [Document, Reading],
  { alone, together }: Ways<T>
): Promise<T> {
  const isServed = await indexes.serve(filter, reading)
  const found = isServed ? await alone() : undefined
  if (found !== undefined) return found.value
  try {
    return await again(together)
  } catch (error) {
    // Columns cannot tell it: then documents do, when they are all that there is.
    const late = !isServed && error instanceof NotInColumns ? await alone() : undefined
    if (late === undefined) throw error
    return late.value
  }
}

async function again<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof ListChanged) || attempt >= MAX_TRIES) throw error
    }
  }
}
