// Asks the hooks of the host for the files of a mail that arrives in another form than the usual one.

import type { FastifyRequest } from 'fastify'
import type { DmarcHook } from '../contracts.ts'
import { type FormLimits, type InboundForm, REPORT_NAME, tooLarge } from './read-form.ts'

/** What the first hook that knows the request reads from it; undefined when none does. */
export async function askHooks(
  hooks: readonly DmarcHook[],
  request: FastifyRequest,
  limits: FormLimits
): Promise<InboundForm | undefined> {
  for (const hook of hooks) {
    const found = await hook.parseInbound?.(request)
    if (found === undefined) continue
    const { maxFiles, maxFileSizeBytes } = limits
    const isTooMuch =
      found.length > maxFiles || found.some(({ buffer }) => buffer.length > maxFileSizeBytes)
    if (isTooMuch) return tooLarge(limits)
    const files = found
      .filter(({ filename }) => REPORT_NAME.test(filename))
      .map(({ filename, buffer }) => ({ filename: filename.slice(0, 256), bytes: buffer }))
    return { ok: true, files, feedback: undefined }
  }
  return undefined
}
