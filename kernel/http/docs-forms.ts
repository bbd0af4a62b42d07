// The form that sends a GET operation from the page of the API, and the address that its fields make. Pure.
import { escapeHtml } from '@keelson/ui/server'
import type { ApiOperation, ApiParameter } from './api-operations.ts'
import { exampleOf } from './example-of-schema.ts'

/** Whether a browser can send it: a link has neither headers of its choice nor a body. */
export const isSentByLink = ({ method, credentials, parameters }: ApiOperation): boolean =>
  method === 'get' &&
  credentials !== 'bearer' &&
  parameters.every(({ place, isRequired }) => place !== 'header' || !isRequired)

/** Fields are named by their place, `path:id`, so that two of one name stay apart. */
const fieldName = ({ place, name }: ApiParameter): string => `${place}:${name}`

const isField = ({ place }: ApiParameter): boolean => place === 'path' || place === 'query'

/** The form; `action` is the address that answers with a redirect to the operation. */
export function tryForm(operation: ApiOperation, action: string): string {
  const fields = operation.parameters.filter(isField).map(fieldHtml).join('')
  return `<form class="try" action="${escapeHtml(action)}" target="_blank" rel="noopener">
<input type="hidden" name="op" value="${escapeHtml(operation.key)}">${fields}<p><button>Try it</button> <span class="dim">Opens the answer in a new tab.</span></p></form>`
}

function fieldHtml(parameter: ApiParameter): string {
  const { name, place, isRequired, schema } = parameter
  const given = `name="${escapeHtml(fieldName(parameter))}"${isRequired ? ' required' : ''}`
  const choices = schema.type === 'boolean' ? [true, false] : schema.enum
  const control =
    choices === undefined
      ? `<input ${given}${inputAttributes(parameter)} autocomplete="off">`
      : `<select ${given}><option value=""></option>${choices.map(optionHtml).join('')}</select>`
  const note = `${place}${isRequired ? ', required' : ''}`
  return `<label><span><code>${escapeHtml(name)}</code> <span class="dim">${note}</span></span>${control}</label>`
}

const optionHtml = (value: unknown): string => `<option>${escapeHtml(String(value))}</option>`

function inputAttributes({ schema, pattern }: ApiParameter): string {
  const { type, minimum, maximum, minLength, maxLength, format } = schema
  const isNumber = type === 'number' || type === 'integer'
  const hint = schema.default ?? (format === undefined ? undefined : exampleOf(schema))
  return Object.entries({
    type: isNumber ? 'number' : format === 'email' ? 'email' : 'text',
    step: type === 'number' ? 'any' : undefined,
    min: minimum,
    max: maximum,
    minlength: minLength,
    maxlength: maxLength,
    pattern,
    placeholder: hint
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`)
    .join('')
}

export type TryVerdict =
  | { readonly ok: true; readonly location: string }
  | { readonly ok: false; readonly fault: 'missing'; readonly name: string }
  | { readonly ok: false; readonly fault: 'long' }

/** Longer addresses are refused by many servers and proxies. */
const MAX_ADDRESS = 8000

/** The address of an operation with the fields of its form; empty ones are left out. It never leaves the host. */
export function tryAddress(
  { path, parameters }: ApiOperation,
  fields: Readonly<Record<string, unknown>>
): TryVerdict {
  const valuesOf = (parameter: ApiParameter): readonly string[] =>
    [fields[fieldName(parameter)]]
      .flat()
      .filter((value) => typeof value === 'string' && value !== '') as readonly string[]
  let location = path
  for (const parameter of parameters.filter(({ place }) => place === 'path')) {
    const { name } = parameter
    const part = pathPart(name, valuesOf(parameter)[0] ?? '')
    if (part === undefined) return { ok: false, fault: 'missing', name }
    location = location.replace(`{${name}}`, () => part)
  }
  const query = parameters
    .filter(({ place }) => place === 'query')
    .flatMap((parameter) =>
      valuesOf(parameter).map((value): [string, string] => [parameter.name, value])
    )
  const search = new URLSearchParams(query).toString()
  location = search === '' ? location : `${location}?${search}`
  return location.length > MAX_ADDRESS ? { ok: false, fault: 'long' } : { ok: true, location }
}

/** Encoded; undefined for what browsers would take for another path. The wildcard `*` may have several parts. */
function pathPart(name: string, value: string): string | undefined {
  const parts = name === '*' ? value.split('/') : [value]
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return undefined
  return parts.map((part) => encodeURIComponent(part.replace(LONE_SURROGATES, '\uFFFD'))).join('/')
}

/** `encodeURIComponent` throws for them. */
const LONE_SURROGATES = /\p{Surrogate}/gu
