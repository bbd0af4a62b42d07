// The sizes that the server announces in `hello` and holds clients to.

/** Largest document that may be stored or answered: 16 MiB. */
export const MAX_BSON_OBJECT_SIZE = 16 * 1024 * 1024
/** Largest message, header included, in either direction. */
export const MAX_MESSAGE_SIZE = 48_000_000
/** Most statements in one write command. */
export const MAX_WRITE_BATCH_SIZE = 100_000
/** Bytes of a message's header: length, request id, response to, operation. */
export const HEADER_SIZE = 16
/** What a command document may have around its payload, beyond the largest document. */
export const MAX_INTERNAL_OBJECT_SIZE = MAX_BSON_OBJECT_SIZE + 16 * 1024
