// Compiles the body of a template: MJML to HTML, style sheets into elements, the text part. Runs in a thread.
import { createRequire } from 'node:module'
import type juiceModule from 'juice'
import type { Component } from 'mjml-core'
import { plainText } from './plain-text.ts'

/** What the MJML compiler complains about; the mail is sent all the same. */
export interface CompileWarning {
  readonly line?: number
  readonly message: string
  readonly tagName?: string
  readonly formattedMessage?: string
}

/** A body to compile. */
export interface BodyRequest {
  readonly format: 'mjml' | 'html'
  readonly source: string
  /** Empty: made from the HTML. */
  readonly plainText: string
}

/** A compiled body: slots are still there. */
export type BodyOutcome =
  | {
      readonly ok: true
      readonly html: string
      readonly text: string
      readonly warnings: readonly CompileWarning[]
    }
  | { readonly ok: false; readonly message: string }

const require = createRequire(import.meta.url)
// The part of juice that never fetches. The types of all three differ from what they are.
const juice = require('juice/client') as typeof juiceModule
const { default: mjml2html } = require('mjml-core') as { readonly default: MjmlCompiler }
const preset = require('mjml-preset-core') as MjmlPreset

/** The components of MJML, and which may be within which. */
interface MjmlPreset {
  readonly components: readonly Component[]
  readonly dependencies: Readonly<Record<string, unknown>>
}

/** Compiles a body. Malformed MJML is a value; everything else that throws is a fault of ours. */
export async function compileBody(request: BodyRequest): Promise<BodyOutcome> {
  const compiled = request.format === 'mjml' ? await compileMjml(request.source) : inlined(request)
  if (!compiled.ok) return compiled
  return { ...compiled, text: request.plainText || plainText(compiled.html) }
}

/** Without it a rule of the style sheet is weaker in the mail than in a browser. */
const INLINING = { preserveImportant: true } as const

async function compileMjml(source: string): Promise<BodyOutcome> {
  if (/<mj-include\b/i.test(source)) {
    return { ok: false, message: 'mj-include is not supported: put the content into the template' }
  }
  try {
    const options = { validationLevel: 'soft', presets: [preset], juiceOptions: INLINING } as const
    const { html, errors } = await mjml2html(source, options)
    return { ok: true, html: html.trim(), text: '', warnings: errors.map(warningOf) }
  } catch (error) {
    return { ok: false, message: `MJML: ${error instanceof Error ? error.message : error}` }
  }
}

type MjmlCompiler = (
  source: string,
  options: object
) => Promise<{ readonly html: string; readonly errors: readonly MjmlError[] }>

interface MjmlError {
  readonly line: number
  readonly message: string
  readonly tagName: string
}

/** The compiler's own sentence names a folder of this machine. */
const warningOf = ({ line, message, tagName }: MjmlError): CompileWarning => ({
  line,
  message,
  tagName,
  formattedMessage: `Line ${line} (${tagName}): ${message}`
})

function inlined({ source }: BodyRequest): BodyOutcome {
  const html = /<style\b/i.test(source) ? juice(source, INLINING) : source
  return { ok: true, html, text: '', warnings: [] }
}
