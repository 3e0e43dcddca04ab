import type { FieldType } from './protocol.ts'

const TYPES: readonly FieldType[] = ['cardNumber', 'cardExpiry', 'cardCvc']

/** @throws for a type that is not a card field */
export function fieldTypeOf(name: string): FieldType {
  const type = TYPES.find((one) => one === name)
  if (!type) throw new Error(`The sandbox has no Element of the type ${name}.`)
  return type
}
