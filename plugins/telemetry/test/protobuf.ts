// Writes protobuf for tests: a field is its number, wire type and bytes.

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  return Buffer.from([...bytes, Number(rest)])
}

const tag = (field: number, wire: number) => varint((field << 3) | wire)

export const int = (field: number, value: number | bigint) =>
  Buffer.concat([tag(field, 0), varint(value)])
export const bytes = (field: number, value: Buffer | string) => {
  const body = Buffer.from(value as string)
  return Buffer.concat([tag(field, 2), varint(body.length), body])
}
export const nested = (field: number, ...parts: Buffer[]) => bytes(field, Buffer.concat(parts))
export const fixed64 = (field: number, value: bigint) => {
  const body = Buffer.alloc(8)
  body.writeBigUInt64LE(BigInt.asUintN(64, value))
  return Buffer.concat([tag(field, 1), body])
}
export const double = (field: number, value: number) => {
  const body = Buffer.alloc(8)
  body.writeDoubleLE(value)
  return Buffer.concat([tag(field, 1), body])
}
export const hex = (field: number, value: string) => bytes(field, Buffer.from(value, 'hex'))
export const textAttribute = (field: number, key: string, value: string) =>
  nested(field, bytes(1, key), nested(2, bytes(1, value)))
