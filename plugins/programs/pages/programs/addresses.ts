// The addresses that the page links to: its own, and pages of the mailer.
import type { KeelsonPage } from '@keelson/ui'

const MAIL_PATH = '/admin/mailer'

/** Knows where the pages are: a page, or what it gives to its parts. */
export type Linked = Pick<KeelsonPage, 'linkTo'>

/** The address of a page: `mailHref(page, 'contact/c1')`. Parts of a path are escaped by the caller. */
export const mailHref = ({ linkTo }: Linked, page: string): string => linkTo(`${MAIL_PATH}/${page}`)

/** The slug that the page is for, from what follows its path; empty for the list. */
export function slugOf(sub: string): string {
  const [slug = ''] = sub.replace(/^\//, '').split('/')
  try {
    return decodeURIComponent(slug)
  } catch {
    return ''
  }
}
