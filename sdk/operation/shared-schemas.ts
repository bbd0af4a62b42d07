// Keeps each schema with a title once in an OpenAPI document, under `components`. Pure.

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/**
 * The document with each titled schema under `components.schemas`, and references in its places. Two schemas
 * with one title that differ are `Title` and `Title2`.
 */
export function sharedSchemas(document: object): object {
  const names = new Map<string, string>()
  const schemas: Record<string, unknown> = {}
  const nameOf = (title: string, text: string): string => {
    const known = names.get(text)
    if (known !== undefined) return known
    const base = title.replace(/[^A-Za-z0-9]/g, '')
    let name = base
    for (let next = 2; Object.hasOwn(schemas, name); next++) name = `${base}${next}`
    names.set(text, name)
    return name
  }
  const shared = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shared)
    if (!isNode(value)) return value
    const inner = Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, shared(each)])
    )
    const { title } = value
    if (typeof title !== 'string' || (value['type'] === undefined && value['anyOf'] === undefined))
      return inner
    const name = nameOf(title, JSON.stringify(inner))
    schemas[name] = inner
    return { $ref: `#/components/schemas/${name}` }
  }
  const { paths, components, ...rest } = document as {
    readonly paths?: object
    readonly components?: object
  }
  const referring = shared(paths ?? {})
  return { ...rest, components: { ...components, schemas }, paths: referring }
}
