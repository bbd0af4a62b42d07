// The page behind an unsubscribe link: the question, and the choices that a recipient has besides. Pure.
import { escapeHtml } from '@keelson/ui/server'
import type { Preferences } from '../preferences.ts'
import type { UnsubscribeRequest } from '../unsubscribe-token.ts'
import type { PublicPages } from './public-pages.ts'
import type { PublicTexts } from './texts.ts'

/** What the page shows. */
export interface UnsubscribeView {
  readonly request: UnsubscribeRequest
  /** Left out when they could not be read: the question alone is shown. */
  readonly preferences?: Preferences | undefined
  /** Lengths of a pause to choose from. */
  readonly pauseDays: readonly number[]
  /** Where the forms post to, relative to the page. */
  readonly actions: { readonly unsubscribe: string; readonly preferences: string }
}

const QUESTIONS = {
  all: 'unsubscribeAll',
  marketing: 'unsubscribeMarketing',
  transactional: 'unsubscribeTransactional'
} as const

/** Title and markup. */
export function unsubscribePage(
  pages: PublicPages,
  view: UnsubscribeView
): { readonly title: string; readonly body: string } {
  const { request, preferences, actions } = view
  const question = `<p>${escapeHtml(questionOf(pages, view))}</p>
<form method="post" action="${escapeHtml(actions.unsubscribe)}"><button>${text(pages, 'unsubscribeButton')}</button></form>`
  const hasChoices = preferences !== undefined && request.scope === 'marketing'
  const more = hasChoices
    ? [categoryForm(pages, view, preferences), pauseForm(pages, view, preferences)]
    : []
  return { title: pages.text('unsubscribeTitle'), body: [question, ...more].join('\n') }
}

const text = (
  pages: PublicPages,
  name: keyof PublicTexts,
  values?: Readonly<Record<string, string>>
): string => escapeHtml(pages.text(name, values))

function questionOf(pages: PublicPages, { request, preferences }: UnsubscribeView): string {
  const { email, scope, category } = request
  if (category === undefined) return pages.text(QUESTIONS[scope], { email })
  const known = preferences?.categories.find(({ id }) => id === category)
  return pages.text('unsubscribeCategory', { email, category: known?.label ?? category })
}

/** What an unsubscribe of one category came to: its name, and what else can be left or chosen. */
export function leftCategoryPage(
  pages: PublicPages,
  { label, preferences }: { readonly label: string; readonly preferences: string }
): { readonly title: string; readonly body: string } {
  const action = escapeHtml(preferences)
  const body = `<p>${text(pages, 'unsubscribedCategory', { category: label })}</p>
<p>${text(pages, 'unsubscribedText')}</p>
<form method="post" action="${action}"><button class="quiet" name="action" value="unsubscribe-all">${text(pages, 'unsubscribeFromAllButton')}</button></form>
<p><a href="${action}">${text(pages, 'preferencesTitle')}</a></p>`
  return { title: pages.text('unsubscribedTitle'), body }
}

function categoryForm(
  pages: PublicPages,
  { actions, request }: UnsubscribeView,
  { categories }: Preferences
): string {
  if (categories.length === 0) return ''
  // Without a category the question above is the same already.
  const all =
    request.category === undefined
      ? ''
      : `\n<button class="quiet" name="action" value="unsubscribe-all">${text(pages, 'unsubscribeFromAllButton')}</button>`
  const boxes = categories.map(({ id, label, description, isSubscribed }) => {
    const note = description === undefined ? '' : `<small>${escapeHtml(description)}</small>`
    const checked = isSubscribed ? ' checked' : ''
    return `<label><input type="checkbox" name="category" value="${escapeHtml(id)}"${checked}>${escapeHtml(label)}${note}</label>`
  })
  return `<form method="post" action="${escapeHtml(actions.preferences)}">
<fieldset><legend>${text(pages, 'preferencesTitle')}</legend>${boxes.join('\n')}</fieldset>
<button name="action" value="save">${text(pages, 'preferencesButton')}</button>${all}</form>`
}

function pauseForm(
  pages: PublicPages,
  { actions, pauseDays }: UnsubscribeView,
  { isSubscribed, pausedUntil }: Preferences
): string {
  if (!isSubscribed || (pauseDays.length === 0 && pausedUntil === null)) return ''
  const buttons =
    pausedUntil === null
      ? pauseDays.map((days) => {
          const label = text(pages, 'pauseButton', { days: String(days) })
          return `<button class="quiet" name="pause" value="${days}">${label}</button>`
        })
      : [
          `<button class="quiet" name="action" value="resume">${text(pages, 'resumeButton')}</button>`
        ]
  const state = pausedUntil === null ? '' : `<p>${pausedText(pages, pausedUntil)}</p>`
  return `<h2>${text(pages, 'pauseTitle')}</h2>${state}
<form method="post" action="${escapeHtml(actions.preferences)}">${buttons.join('')}</form>`
}

/** When a pause ends, as people write dates in the language of the pages. */
export function pausedText(pages: PublicPages, until: Date): string {
  const format = new Intl.DateTimeFormat(pages.locale, { dateStyle: 'long', timeZone: 'UTC' })
  return text(pages, 'pausedText', { date: format.format(until) })
}
