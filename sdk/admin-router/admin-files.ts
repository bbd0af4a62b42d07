// The files of an upload, one after the other, within the limits of the route.
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { AdminRoute, UploadedFile } from '../contracts/mailer-admin-api.ts'
import type { KeelsonError } from '../errors.ts'
import { adminErrors } from './admin-errors.ts'

type UploadLimits = NonNullable<AdminRoute['upload']>

/** What `@fastify/multipart` adds to a request, as far as it is used here. */
interface MultipartRequest {
  isMultipart?(): boolean
  files?(options: {
    readonly limits: { readonly files: number; readonly fileSize: number; readonly fields: number }
  }): AsyncIterable<MultipartFile>
}

interface MultipartFile {
  readonly fieldname: string
  readonly filename?: string
  readonly mimetype: string
  readonly file: Readable & { readonly truncated: boolean }
}

const MAX_FIELDS = 40

/** Errors of the multipart parser that mean: more or larger than the limits. */
const TOO_LARGE = new Set([
  'FST_REQ_FILE_TOO_LARGE',
  'FST_FILES_LIMIT',
  'FST_PARTS_LIMIT',
  'FST_FIELDS_LIMIT'
])

/** Whether the body of a request is a multipart form. */
export function isMultipart(request: FastifyRequest): boolean {
  return (request as MultipartRequest).isMultipart?.() === true
}

/**
 * Reads the files of a multipart form; none of another body.
 *
 * @throws KRN_UPLOAD_REJECTED, also from the content of a file, when a limit is passed
 */
export async function* uploadedFiles(
  request: FastifyRequest,
  upload: UploadLimits
): AsyncGenerator<UploadedFile> {
  if (!isMultipart(request)) return
  const { maxFiles: files, maxFileBytes: fileSize } = upload
  const limits = { files, fileSize, fields: MAX_FIELDS }
  try {
    for await (const part of (request as MultipartRequest).files?.({ limits }) ?? []) {
      yield {
        field: part.fieldname,
        filename: part.filename ?? '',
        contentType: part.mimetype,
        content: Readable.from(wholeFile(part, upload), { objectMode: false })
      }
      // The next file comes when this one has been read.
      part.file.resume()
    }
  } catch (cause) {
    throw TOO_LARGE.has((cause as { code?: string }).code ?? '') ? rejected(upload, cause) : cause
  }
}

/** The parser ends a file that is too large as if it were whole. */
async function* wholeFile({ file }: MultipartFile, upload: UploadLimits): AsyncGenerator<Buffer> {
  yield* file as AsyncIterable<Buffer>
  if (file.truncated) throw rejected(upload)
}

const rejected = ({ maxFiles, maxFileBytes }: UploadLimits, cause?: unknown): KeelsonError =>
  adminErrors.KRN_UPLOAD_REJECTED({ maxFiles, maxFileBytes, ...(cause !== undefined && { cause }) })
