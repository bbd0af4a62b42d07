// Which language to answer in, by the languages that a person asks for. Pure.

/** Languages of the elements and of the sign-in form. */
export const LANGUAGES = ['de', 'en'] as const
/** One of `LANGUAGES`. */
export type Language = (typeof LANGUAGES)[number]

const MAX_TAGS = 10
/** Letters and digits in parts of 1 to 8: every tag of BCP 47 has this form. */
const TAG = /^[a-z]{1,8}(-[a-z0-9]{1,8}){0,8}$/i

/**
 * The well-formed tags of a list like `ui_locales` of OpenID Connect (Core, 3.1.2.1), in their order: the
 * first ten at most. The text comes from outside; anything else in it is left out.
 */
export function languageTags(text: string | undefined): readonly string[] {
  if (text === undefined) return []
  return text.split(' ', MAX_TAGS).filter((tag) => TAG.test(tag))
}

/**
 * The first language of a list like `ui_locales` that is known: by the whole tag, then by ever shorter
 * beginnings of it (RFC 4647, 3.4). Undefined when none is.
 */
export function pickLanguage<Known extends string>(
  text: string | undefined,
  known: readonly Known[]
): Known | undefined {
  for (const tag of languageTags(text)) {
    const parts = tag.toLowerCase().split('-')
    for (let length = parts.length; length > 0; length--) {
      const wanted = parts.slice(0, length).join('-')
      const found = known.find((language) => language.toLowerCase() === wanted)
      if (found !== undefined) return found
    }
  }
  return undefined
}
