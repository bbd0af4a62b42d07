// The addresses of the mail pages, for links between them.
import type { KeelsonPage } from '@keelson/ui'

/** The address of the dashboard; the other pages are below it. plugin.json has the same. */
export const MAIL_PATH = '/admin/mailer'

/** Knows where the pages are: a page, or what it gives to its parts. */
export type Linked = Pick<KeelsonPage, 'linkTo'>

/** The address of a page: `mailHref(page, 'sends', { status: 'unknown' })`. Parts of a path are escaped by the caller. */
export const mailHref = (
  { linkTo }: Linked,
  page: string,
  params: Readonly<Record<string, string>> = {}
): string => linkTo(page === '' ? MAIL_PATH : `${MAIL_PATH}/${page}`, params)

/** Pages of one thing, by its slug or id. */
const ONE = {
  template: 'template',
  flow: 'flow',
  broadcast: 'broadcast'
} as const

/** The address of one template, flow or broadcast: `/admin/mailer/template/welcome`. */
export const oneHref = (
  linked: Linked,
  kind: keyof typeof ONE,
  slug: string,
  params: Readonly<Record<string, string>> = {}
): string => mailHref(linked, `${ONE[kind]}/${encodeURIComponent(slug)}`, params)

/** The slug that a page of one thing is for, from what follows the page's path; empty for none. */
export function slugOf(sub: string): string {
  const [slug = ''] = sub.replace(/^\//, '').split('/')
  try {
    return decodeURIComponent(slug)
  } catch {
    return ''
  }
}
