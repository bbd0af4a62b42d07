// The row with the greatest value of each group, in SQL: the value is found first, then the rows that have it. Pure.
import type { Document } from 'mongodb'
import { idOfHex } from './columns.ts'
import { expressionOf } from './expression-sql.ts'
import { type Output, plainOutput } from './output.ts'
import { NotInColumns, type Statement } from './statement.ts'

export interface Greatest {
  /** Its `sql` is the value; its column, once joined, is the text of the fields. */
  readonly output: Output
  /** The groups, whose column of this output says which row it is. `keys` tell which group a picked row is in. */
  readonly joined: (groups: string, picked: string, keys: readonly string[]) => string
}

/** Documents compare by their fields in order; ids as the database orders them. */
export function greatestOf(fields: Document, place: number, statement: Statement): Greatest {
  const [first, ...others] = Object.entries(fields).map(([name, operand]) => ({
    name,
    ...expressionOf(operand, statement)
  }))
  if (first?.type !== 'number') throw new NotInColumns('the greatest of such documents')
  const compared = others.flatMap(({ sql, type }, at) =>
    type === 'id' ? [`l${at} := octet_length(${sql})`, `f${at} := ${sql}`] : [`f${at} := ${sql}`]
  )
  const shown = others.map(({ type }, at) =>
    type === 'id' ? `f${at} := hex(greatest.f${at})` : `f${at} := greatest.f${at}`
  )
  const column = `c${place}`
  const text = `to_json(struct_pack(value := ${column}, ${shown.join(', ')}))::VARCHAR`
  return {
    output: {
      ...plainOutput(`max(${first.sql})`),
      read: (cell) => {
        const found = JSON.parse(cell as string) as Readonly<Record<string, unknown>>
        const entries = others.map(({ name, type }, at) => {
          const value = found[`f${at}`]
          return [name, type === 'id' ? idOfHex(String(value)) : value] as const
        })
        const all = [[first.name, found['value']] as const, ...entries]
        return Object.fromEntries(all.filter(([, value]) => value !== null))
      }
    },
    joined: (groups, picked, keys) => {
      const same = keys.map((key, at) => `${key} IS NOT DISTINCT FROM groups.c${at}`)
      const on = [...same, `${first.sql} = groups.${column}`].join(' AND ')
      const least = `${first.sql} >= (SELECT min(${column}) FROM groups)`
      return `WITH groups AS MATERIALIZED (SELECT *, row_number() OVER () AS place FROM (${groups})), tops AS (SELECT place, max(struct_pack(${compared.join(', ')})) AS greatest FROM (SELECT * FROM (${picked}) WHERE ${least}) JOIN groups ON ${on} GROUP BY place) SELECT groups.* REPLACE (${text} AS ${column}) FROM groups JOIN tops USING (place) ORDER BY place`
    }
  }
}
