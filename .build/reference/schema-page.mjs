// Prints the reference page of a JSON Schema: a table of keys for each object in it. Pure.

/** Descriptions say a default that JSON cannot hold: `Default: the name of the folder.` */
const DEFAULT = / ?Default: (.+?)\.(?= |$)/

/** One section for each object of the schema, in the order in which they appear. */
export function schemaSections(schema, { root }) {
  return objectsIn(schema, root).map(({ path, object }) => section(path, object))
}

function objectsIn(schema, path) {
  const here = schema.properties === undefined ? [] : [{ path, object: schema }]
  return [
    ...here,
    ...childrenOf(schema).flatMap(([key, child]) => objectsIn(child, join(path, key)))
  ]
}

function childrenOf({ properties = {}, items, anyOf = [], patternProperties = {} }) {
  return [
    ...Object.entries(properties),
    ...Object.values(patternProperties).map((child) => ['<id>', child]),
    ...(items === undefined ? [] : [['[]', items]]),
    ...anyOf.map((child) => ['', child])
  ]
}

function join(path, key) {
  if (key === '' || key === '[]') return path + key
  return /^[a-z]/.test(path) ? `${path}.${key}` : key
}

function section(path, { properties, required = [], description }) {
  const rows = Object.entries(properties).map(([key, schema]) => {
    const name = required.includes(key) ? `\`${key}\` (required)` : `\`${key}\``
    return `| ${name} | ${typeOf(schema)} | ${defaultOf(schema)} | ${meaningOf(schema)} |`
  })
  const head = '| key | type | default | meaning |\n| --- | --- | --- | --- |'
  const words = description === undefined ? '' : `${cell(description)}\n\n`
  return `## ${cell(path)}\n\n${words}${head}\n${rows.join('\n')}\n`
}

function typeOf(schema) {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.enum !== undefined) return schema.enum.map(literal).join(', ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`
  if (schema.patternProperties !== undefined) {
    return `object: ${typeOf(Object.values(schema.patternProperties)[0])} by key`
  }
  if (schema.type === 'string' && schema.pattern !== undefined) return patternType(schema.pattern)
  return schema.type ?? 'any'
}

function patternType(pattern) {
  if (pattern === '^/') return 'path'
  if (pattern === '^(/|https?://)') return 'path or URL'
  return `string matching ${literal(pattern, (text) => text)}`
}

const literal = (value, print = JSON.stringify) => `\`${print(value).replaceAll('|', '\\|')}\``

function defaultOf({ default: fallback, description = '' }) {
  if (fallback !== undefined) return literal(fallback)
  return cell(DEFAULT.exec(description)?.[1] ?? '')
}

function meaningOf({ description = '', minimum, maximum, maxLength, maxItems }) {
  const limits = [
    minimum === undefined ? '' : `At least ${minimum}.`,
    maximum === undefined ? '' : `At most ${maximum}.`,
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    maxItems === undefined ? '' : `At most ${maxItems}.`
  ]
  return [cell(description.replace(DEFAULT, '').trim()), ...limits].filter(Boolean).join(' ')
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '\\<')
