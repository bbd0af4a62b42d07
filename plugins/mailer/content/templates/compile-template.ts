// Compiles a template: checks its size and slots, and has its body compiled in a thread.
import { createHash } from 'node:crypto'
import { bodySource } from '../../ledger/body-source.ts'
import { TEMPLATE_LIMITS } from '../../ledger/template-limits.ts'
import type { TemplateBody } from '../../ledger/template-rows.ts'
import type { CompileWarning } from './compile-body.ts'
import type { CompileElsewhere } from './compile-thread.ts'
import { prepareTemplate } from './prepare-template.ts'
import type { SlotEngine } from './slot-engine.ts'
import { slotSpans } from './slot-spans.ts'

/** The fields that are compiled. */
export interface CompileFields {
  readonly subject: string
  readonly preheader: string
  readonly body: TemplateBody
}

/** A compiled template. */
export interface CompiledTemplate {
  /** Empty when there is none. */
  readonly html: string
  readonly text: string
  /** SHA-256 of HTML and text, hex. */
  readonly bodyHash: string
  readonly warnings: readonly CompileWarning[]
}

/** What compiling came to. */
export type CompileResult =
  | { readonly ok: true; readonly compiled: CompiledTemplate }
  | { readonly ok: false; readonly code: 'compile_failed'; readonly message: string }

/** What templates are compiled with. */
export interface Compiler {
  readonly engine: SlotEngine
  readonly compileElsewhere: CompileElsewhere
}

/** Compiles a template. Everything that its author can get wrong is a value. */
export async function compileTemplate(
  fields: CompileFields,
  { engine, compileElsewhere }: Compiler
): Promise<CompileResult> {
  const picked = bodySource(fields.body)
  if (!picked.ok) return failed(picked.message)
  const { format, source } = picked
  const { plainText } = fields.body
  const sources = {
    subject: fields.subject,
    preheader: fields.preheader,
    [format]: source,
    plainText
  }
  for (const [name, text] of Object.entries(sources)) {
    const fault = sizeFault(text)
    if (fault !== undefined) return failed(`${name} ${fault}`)
  }
  const body = await compileElsewhere({ format, source, plainText })
  if (!body.ok) return failed(body.message)
  const { html, text, warnings } = body
  const fault = sizeFault(html) ?? slotFault(fields, { html, text }, engine)
  if (fault !== undefined) return failed(`The compiled template ${fault}`)
  const bodyHash = createHash('sha256').update(`${html}\0${text}`).digest('hex')
  return { ok: true, compiled: { html, text, bodyHash, warnings } }
}

const failed = (message: string): CompileResult => ({ ok: false, code: 'compile_failed', message })

function sizeFault(text: string): string | undefined {
  const { characters, slots, slotCharacters } = TEMPLATE_LIMITS
  if (text.length > characters) return `is longer than ${characters} characters`
  const spans = slotSpans(text)
  // A slot that is not closed ends the list.
  const rest = text.slice(spans.at(-1)?.end ?? 0).split('{{').length - 1
  if (spans.length + rest > slots) return `has more than ${slots} slots`
  const length = spans.reduce((sum, { start, end }) => sum + end - start, 0)
  return length > slotCharacters ? `has slots of more than ${slotCharacters} characters` : undefined
}

/** Slots are prepared as they are for sending: what is published can be prepared. */
function slotFault(
  { subject, preheader }: CompileFields,
  { html, text }: { readonly html: string; readonly text: string },
  engine: SlotEngine
): string | undefined {
  try {
    prepareTemplate(
      { ...UNSENT, subject, preheader, compiledHtml: html, compiledText: text },
      {
        engine,
        ownAddresses: ''
      }
    )
    return undefined
  } catch (error) {
    return `cannot be filled: ${error instanceof Error ? placeIn(error.message) : error}`
  }
}

/** A parse error with the line that it quotes, without its arrow and the tokens that the grammar knows. */
const placeIn = (message: string): string => message.replace(/\n-*\^\n[\s\S]*$/, '')

const UNSENT = {
  slug: '',
  version: 0,
  kind: 'transactional',
  variablesSchema: {},
  bodyFormat: 'multipart',
  trackOpens: false,
  trackClicks: false,
  fromName: '',
  fromEmail: '',
  replyTo: null,
  bodyHash: ''
} as const
