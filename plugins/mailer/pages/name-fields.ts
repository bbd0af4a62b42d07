// The fields of a new thing: its name, and its slug, which follows the name until it is edited.
import { formField } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import { slugFrom } from './slug.ts'

/** The fields `name` and `slug`. */
export function nameFields(t: (key: string) => string): TemplateResult {
  const onName = (event: Event) => {
    const { value, form } = event.target as HTMLInputElement
    const slug = form?.elements.namedItem('slug') as HTMLInputElement
    if (slug.dataset['edited'] === undefined) slug.value = slugFrom(value)
  }
  const onSlug = (event: Event) => {
    ;(event.target as HTMLInputElement).dataset['edited'] = ''
  }
  return html`${formField(t('mail.name'), html`<input class="field" name="name" maxlength="200" autocomplete="off" autofocus @input=${onName} />`)}
    ${formField(t('mail.slug'), html`<input class="field mono" name="slug" maxlength="64" autocomplete="off" spellcheck="false" @input=${onSlug} />`, t('mail.slugHint'))}`
}
