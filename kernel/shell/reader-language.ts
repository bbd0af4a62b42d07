// The language that a reader gets: the one chosen in this browser, else the browser's, else that of the shell. Pure.
import { LANGUAGES, pickLanguage } from '@keelson/ui/server'
import type { FastifyRequest } from 'fastify'

/** The cookie that keeps the choice; the shell sets it in the browser. */
export const LANGUAGE_COOKIE = 'keelson_language'

const CHOICE = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-zA-Z-]{2,35})(?:;|$)`)
const MOST = 10

/** The tags of an Accept-Language header as a list like `ui_locales`, the wanted ones first. */
function acceptedTags(header: string | undefined): string {
  const wanted = (header ?? '')
    .slice(0, 1_000)
    .split(',', MOST)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((each) => each.trim())
      const quality = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1'
      return { tag, quality: Number(quality) || 0 }
    })
  return wanted
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag)
    .join(' ')
}

/**
 * A language that pages have, or the locale of the shell: also where the reader asks for its language, since its
 * region decides how dates and numbers are written.
 */
export function readerLanguage(
  { headers }: Pick<FastifyRequest, 'headers'>,
  locale: string
): string {
  const chosen = CHOICE.exec(headers.cookie ?? '')?.[1]
  const language =
    pickLanguage(chosen, LANGUAGES) ??
    pickLanguage(acceptedTags(headers['accept-language']), LANGUAGES)
  return language === undefined || language === locale.split('-')[0] ? locale : language
}
