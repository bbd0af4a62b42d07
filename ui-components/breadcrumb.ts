// The way back from one thing to the list that it is in, before the heading of its page.
import { html, type TemplateResult } from 'lit'
import texts from './locales/breadcrumb.en.json' with { type: 'json' }
import { registerCatalog } from './locales/catalog.ts'

/**
 * For the header of a page. Its German is in `@keelson/ui/german`.
 *
 * @param words of the page
 * @param href address of the list
 * @param label heading of the list
 */
export function breadcrumb(
  { t }: { readonly t: (key: string) => string },
  href: string,
  label: string
): TemplateResult {
  registerCatalog('en', texts)
  return html`<nav slot="parent" aria-label=${t('breadcrumb.label')}>
    <a class="quiet" href=${href}>${label}</a> <span class="dim hide" aria-hidden="true">/</span>
  </nav>`
}
