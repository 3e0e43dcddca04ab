import * as contract from '#contract/seats.ts'
import { hydraList } from '#contract/calculations/hydra-list.ts'
import { serve, type ApiServer } from '../../http/serve.ts'
import { addressKey, countOrRefuse } from '../../rate-limiting/rate-limit.ts'
import { deleteSeat, selectOwnSeats } from './queries.ts'
import { askForSeat, confirmSeat, giveSeatBack, GUESTS, keepSeat, SEAT_LINKS, seatsOf } from './service.ts'

export function registerSeats(server: ApiServer): void {
  const { shop } = server
  const view = (slug: string, seats: { left: number; kept: boolean }) => ({
    '@context': '/api/contexts/Seats',
    '@id': `/api/discussions/${slug}/seats`,
    '@type': 'Seats' as const,
    ...seats,
  })

  serve(server, contract.getSeats, async ({ params: { id }, caller }) =>
    view(id, await seatsOf(shop, id, caller?.userId ?? null)),
  )
  serve(server, contract.keepSeat, async ({ params: { id }, caller }) =>
    view(id, await keepSeat(shop, id, caller.userId)),
  )
  serve(server, contract.giveSeatBack, async ({ params: { id }, caller }) =>
    view(id, await giveSeatBack(shop, id, caller.userId)),
  )
  serve(server, contract.askForSeat, async ({ params, body, request }) => {
    await countOrRefuse(shop.db, GUESTS, addressKey(request.ip), shop.now())
    await askForSeat(shop, params.id, body)
    return undefined
  })
  serve(server, contract.confirmSeat, async ({ params, request }) => {
    await countOrRefuse(shop.db, SEAT_LINKS, addressKey(request.ip), shop.now())
    const { slug, left, kept } = await confirmSeat(shop, params.token)
    return view(slug, { left, kept })
  })
  serve(server, contract.giveSeatBackByLink, async ({ params, request }) => {
    await countOrRefuse(shop.db, SEAT_LINKS, addressKey(request.ip), shop.now())
    await deleteSeat(shop.db, params.token)
    return undefined
  })
  serve(server, contract.listOwnSeats, async ({ caller, url }) => {
    const rows = await selectOwnSeats(shop.db, caller.userId, shop.now())
    const members = rows.map(({ slug, title, starts_at, ends_at, place }) => ({
      '@id': `/api/discussions/${slug}/seats`,
      '@type': 'Seat' as const,
      slug,
      title,
      startsAt: starts_at,
      endsAt: ends_at,
      place,
    }))
    return hydraList({ type: 'Seat', url, members, total: members.length, page: 1, itemsPerPage: 50 })
  })
}
