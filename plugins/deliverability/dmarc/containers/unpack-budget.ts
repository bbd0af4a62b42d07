// What one file may unpack to, over all its archives and mails: size, ratio, entries, parts, lines and depth.
import { errors } from '../errors.ts'
import type { Bytes } from './byte-streams.ts'

/** The limits of one file. */
export interface UnpackLimits {
  /** Bytes of all that is unpacked, archives in archives included. */
  readonly maxBytes: number
  /** How many times its size an archive may unpack to; real reports reach 102, bombs 1,000. */
  readonly maxRatio: number
  /** Up to here the ratio does not matter: so little does no harm. */
  readonly ratioFreeBytes: number
  /** Entries of all zip archives, and members of all gzip files. */
  readonly maxEntries: number
  /** Lines of all mails that may separate parts. */
  readonly maxParts: number
  /** Lines of all mails: reading a mail takes time for each. */
  readonly maxLines: number
  readonly maxDepth: number
}

const MIB = 1_048_576

export const UNPACK_LIMITS: UnpackLimits = {
  maxBytes: 50 * MIB,
  maxRatio: 200,
  ratioFreeBytes: MIB,
  maxEntries: 1_000,
  maxParts: 2_000,
  // A base64 attachment of 10 MiB has 140,000.
  maxLines: 250_000,
  maxDepth: 3
}

/** What is unpacked so far, of one file. */
export interface UnpackBudget {
  readonly limits: UnpackLimits
  readonly name: string
  spent: number
  entries: number
  parts: number
  lines: number
}

/** The budget of a file of which nothing is read yet. */
export const newBudget = (name: string, limits: UnpackLimits = UNPACK_LIMITS): UnpackBudget => {
  return { limits, name, spent: 0, entries: 0, parts: 0, lines: 0 }
}

/** Counts entries before any of them is unpacked. @throws DMR_ENTRIES */
export function spendEntries(budget: UnpackBudget, entries: number): void {
  const { name, limits } = budget
  budget.entries += entries
  if (budget.entries > limits.maxEntries)
    throw errors.DMR_ENTRIES({ name, limit: limits.maxEntries })
}

/** Refuses what an archive declares, before any of it is unpacked. */
export function checkDeclared(budget: UnpackBudget, bytes: number): void {
  if (budget.spent + bytes > budget.limits.maxBytes) throw tooLarge(budget)
}

/** Passes unpacked bytes on until there are too many of them. */
export async function* metered(
  chunks: Bytes,
  packedBytes: number,
  budget: UnpackBudget
): AsyncGenerator<Uint8Array> {
  const { limits, name } = budget
  const most = Math.max(limits.ratioFreeBytes, limits.maxRatio * packedBytes + 1024)
  let unpacked = 0
  for await (const chunk of chunks) {
    unpacked += chunk.length
    budget.spent += chunk.length
    if (unpacked > most) throw errors.DMR_RATIO({ name, ratio: limits.maxRatio })
    if (budget.spent > limits.maxBytes) throw tooLarge(budget)
    yield chunk
  }
}

function tooLarge({ name, limits }: UnpackBudget) {
  return errors.DMR_TOO_LARGE({ name, limit: limits.maxBytes / MIB })
}
