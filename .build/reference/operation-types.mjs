// Prints the types of operations from their schemas: what each is called with, answers, and is refused with.

const HEAD = `// What each operation of the mailer takes, answers and refuses. Printed by \`npm run reference\`.`

/**
 * The module.
 *
 * @param operations In the order of the reference.
 * @param name Of the interface that holds them by id.
 */
export function operationTypes(operations, name) {
  const shared = new Map()
  const printed = operations.map((operation) => entry(operation, shared))
  const named = [...shared.values()].map(({ name: own, type }) => `interface ${own} ${type}`)
  const map = `/** Input, answer and refusals of each operation, by its id. Times are texts in ISO 8601. */
export interface ${name} {
${printed.join('\n')}
}`
  return `${[HEAD, ...named, map].join('\n\n')}\n`
}

function entry({ id, params, query, body, answer, errors }, shared) {
  const parts = [
    params && `readonly params: ${typeOf(params, shared)}`,
    query && `readonly query${requiredOf(query).length > 0 ? '' : '?'}: ${typeOf(query, shared)}`,
    body && `readonly body: ${typeOf(body, shared)}`
  ].filter((part) => part !== undefined)
  const words = Object.keys(errors).map((word) => `'${word}'`)
  return `  '${id}': {
    readonly input: { ${parts.join('; ')} }
    readonly answer: ${typeOf(answer, shared)}
    readonly refusal: ${words.length === 0 ? 'never' : words.join(' | ')}
  }`
}

const requiredOf = ({ required = [] }) => required

/** The type of a schema; an object with a title is an interface of its own. */
function typeOf(schema, shared) {
  const { title, type, properties } = schema
  if (title === undefined || type !== 'object' || properties === undefined)
    return shapeOf(schema, shared)
  const text = JSON.stringify(schema)
  const known = shared.get(text)
  if (known !== undefined) return known.name
  const taken = new Set([...shared.values()].map((one) => one.name))
  let name = title
  for (let next = 2; taken.has(name); next++) name = `${title}${next}`
  const own = { name, type: '' }
  shared.set(text, own)
  own.type = `{\n${fieldsOf(schema, shared)
    .map((field) => `  ${field}\n`)
    .join('')}}`
  return name
}

function shapeOf(schema, shared) {
  if ('const' in schema) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const several = schema.anyOf ?? schema.oneOf
  if (several !== undefined) return several.map((one) => typeOf(one, shared)).join(' | ')
  if (schema.allOf !== undefined)
    return schema.allOf.map((one) => `(${typeOf(one, shared)})`).join(' & ')
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `readonly (${schema.items === undefined ? 'unknown' : typeOf(schema.items, shared)})[]`
    case 'object':
      return objectType(schema, shared)
    default:
      return 'unknown'
  }
}

const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value))

function objectType(schema, shared) {
  const { properties = {}, patternProperties, additionalProperties } = schema
  if (Object.keys(properties).length > 0) return `{ ${fieldsOf(schema, shared).join('; ')} }`
  const [values] = Object.values(patternProperties ?? {})
  const more =
    values ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  return `{ readonly [name: string]: ${more === undefined ? 'unknown' : typeOf(more, shared)} }`
}

function fieldsOf(schema, shared) {
  const { properties, additionalProperties } = schema
  const required = new Set(requiredOf(schema))
  const fields = Object.entries(properties).map(
    ([name, one]) =>
      `readonly ${named(name)}${required.has(name) ? '' : '?'}: ${typeOf(one, shared)}`
  )
  if (additionalProperties === true) fields.push('readonly [name: string]: unknown')
  return fields
}

const named = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)
