// Errors of requests that hold no message, in the form of JSON-RPC. Pure.

/** An answer without a message to answer. */
export interface JsonRpcError {
  readonly status: number
  readonly body: {
    readonly jsonrpc: '2.0'
    readonly id: null
    readonly error: { readonly code: number; readonly message: string }
  }
}

/** The body is not JSON (JSON-RPC 2.0 §5.1). */
const PARSE_ERROR = -32700
/** Errors of the transport, as the SDKs of the protocol name them. */
const TRANSPORT_ERROR = -32000

const rpcError = (status: number, code: number, message: string): JsonRpcError => ({
  status,
  body: { jsonrpc: '2.0', id: null, error: { code, message } }
})

/** Of GET and DELETE: there are no streams to open and no sessions to end. */
export const methodNotAllowed = rpcError(405, TRANSPORT_ERROR, 'Method not allowed. Use POST.')

/** Of an error that Fastify raised while it read a body; undefined for any other. */
export function bodyError(error: unknown): JsonRpcError | undefined {
  const { code, statusCode } = (error ?? {}) as {
    readonly code?: unknown
    readonly statusCode?: unknown
  }
  if (typeof code !== 'string' || !code.startsWith('FST_ERR_CTP_')) return undefined
  switch (statusCode) {
    case 400:
      return rpcError(400, PARSE_ERROR, 'The body must be JSON.')
    case 413:
      return rpcError(413, TRANSPORT_ERROR, 'The body is too large.')
    case 415:
      return rpcError(415, TRANSPORT_ERROR, 'Content-Type must be application/json.')
    default:
      return undefined
  }
}
