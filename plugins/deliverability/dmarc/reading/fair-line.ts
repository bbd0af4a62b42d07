// A bounded line for few places: senders take turns, and each holds one place at most.
import { errors } from '../errors.ts'

/** How long the line may get. */
export interface LineLimits {
  readonly places: number
  /** Files that wait. */
  readonly waiting: number
  /** Files of one sender that wait. */
  readonly waitingOfOne: number
  /** Bytes of all files that wait. */
  readonly waitingBytes: number
}

/** Gives places in turn. */
export interface FairLine {
  /** Waits for a place. @returns gives it back. @throws DMR_BUSY when the line is full */
  enter(sender: string, bytes: number): Promise<() => void>
}

interface Waiting {
  readonly bytes: number
  go(): void
}

/** Makes a line. */
export function createLine(limits: LineLimits): FairLine {
  /** Senders in the order of their turns. */
  const lines = new Map<string, Waiting[]>()
  const served = new Set<string>()
  let waiting = 0
  let waitingBytes = 0

  const leave = (sender: string) => {
    served.delete(sender)
    serveNext()
  }
  const serveNext = () => {
    if (served.size >= limits.places) return
    const next = [...lines].find(([sender]) => !served.has(sender))
    if (next === undefined) return
    const [sender, line] = next
    const [first] = line.splice(0, 1)
    lines.delete(sender)
    // Its next file waits until the others had their turn.
    if (line.length > 0) lines.set(sender, line)
    if (first === undefined) return
    waiting--
    waitingBytes -= first.bytes
    served.add(sender)
    first.go()
  }
  return {
    enter(sender, bytes) {
      const own = lines.get(sender) ?? []
      const isFull =
        waiting >= limits.waiting ||
        own.length >= limits.waitingOfOne ||
        (waiting > 0 && waitingBytes + bytes > limits.waitingBytes)
      if (isFull) return Promise.reject(errors.DMR_BUSY())
      return new Promise((resolve) => {
        own.push({ bytes, go: () => resolve(() => leave(sender)) })
        lines.set(sender, own)
        waiting++
        waitingBytes += bytes
        serveNext()
      })
    }
  }
}
