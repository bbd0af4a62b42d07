// Operators on angles.

import { Double } from 'bson'
import { toDouble } from '../bson/numbers.ts'
import { commandError } from '../errors.ts'
import { real, refuseDecimal } from './arithmetic-operators.ts'
import { isNothing, MISSING } from './expression.ts'
import { needNumber, positional } from './operator-arguments.ts'
import type { OperatorParser } from './parse-expression.ts'

function within(name: string, low: number, high: number): (value: number) => Error | undefined {
  return (value) => {
    if (Number.isNaN(value) || (value >= low && value <= high)) return undefined
    return commandError(
      'Location50989',
      `cannot apply ${name} to ${value}, value must be in [${low},${high}]`
    )
  }
}

const finiteOnly = (name: string) => (value: number) =>
  Number.isNaN(value) || Number.isFinite(value)
    ? undefined
    : commandError('Location50989', `cannot apply ${name} to ${value}, value must be in (-inf,inf)`)

export const TRIGONOMETRY: Readonly<Record<string, OperatorParser>> = {
  $sin: real('$sin', Math.sin, finiteOnly('$sin')),
  $cos: real('$cos', Math.cos, finiteOnly('$cos')),
  $tan: real('$tan', Math.tan, finiteOnly('$tan')),
  $asin: real('$asin', Math.asin, within('$asin', -1, 1)),
  $acos: real('$acos', Math.acos, within('$acos', -1, 1)),
  $atan: real('$atan', Math.atan),
  $sinh: real('$sinh', Math.sinh),
  $cosh: real('$cosh', Math.cosh),
  $tanh: real('$tanh', Math.tanh),
  $asinh: real('$asinh', Math.asinh),
  $acosh: real('$acosh', Math.acosh, within('$acosh', 1, Number.POSITIVE_INFINITY)),
  $atanh: real('$atanh', Math.atanh, within('$atanh', -1, 1)),
  $degreesToRadians: real('$degreesToRadians', (degrees) => degrees * (Math.PI / 180)),
  $radiansToDegrees: real('$radiansToDegrees', (radians) => radians * (180 / Math.PI)),
  $atan2: positional(2, 2, ([y = MISSING, x = MISSING]) => {
    if (isNothing(y) || isNothing(x)) return null
    const [rise, run] = [
      needNumber(y, '$atan2', 'Location51044'),
      needNumber(x, '$atan2', 'Location51045')
    ]
    refuseDecimal(rise, '$atan2')
    refuseDecimal(run, '$atan2')
    return new Double(Math.atan2(toDouble(rise), toDouble(run)))
  })
}
