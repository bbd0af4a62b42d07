// The files of an upload, as an operation sees them.
import type { Readable } from 'node:stream'

/** What an operation takes in place of a JSON body. */
export type UploadLimits =
  | {
      /** A multipart form. */
      readonly kind: 'form'
      readonly maxFiles: number
      readonly maxFileBytes: number
    }
  | {
      /** The body itself, as one file. */
      readonly kind: 'body'
      readonly contentType: string
      readonly maxFileBytes: number
    }

/** A file of an upload. */
export interface UploadedFile {
  /** The name of the form field; empty where the body is the file. */
  readonly field: string
  /** As sent: never use it as a path. */
  readonly filename: string
  readonly contentType: string
  /** Read it before the next file. It fails with `upload_rejected` (413) over `maxFileBytes`. */
  readonly content: Readable
}
