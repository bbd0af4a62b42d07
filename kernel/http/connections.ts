// The open connections of a server, so that answers in hand can end them when the host drains.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** Asks the callers of answers that have not begun to close their connections afterwards. */
  sendClose(): void
}

/**
 * Notes the latest answer of each connection: one look-up for a request, nothing when it ends.
 * HTTP/2 has no such header and is left out.
 */
export function watchConnections(server: Pick<Server, 'on'>): Connections {
  const answers = new Map<Socket, ServerResponse>()
  server.on('request', ({ socket, httpVersionMajor }: IncomingMessage, answer: ServerResponse) => {
    if (httpVersionMajor > 1) return
    if (!answers.has(socket)) socket.once('close', () => answers.delete(socket))
    answers.set(socket, answer)
  })
  return {
    sendClose() {
      for (const answer of answers.values()) {
        if (!answer.headersSent) answer.setHeader('connection', 'close')
      }
    }
  }
}
