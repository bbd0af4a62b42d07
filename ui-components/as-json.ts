// The type of a server's value after it travelled as JSON.

/** A server type as a page receives it: dates are ISO strings, functions and symbols are gone. */
export type AsJson<T> = T extends Date
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly unknown[]
      ? { readonly [At in keyof T]: AsJson<T[At]> }
      : T extends object
        ? { readonly [Key in keyof T]: AsJson<T[Key]> }
        : T
