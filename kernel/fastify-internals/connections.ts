// The open connections of a server, so that answers in hand can end them when the host drains.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** Tells the callers of answers that have not begun not to keep their connections. */
  sendClose(): void
}

/** Node keeps the answer that a connection is busy with here. */
type BusySocket = Socket & { readonly _httpMessage?: ServerResponse | null }

/** Watching connections instead of requests costs a request nothing. */
export function watchConnections(server: Pick<Server, 'on'>): Connections {
  const sockets = new Set<BusySocket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    sendClose() {
      for (const { _httpMessage: answer } of sockets) {
        if (answer && !answer.headersSent) answer.setHeader('connection', 'close')
      }
    }
  }
}
