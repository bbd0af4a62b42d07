// Why a field of a form is refused, below the field. Loaded with the first that is.
import type { MessageValues } from '../../locales/catalog.ts'

/** Says it until the field is changed. The first refused field of a form has the focus. */
export function showFieldProblem(
  field: HTMLInputElement,
  t: (key: string, values?: MessageValues) => string
): void {
  // It may have been changed while this was loaded.
  if (field.validity.valid) return
  if (field === field.form?.querySelector(':invalid:not(fieldset)')) field.focus()
  if (field.ariaInvalid === 'true') return
  const note = document.createElement('small')
  note.className = 'problem'
  note.role = 'alert'
  note.textContent = field.validity.valueMissing ? t('ui.required') : field.validationMessage
  field.ariaInvalid = 'true'
  field.after(note)
  const forget = () => {
    field.ariaInvalid = null
    note.remove()
  }
  field.addEventListener('input', forget, { once: true })
}
