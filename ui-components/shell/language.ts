// Language: as the browser, or one that was chosen here. The server reads the choice from a cookie.

const COOKIE = 'keelson_language'
const YEAR_S = 31_536_000

/** Languages of the shell, each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
/** A language of the shell. */
export type Language = keyof typeof LANGUAGES

/** Keeps the choice for a year, and shows the page in it. */
export function chooseLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari
  document.cookie = `${COOKIE}=${language}; path=/; max-age=${YEAR_S}; samesite=lax`
  location.reload()
}
