// How customers read their mail: most open it, some follow its first link. Pure.
import { createHash } from 'node:crypto'

/** A mail as the mailbox lists it. */
export interface ReadableMail {
  readonly to: readonly string[]
  readonly subject: string
  readonly html: string
}

const OPENED = 0.65
const CLICKED = 0.3

/** The addresses that a reader of this mail asks for; the same mail is always read the same way. */
export function requestsOfReader({ to, subject, html }: ReadableMail): string[] {
  const digest = createHash('sha256').update(`${to.join()} ${subject}`).digest()
  const mood = digest.readUInt32BE() / 2 ** 32
  const pixel = /https?:\/\/[^"'\s]+\/open\/[^"'\s]+\.png/.exec(html)?.[0]
  const link = /href="(https?:\/\/[^"'\s]+\/click\/[^"'\s]+)"/.exec(html)?.[1]
  return [mood < OPENED ? pixel : undefined, mood < CLICKED ? link : undefined].flatMap(
    (address) => address?.replaceAll('&amp;', '&') ?? []
  )
}
