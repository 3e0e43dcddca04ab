import { isWholeCard, readTyped } from '../../codes/cards.ts'
import type { Database } from '../../db/open.ts'
import { formatPounds } from '../../format.ts'
import { notFound } from '../../http/http-errors.ts'
import { selectAnyByNumber, selectBatches } from './queries.ts'

/** Never shows who redeemed the card. */
export async function describeCard(db: Database, typed: string): Promise<string[]> {
  const read = readTyped(typed)
  const found = await selectAnyByNumber(db, read)
  if (!found)
    throw notFound(
      isWholeCard(read)
        ? `There is no card ${typed}.`
        : `${typed} isn’t a card number: a digit is wrong or missing.`,
    )
  const { card, title, activation, outletName } = found
  const minute = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ')
  return [
    `${title}, batch ${card.batchId}`,
    ...(activation ? [`sold by ${outletName} on ${minute(activation.activatedAt)} UTC`] : []),
    ...(card.redeemedAt ? [`redeemed on ${minute(card.redeemedAt)} UTC`] : []),
    ...(card.voidedAt
      ? [`void since ${minute(card.voidedAt)} UTC${card.replacedBy ? ', replaced by another' : ''}`]
      : []),
    ...(activation || card.voidedAt ? [] : ['not sold yet']),
  ]
}

export async function describeBatches(db: Database): Promise<string[]> {
  const batches = await selectBatches(db)
  if (batches.length === 0) return ['There are no cards yet.']
  return batches.map(({ id, title, outlet, priceMinor, madeAt, made, activated, redeemed, voided }) =>
    [
      `${id}  ${madeAt.toISOString().slice(0, 10)}  ${title}, ${formatPounds(priceMinor)}`,
      `${outlet ? `, for ${outlet}` : ''}: `,
      `${made} made, ${activated} sold, ${redeemed} redeemed, ${voided} void`,
    ].join(''),
  )
}
