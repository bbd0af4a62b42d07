// The type check of a manifest given in code: literals are held to the schema, widened JSON is let through.
import type { Manifest } from './schema.ts'

/**
 * What a manifest of type `M` must be. A manifest written in place is held to every key and literal, so that
 * `routs: []` and `method: 'GTE'` do not compile. One imported from JSON has `string` for each literal:
 * there only the keys and the kinds of values are checked, the rest when the platform starts.
 */
export type CheckedManifest<M> = Checked<M, Manifest>

type Checked<Given, Wanted> =
  IsUnknown<Given> extends true
    ? Given
    : Given extends undefined
      ? Given
      : Given extends readonly (infer Item)[]
        ? CheckedList<Item, Wanted>
        : Given extends object
          ? IsOpen<Given> extends true
            ? Given
            : CheckedObject<Given, ObjectOf<Wanted>>
          : CheckedValue<Given, Wanted>

/** `any` too. */
type IsUnknown<T> = unknown extends T ? true : false

/** An object of which nothing is known: `Record<string, unknown>`. */
type IsOpen<T> = string extends keyof T ? IsUnknown<T[keyof T]> : false

/** A literal must be a wanted one; a widened value must be of a wanted kind. */
type CheckedValue<Given, Wanted> = Given extends Wanted
  ? Given
  : string extends Given
    ? OrWanted<Given, Extract<Wanted, string>, Wanted>
    : number extends Given
      ? OrWanted<Given, Extract<Wanted, number>, Wanted>
      : Wanted

type OrWanted<Given, Kind, Wanted> = [Kind] extends [never] ? Wanted : Given

type CheckedList<Item, Wanted> =
  Extract<Wanted, readonly unknown[]> extends readonly (infer W)[]
    ? readonly Checked<Item, W>[]
    : unknown extends Wanted
      ? readonly Item[]
      : Wanted

type CheckedObject<Given, Wanted> = unknown extends Wanted
  ? Given
  : [Wanted] extends [never]
    ? never
    : {
        readonly [K in keyof Given]: K extends keyof Wanted
          ? Checked<Given[K], Wanted[K]>
          : `unknown key: ${K & string}`
      } & {
        readonly [K in Exclude<RequiredKeys<Wanted>, keyof Given>]: Wanted[K]
      }

/** The object that a value may be: `uses` may name a string or an object. */
type ObjectOf<Wanted> = unknown extends Wanted
  ? unknown
  : Exclude<Extract<Wanted, object>, readonly unknown[]>

/** Those that have a name: the keys of a record are required nowhere. */
type RequiredKeys<T> = string extends keyof T
  ? never
  : { [K in keyof T]-?: { readonly [P in K]?: never } extends Pick<T, K> ? never : K }[keyof T]
