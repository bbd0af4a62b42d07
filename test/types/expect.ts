// Checks that the compiler makes and nothing at run time.

/** Whether two types are the same, not only assignable. */
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only for a type that is `true`: `isTrue<Equal<A, B>>()`. */
export const isTrue = <T extends true>(value?: T): T | undefined => value
