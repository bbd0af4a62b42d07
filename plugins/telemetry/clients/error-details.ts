// An error as records carry it: type, message and the frames of its stack, of any engine.
import type { ErrorDetails, ErrorFrameDetails } from './record.ts'

const MOST_FRAMES = 20
// "at fn (file:1:2)", "at file:1:2" of V8; "fn@file:1:2" of the others.
const FRAME = /^\s*(?:at (?:(.*?) \()?|(.*?)@)(.*?):(\d+):(\d+)\)?$/

export function errorDetails(error: unknown, handled: boolean): ErrorDetails {
  const given = error instanceof Error ? error : undefined
  const message = given === undefined ? textOf(error) : given.message
  return {
    type: given?.name || 'Error',
    message: message.slice(0, 2000),
    handled,
    frames: framesOf(given?.stack ?? '')
  }
}

function textOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  } catch {
    return String(value)
  }
}

function framesOf(stack: string): readonly ErrorFrameDetails[] {
  const frames: ErrorFrameDetails[] = []
  for (const line of stack.split('\n')) {
    const found = FRAME.exec(line)
    if (found === null || frames.length === MOST_FRAMES) continue
    const fn = found[1] ?? found[2]
    frames.push({
      filename: found[3] ?? '',
      lineno: Number(found[4]),
      colno: Number(found[5]),
      ...(fn && { fn })
    })
  }
  return frames
}
