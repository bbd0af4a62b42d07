// Reads the files of a request, one after the other, within the limits of the operation.
import { Readable, Transform } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { InvalidInput } from './input.ts'
import type { UploadedFile, UploadLimits } from './upload.ts'

/** More or larger files than the operation takes. */
export class UploadRejected extends Error {
  override readonly name = 'UploadRejected'
  readonly statusCode = 413
}

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

type FormLimits = Extract<UploadLimits, { readonly kind: 'form' }>

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
 * None without `limits`, and none of a body that is not a form.
 *
 * @throws UploadRejected over a limit
 * @throws InvalidInput where a form is broken, also from the content of a file
 */
export async function* filesOf(
  request: FastifyRequest,
  limits: UploadLimits | undefined
): AsyncGenerator<UploadedFile> {
  if (limits?.kind === 'form') yield* filesOfForm(request, limits)
  else if (limits !== undefined && request.body instanceof Readable) {
    const content = request.body.pipe(bounded(limits.maxFileBytes))
    yield { field: '', filename: '', contentType: limits.contentType, content }
  }
}

async function* filesOfForm(
  request: FastifyRequest,
  limits: FormLimits
): AsyncGenerator<UploadedFile> {
  if (!isMultipart(request)) return
  const { maxFiles: files, maxFileBytes: fileSize } = limits
  const bounds = { limits: { files, fileSize, fields: MAX_FIELDS } }
  try {
    for await (const part of (request as MultipartRequest).files?.(bounds) ?? []) {
      yield {
        field: part.fieldname,
        filename: part.filename ?? '',
        contentType: part.mimetype,
        content: Readable.from(wholeFile(part, limits), { objectMode: false })
      }
      // The next file comes when this one has been read.
      part.file.resume()
    }
  } catch (cause) {
    throw faultOf(cause, limits)
  }
}

/** The parser ends a file that is too large as if it were whole. */
async function* wholeFile({ file }: MultipartFile, limits: FormLimits): AsyncGenerator<Buffer> {
  try {
    yield* file as AsyncIterable<Buffer>
  } catch (cause) {
    throw faultOf(cause, limits)
  }
  if (file.truncated) throw rejected(limits)
}

/** What the parser fails with is a fault of the form: no boundary, or an end in the middle of a part. */
function faultOf(cause: unknown, limits: FormLimits): Error {
  if (TOO_LARGE.has((cause as { readonly code?: string }).code ?? ''))
    return rejected(limits, cause)
  const fault = { path: 'body', message: 'must be a whole multipart form with its boundary' }
  return new InvalidInput('body', [fault], { cause })
}

function rejected({ maxFiles, maxFileBytes }: FormLimits, cause?: unknown): UploadRejected {
  const message = `The upload is too large: at most ${maxFiles} files of ${maxFileBytes} bytes each.`
  return new UploadRejected(message, { cause })
}

function bounded(maxBytes: number): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      if (seen <= maxBytes) done(null, chunk)
      else done(new UploadRejected(`The body is too large: at most ${maxBytes} bytes.`))
    }
  })
}
