// How often each index was used since the start.
import type { Access } from '../planner/plan.ts'

/** Uses of one index. */
export interface IndexUse {
  readonly ops: number
  readonly since: Date
}

/** Counts the uses of indexes by their number. */
export class IndexUsage {
  readonly #since = new Date()
  readonly #ops = new Map<number, number>()

  note(access: Access): void {
    if (access.kind === 'or') {
      for (const branch of access.branches) this.note(branch)
    } else if (access.kind === 'index') {
      const { id } = access.index
      this.#ops.set(id, (this.#ops.get(id) ?? 0) + 1)
    }
  }

  of(index: number): IndexUse {
    return { ops: this.#ops.get(index) ?? 0, since: this.#since }
  }
}
