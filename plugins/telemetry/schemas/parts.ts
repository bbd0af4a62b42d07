// Parts of schemas that several answers share, and the types that are read from schemas.
import { type Static, type TSchema, Type } from '@keelson/sdk'
import type { TUnsafe } from '@keelson/sdk/typebox'

type Leaf = Date | string | number | boolean | bigint | null | undefined

/** A type whose properties and items cannot be changed. */
export type DeepReadonly<T> = T extends Leaf
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
      : T

/** What a schema describes, read-only. */
export type Answer<Schema extends TSchema> = DeepReadonly<Static<Schema>>

export const text = (description?: string) =>
  Type.String(description === undefined ? {} : { description })
export const count = (description?: string) =>
  Type.Number(description === undefined ? {} : { description })
export const flag = (description?: string) =>
  Type.Boolean(description === undefined ? {} : { description })
export const texts = (description?: string) =>
  Type.Array(Type.String(), description === undefined ? {} : { description })

/** A Date in code, ISO text in JSON. */
export const date = (description?: string) =>
  Type.Unsafe<Date>({
    type: 'string',
    format: 'date-time',
    ...(description !== undefined && { description })
  })

export const textOrNull = (description?: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    ...(description !== undefined && { description })
  })
export const numberOrNull = (description?: string) =>
  Type.Unsafe<number | null>({
    type: ['number', 'null'],
    ...(description !== undefined && { description })
  })
export const dateOrNull = (description?: string) =>
  Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    ...(description !== undefined && { description })
  })

/** One of a few texts. */
export const oneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({
    type: 'string',
    enum: [...values],
    ...(description !== undefined && { description })
  })

/** An object whose keys come from outside. */
export const mapOf = <Schema extends TSchema>(
  values: Schema,
  description?: string
): TUnsafe<Record<string, Static<Schema>>> =>
  Type.Unsafe<Record<string, Static<Schema>>>({
    type: 'object',
    additionalProperties: values,
    ...(description !== undefined && { description })
  })

/** An object of any keys and values. */
export const openObject = (description?: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    ...(description !== undefined && { description })
  })
