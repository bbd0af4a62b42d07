// Reaches into Node: the answer that a connection has in hand.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Undefined when the connection is idle, and over HTTP/2. Where requests are pipelined, the first of
 * them: the others wait for it.
 */
export function currentAnswer(socket: Socket): ServerResponse | undefined {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null }
  return answer ?? undefined
}
