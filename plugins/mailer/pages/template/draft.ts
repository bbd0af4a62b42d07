// The draft of a template: its fields, and when what is typed is checked and previewed.
import { Draft, type DraftOptions, type DraftRow, type KeelsonPage } from '@keelson/ui'
import { type Fields, fieldsOf, type TemplateAnswer } from './answers.ts'

/** Pause in typing before a check. */
const CHECK_MS = 300

/** A template as a draft takes it. Pure. */
export const rowOf = (row: TemplateAnswer): DraftRow<Fields> => ({
  fields: fieldsOf(row),
  revision: row.revision
})

/** A draft that counts the pauses in typing. */
export class TemplateDraft extends Draft<Fields> {
  readonly #draws: Pick<KeelsonPage, 'requestUpdate'>
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Counts what is to be checked and previewed again. */
  stamp = 0

  constructor(page: KeelsonPage, options: DraftOptions<Fields>) {
    super(page, options)
    this.#draws = page
  }

  override take(key: string, row: DraftRow<Fields>): void {
    super.take(key, row)
    this.stamp += 1
  }

  override change(fields: Partial<Fields>): void {
    super.change(fields)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.stamp += 1
      this.#draws.requestUpdate()
    }, CHECK_MS)
  }

  /** The source that is sent. */
  get language(): 'mjml' | 'html' {
    const { mjml = '', html = '' } = this.fields ?? {}
    return mjml === '' && html !== '' ? 'html' : 'mjml'
  }

  /** Whether there is something to publish: edits, or a draft of the server. */
  differsFrom(row: Pick<TemplateAnswer, 'draft' | 'revision'>): boolean {
    return row.draft !== null || this.phase !== 'saved' || this.revision !== row.revision
  }
}
