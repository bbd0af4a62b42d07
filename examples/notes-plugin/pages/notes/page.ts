// The Notes page: a form for a new note, and the latest notes.
import {
  apiOf,
  definePage,
  formText,
  listPage,
  registerCatalog,
  Sending,
  timeColumn
} from '@keelson/ui'
import { css, html } from 'lit'
import type { Note, NotesAnswer } from '../../schemas.ts'
import texts from './texts.en.json' with { type: 'json' }

const styles = css`
  form { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; }
  label { display: grid; gap: 4px; flex: 1 1 220px; }
`

const NotesPage = listPage<Note>({
  styles,
  open(page) {
    const { t } = page
    const api = apiOf(page)
    const sending = new Sending(page, api.words)
    let allTenants = false

    async function add(event: SubmitEvent): Promise<void> {
      event.preventDefault()
      const form = event.currentTarget as HTMLFormElement
      const text = formText(form, 'text')
      const isAdded = await sending.send(() =>
        api.attempt(() => api.act('POST', '/api/notes', { text }))
      )
      if (isAdded !== true) return
      form.reset()
      page.toast({ text: t('notes.added'), tone: 'good' })
      await page.list.reload()
    }

    return {
      texts: 'notes',
      source: {
        async read(_narrowing, _position, signal) {
          const answer = await api.read<NotesAnswer>('/api/notes', signal)
          allTenants = answer.allTenants === true
          return answer.items
        }
      },
      skeleton: 5,
      above: () => html`<form @submit=${add}>
        <label>
          ${t('notes.new')}
          <input class="field" name="text" required maxlength="1000" autocomplete="off" />
        </label>
        <button class="btn primary" ?disabled=${sending.isSending}>${t('notes.add')}</button>
      </form>`,
      columns: () => [
        { id: 'text', header: t('notes.text'), cell: ({ text }) => text, hint: ({ text }) => text },
        ...(allTenants
          ? [
              {
                id: 'tenant',
                header: t('notes.tenant'),
                width: 120,
                hideBelow: 480,
                cell: ({ tenantId }: Note) => tenantId
              }
            ]
          : []),
        timeColumn(page, ({ createdAt }) => createdAt, {
          id: 'created',
          header: t('notes.time'),
          width: 110
        })
      ]
    }
  }
})

registerCatalog('en', texts)
definePage('notes-plugin-notes', NotesPage)
