import * as contract from '#contract/editorial.ts'
import type { Caller } from '../../auth/access.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { serve, type ApiServer } from '../../http/serve.ts'
import { readerOf } from '../catalogue/service.ts'
import { type EditorialKind, selectTypes } from './queries.ts'
import { listItems, murmurationsAbout, readItem } from './service.ts'
import { cardView, typeView } from './serializers.ts'
import type { Countries } from '../../auth/country.ts'

interface ListCall {
  readonly query: Parameters<typeof pageOf>[0]
  readonly url: string
}
interface ItemCall {
  readonly params: { id: string }
  readonly caller: Caller | null
  readonly countries: Countries
}

export function registerEditorial(server: ApiServer): void {
  const { shop } = server

  const list =
    <T>(kind: EditorialKind, type: string) =>
    async ({ query, url }: ListCall) => {
      const page = pageOf(query, contract.EDITORIAL_PAGE)
      const { rows, total } = await listItems(shop, { kinds: [kind] }, page)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind that was asked for decides which it is
      return hydraList({ type, url, members: rows.map(cardView) as T[], total, ...page })
    }
  const item =
    <T>(kind: EditorialKind) =>
    async ({ params, caller, countries }: ItemCall) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind that was asked for decides which it is
      (await readItem(shop, kind, params.id, await readerOf(shop, { caller, countries }))) as T

  serve(server, contract.listArticles, list('article', 'Article'))
  serve(server, contract.getArticle, item('article'))
  serve(server, contract.listInterviews, list('interview', 'Interview'))
  serve(server, contract.getInterview, item('interview'))
  serve(server, contract.listDiscussions, list('discussion', 'Discussion'))
  serve(server, contract.getDiscussion, item('discussion'))

  serve(server, contract.listMurmurationTypes, async ({ url }) => {
    const members = (await selectTypes(shop.db)).map(typeView)
    return hydraList({
      type: 'MurmurationType',
      url,
      members,
      total: members.length,
      page: 1,
      itemsPerPage: 200,
    })
  })
  serve(server, contract.listRelatedEditorial, async ({ params, url }) => {
    const members = await murmurationsAbout(shop.db, params.slug)
    return hydraList({ type: 'Murmuration', url, members, total: members.length, page: 1, itemsPerPage: 24 })
  })
}
