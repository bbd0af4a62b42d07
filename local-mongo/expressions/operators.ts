// Every operator of expressions by its name. What is not here is refused.
import { ARITHMETIC } from './arithmetic-operators.ts'
import { ARRAYS } from './array-operators.ts'
import { BINDING } from './binding-operators.ts'
import { DATES } from './date-operators.ts'
import { LOGIC } from './logic-operators.ts'
import { OBJECTS } from './object-operators.ts'
import type { OperatorParser } from './parse-expression.ts'
import { REGEXES } from './regex-operators.ts'
import { SETS } from './set-operators.ts'
import { STATISTICS } from './statistics-operators.ts'
import { STRINGS } from './string-operators.ts'
import { TRIGONOMETRY } from './trigonometry-operators.ts'
import { TYPES } from './type-operators.ts'

export const OPERATORS: ReadonlyMap<string, OperatorParser> = new Map(
  [
    LOGIC,
    ARITHMETIC,
    TRIGONOMETRY,
    ARRAYS,
    BINDING,
    SETS,
    STRINGS,
    REGEXES,
    DATES,
    TYPES,
    OBJECTS,
    STATISTICS
  ].flatMap((group) => Object.entries(group))
)
