// The code editor of templates: CodeMirror with HTML, slots, findings and names of variables. Loaded when needed.
import {
  autocompletion,
  type CompletionContext,
  closeBrackets,
  completionKeymap
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { html as htmlLanguage } from '@codemirror/lang-html'
import {
  bracketMatching,
  foldGutter,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting
} from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
  WidgetType
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { Finding } from './findings.ts'

/** What the editor is opened with. */
export interface CodeEditorOptions {
  readonly parent: HTMLElement
  readonly root: ShadowRoot
  readonly text: string
  /** The accessible name. */
  readonly label: string
  /** Names that are offered after `{{`. */
  names(): readonly string[]
  onChange(text: string): void
}

/** An open editor. */
export interface CodeEditor {
  /** Replaces the text, when it is another. */
  setText(text: string): void
  setFindings(findings: readonly Finding[]): void
  /** Shows an element below the line of a place; undefined: none. */
  showNote(note: { readonly at: number; readonly element: HTMLElement } | undefined): void
  /** Writes a text at the cursor. */
  insert(text: string): void
  /** Selects a place and shows it. */
  goTo(place: { readonly from: number; readonly to: number }): void
  focus(): void
  close(): void
}

const slots = new MatchDecorator({
  regexp: /\{\{[^{}]*\}\}/g,
  decoration: Decoration.mark({ class: 'slot' })
})

const slotMarks = ViewPlugin.define(
  (view) => ({
    marks: slots.createDeco(view),
    update(update: ViewUpdate) {
      this.marks = slots.updateDeco(update, this.marks)
    }
  }),
  { decorations: ({ marks }) => marks }
)

interface Note {
  readonly at: number
  readonly element: HTMLElement
}

class NoteWidget extends WidgetType {
  readonly element: HTMLElement

  constructor(element: HTMLElement) {
    super()
    this.element = element
  }

  override eq({ element }: NoteWidget): boolean {
    return element === this.element
  }

  override toDOM(): HTMLElement {
    return this.element
  }

  /** Its buttons are buttons of the page. */
  override ignoreEvent(): boolean {
    return true
  }
}

const putNote = StateEffect.define<Note | undefined>()

/** The element below a line; it moves with the text. */
const noteBelow = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { changes, effects, state }) {
    const put = effects.findLast((effect) => effect.is(putNote))
    if (put === undefined) return shown.map(changes)
    const note = put.value as Note | undefined
    if (note === undefined) return Decoration.none
    const { to } = state.doc.lineAt(Math.min(note.at, state.doc.length))
    const widget = new NoteWidget(note.element)
    return Decoration.set([Decoration.widget({ widget, block: true, side: 1 }).range(to)])
  },
  provide: (field) => EditorView.decorations.from(field)
})

/** F8 goes through all findings of the page, not through those of the code alone. */
const findingKeys = lintKeymap.filter(({ key }) => key !== 'F8')

const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--_accent)' },
  { tag: tags.attributeName, color: 'var(--_series-2)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--_good)' },
  { tag: tags.comment, color: 'var(--_ink-3)' }
])

const look = EditorView.theme({
  '&': {
    color: 'var(--_ink)',
    backgroundColor: 'var(--_surface)',
    fontSize: 'var(--_text-sm)',
    blockSize: '100%'
  },
  '.cm-scroller': { fontFamily: 'var(--_mono)', lineHeight: '1.6' },
  '.cm-gutters': {
    backgroundColor: 'var(--_surface)',
    color: 'var(--_ink-3)',
    borderInlineEnd: '1px solid var(--_hair)'
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, transparent, var(--_accent) 7%)'
  },
  '.cm-cursor': { borderInlineStartColor: 'var(--_ink)' },
  '&.cm-focused': { outline: '2px solid var(--_focus)', outlineOffset: '-2px' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--_accent-soft) !important'
  },
  '.slot': { backgroundColor: 'var(--_info-soft)', borderRadius: '3px' },
  '.cm-panels': { backgroundColor: 'var(--_sunken)', color: 'var(--_ink)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--_surface)',
    color: 'var(--_ink)',
    border: '1px solid var(--_hair-strong)'
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--_accent-soft)',
    color: 'var(--_ink)'
  },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--_sunken)', color: 'var(--_ink-2)', border: '0' }
})

/** Opens an editor. */
export function openCodeEditor(options: CodeEditorOptions): CodeEditor {
  const { parent, root, text, label, onChange } = options
  // A change by the page is not told back to it.
  let isOwn = false
  const language = htmlLanguage({ selfClosingTags: true })
  const view = new EditorView({
    parent,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...[lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), indentOnInput()],
        ...[bracketMatching(), closeBrackets(), highlightActiveLine(), highlightActiveLineGutter()],
        ...[
          search(),
          highlightSelectionMatches(),
          slotMarks,
          noteBelow,
          look,
          EditorView.lineWrapping
        ],
        ...[language, syntaxHighlighting(colours), autocompletion()],
        language.language.data.of({
          autocomplete: (at: CompletionContext) => namesAt(at, options)
        }),
        keymap.of([
          ...defaultKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...completionKeymap,
          ...findingKeys
        ]),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && !isOwn) onChange(state.doc.toString())
        })
      ]
    })
  })
  return {
    setText(next) {
      if (next === view.state.doc.toString()) return
      isOwn = true
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
      isOwn = false
    },
    setFindings: (findings) => showFindings(view, findings),
    showNote: (note) => view.dispatch({ effects: putNote.of(note) }),
    insert(added) {
      view.dispatch(view.state.replaceSelection(added), { scrollIntoView: true })
      view.focus()
    },
    goTo({ from, to }) {
      const end = view.state.doc.length
      const selection = { anchor: Math.min(from, end), head: Math.min(to, end) }
      // In the middle: what is said below the line is seen too.
      const effects = EditorView.scrollIntoView(selection.anchor, { y: 'center' })
      view.dispatch({ selection, effects })
      view.focus()
    },
    focus: () => view.focus(),
    close: () => view.destroy()
  }
}

function showFindings(view: EditorView, findings: readonly Finding[]): void {
  const end = view.state.doc.length
  const placed = findings.flatMap(({ at, severity, message, hint, rule }) =>
    at === undefined || at.to > end
      ? []
      : [
          {
            from: at.from,
            to: at.to,
            severity,
            source: rule,
            message: `${message} ${hint}`.trim()
          }
        ]
  )
  view.dispatch(setDiagnostics(view.state, placed))
}

/** Names of variables, after `{{`. */
function namesAt(at: CompletionContext, { names }: CodeEditorOptions) {
  const typed = at.matchBefore(/\{\{[#/]?[\w.]*$/)
  if (typed === null) return null
  const from = typed.from + (/^\{\{[#/]?/.exec(typed.text)?.[0].length ?? 2)
  return {
    from,
    options: names().map((label) => ({ label, type: 'variable' })),
    validFor: /^[\w.]*$/
  }
}
