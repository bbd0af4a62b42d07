// Waiting for something to change, with a limit: never misses a change that came before the wait.

export interface ChangeSignal {
  notify(): void
  /** Resolves at the next change, at once when one came since the last wait, or after `ms`. */
  wait(ms: number): Promise<void>
}

/** Makes a signal that nothing has changed yet. */
export function createSignal(): ChangeSignal {
  let hasChanged = false
  let wake: (() => void) | undefined
  return {
    notify() {
      hasChanged = true
      wake?.()
    },
    async wait(ms) {
      if (!hasChanged) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        wake = undefined
      }
      hasChanged = false
    }
  }
}
