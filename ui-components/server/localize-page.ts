// The words of a page in the language of the shell. Pure.

/** The title of a page and the heading of its section, in another language. */
export interface PageWords {
  readonly title: string
  readonly section?: string | undefined
}

interface WordedPage {
  readonly title: string
  readonly nav?: { readonly section: string } | undefined
  /** By language tag: `de`, `pt-BR`. */
  readonly translations?: Readonly<Record<string, PageWords>> | undefined
}

/** The page with its words in the language, else in its base language, else as they are. */
export function localizePage<Page extends WordedPage>(page: Page, language: string): Page {
  const [base = ''] = language.split('-')
  const words = page.translations?.[language] ?? page.translations?.[base]
  if (words === undefined) return page
  const { title, section } = words
  return {
    ...page,
    title,
    ...(page.nav && section !== undefined && { nav: { ...page.nav, section } })
  }
}
