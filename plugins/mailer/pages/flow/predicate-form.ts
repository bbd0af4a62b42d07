// A predicate as a form: rules in groups that are all, any or none true.
import { icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Predicate } from '../../ledger/flow-steps.ts'
import type { FieldChoices } from './field-choices.ts'
import { fieldView } from './field-view.ts'
import { withField } from './fields.ts'
import { kindOfPredicate, LEAVES, newPredicate, partsOf } from './predicates.ts'
import type { Words } from './step-words.ts'

/** What a form of a predicate needs. */
export interface PredicateForm {
  readonly words: Words
  readonly choices: FieldChoices
  /** Names the fields for screen readers: which rule it is. */
  readonly label: string
  onChange(predicate: Predicate, about: string): void
  unread(name: string): string | undefined
  onUnread(name: string, text: string | undefined): void
  /** Takes the rule away; left out for the only one. */
  onRemove?(): void
}

const KINDS = [...Object.keys(LEAVES), 'all', 'any', 'not']

/** The form of a predicate. */
export function predicateForm(predicate: unknown, form: PredicateForm): TemplateResult {
  const kind = kindOfPredicate(predicate) ?? ''
  const { words, label, onChange, onRemove } = form
  const { t } = words
  return html`<div class="rule ${kind in LEAVES ? '' : 'group'}" role="group" aria-label=${label}>
    <span class="rule-head">
      <select class="field" aria-label=${t('predicate.kind')} @change=${(event: Event) =>
        onChange(
          changedKind(predicate, (event.target as HTMLSelectElement).value),
          `${label} kind`
        )}>
        ${kind === '' ? html`<option value="" selected>${t('predicate.choose')}</option>` : nothing}
        ${KINDS.map((one) => html`<option value=${one} ?selected=${one === kind}>${t(one === 'not' ? 'predicate.notKind' : `predicate.${one}`)}</option>`)}
      </select>
      ${
        onRemove === undefined
          ? nothing
          : html`<button type="button" class="btn quiet icon" aria-label=${t('predicate.remove', { rule: label })} @click=${onRemove}>${icon('close', 14)}</button>`
      }
    </span>
    ${kind in LEAVES ? leaf(predicate, kind, form) : group(predicate, kind, form)}
  </div>`
}

/** Rules are taken along from one kind of group to another, and into a new group. */
function changedKind(predicate: unknown, kind: string): Predicate {
  const parts = partsOf(predicate)
  const inside = parts.length > 0 ? parts : [predicate as Predicate]
  if (kind === 'all' || kind === 'any') return { [kind]: inside } as unknown as Predicate
  if (kind !== 'not') return newPredicate(kind)
  return { not: inside.length === 1 ? (inside[0] as Predicate) : { all: inside } }
}

function leaf(predicate: unknown, kind: string, form: PredicateForm): TemplateResult {
  const { words, choices, label, onChange } = form
  return html`${(LEAVES[kind] ?? []).map((field) =>
    fieldView(field, predicate, {
      words,
      choices,
      label: words.t(
        `predicate.field.${field.path.split('.').at(-1) === kind ? 'name' : field.path.split('.').at(-1)}`
      ),
      unread: form.unread(`${label} ${field.path}`),
      onUnread: (text) => form.onUnread(`${label} ${field.path}`, text),
      onValue: (value) =>
        onChange(withField(predicate, field.path, value) as Predicate, `${label} ${field.path}`)
    })
  )}`
}

function group(predicate: unknown, kind: string, form: PredicateForm): TemplateResult {
  const { words, choices, label, onChange } = form
  const parts = partsOf(predicate)
  const put = (next: readonly (Predicate | undefined)[]) =>
    (kind === 'not' ? { not: next[0] } : { [kind]: next }) as unknown as Predicate
  const inside = parts.map((part, at) => {
    const own = `${label}.${at + 1}`
    return predicateForm(part, {
      words,
      choices,
      label: own,
      unread: form.unread,
      onUnread: form.onUnread,
      onChange: (changed, about) => onChange(put(parts.with(at, changed)), about),
      ...(parts.length > 1 && {
        onRemove: () => onChange(put(parts.toSpliced(at, 1)), `${own} removed`)
      })
    })
  })
  if (kind !== 'all' && kind !== 'any') return html`${inside}`
  const add = (added: string) => () =>
    onChange(put([...parts, newPredicate(added)]), `${label} ${parts.length}`)
  return html`${inside}
    <span class="row">
      <button type="button" class="link" @click=${add('hasTag')}>${words.t('predicate.addRule')}</button>
      <button type="button" class="link" @click=${add(kind === 'all' ? 'any' : 'all')}>${words.t('predicate.addGroup')}</button>
    </span>`
}
