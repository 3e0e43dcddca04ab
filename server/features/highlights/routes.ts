import * as contract from '#contract/highlights.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { selectHighlights } from './queries.ts'
import { changeHighlight, earlierNotes, makeHighlight, removeHighlight } from './service.ts'
import { highlightAnswer, highlightView } from './serializers.ts'

const PAGE = 30

export function registerHighlights(server: ApiServer): void {
  const { shop } = server

  serve(server, contract.listHighlights, async ({ caller, query, url }) => {
    const page = pageOf(query, PAGE)
    const slug = query.eBook === undefined ? undefined : slugIn(query.eBook)
    const { rows, total } = await selectHighlights(shop.db, { userId: caller.userId, slug, page })
    return hydraList({ type: 'UserHighlight', url, members: rows.map(highlightView), total, ...page })
  })

  serve(server, contract.makeHighlight, async ({ caller, body: { eBook, ...sent }, reply }) => {
    const { highlight, isNew } = await makeHighlight(shop, caller.userId, slugIn(eBook), {
      ...sent,
      id: sent.id.toLowerCase(),
    })
    const answer = highlightAnswer(highlight, shop.now())
    if (isNew) reply.code(201).header('location', answer['@id'])
    return answer
  })

  serve(server, contract.changeHighlight, async ({ caller, params, body }) =>
    highlightAnswer(await changeHighlight(shop, caller.userId, params.id, body), shop.now()),
  )

  serve(server, contract.removeHighlight, async ({ caller, params }) => {
    await removeHighlight(shop, caller.userId, params.id)
    return undefined
  })

  serve(server, contract.listHighlightNotes, async ({ caller, params, url }) => {
    const notes = await earlierNotes(shop, caller.userId, params.id)
    const members = notes.map((note) => ({ ...note, changedAt: note.changedAt.toISOString() }))
    return hydraList({ type: 'EarlierNote', url, members, total: members.length, page: 1, itemsPerPage: 50 })
  })
}

/** Accepts an IRI or a plain slug. */
const slugIn = (eBook: string) => eBook.replace(/^\/api\/e_books\//, '')
