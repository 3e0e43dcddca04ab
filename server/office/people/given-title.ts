import * as contract from '#contract/office/people.ts'
import type { Undoable } from '../../features/activity/service.ts'
import { giveCopies, hasCopies, takeCopies } from '../../features/library/free-copies.ts'
import { refused, unprocessable } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { selectBookName } from './queries.ts'
import { actOnPerson } from './routes.ts'
import { personById } from './service.ts'

export function registerGivenTitles(server: ApiServer): void {
  const { shop } = server
  serve(server, contract.giveTitle, async ({ params, body: { book: bookId, because }, staff }) => {
    const person = await personById(shop, params.id)
    const name = await selectBookName(shop.db, bookId)
    if (name === undefined) throw unprocessable('book', 'There is no such title.')
    return actOnPerson(shop, staff, person, {
      kind: 'people title',
      what: `Gave ${name}`,
      because,
      after: { book: bookId },
      carryOut: () => giveCopies(shop, { userId: person.id, bookIds: [bookId] }),
    })
  })
}

const bookIn = (after: unknown): number | undefined =>
  typeof after === 'object' && after !== null && 'book' in after && typeof after.book === 'number'
    ? after.book
    : undefined

export const givenTitle: Undoable = {
  may: 'people.change',
  async whyNot(shop, { after, userId }) {
    const bookId = bookIn(after)
    if (bookId === undefined || !userId) return 'The account is closed.'
    return (await hasCopies(shop, { userId, bookIds: [bookId] })) ? null : 'It was taken back already.'
  },
  async undo(shop, { about, after, userId }) {
    const bookId = bookIn(after)
    if (bookId === undefined || !userId) throw refused('The account is closed.')
    return {
      kind: 'people title',
      about,
      userId,
      what: `Took ${(await selectBookName(shop.db, bookId)) ?? 'the title'} back`,
      carryOut: () => takeCopies(shop, { userId, bookIds: [bookId] }),
    }
  },
}
